import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type DispatchOptions, dispatch } from './dispatch.ts'

interface Item {
  readonly key: string
  readonly n: number
  readonly last: boolean
}

const OPTIONS: DispatchOptions = { concurrency: 3, batchMax: 4, itemsMax: 50 }
const HOW = { keyOf: ({ key }: Item) => key, isLast: ({ last }: Item) => last }

/** Keys in turn, as in a stream that is sorted by time. */
async function* interleaved(keys: number, each: number): AsyncGenerator<Item, void> {
  for (let n = 0; n < each; n++) {
    for (let key = 0; key < keys; key++) {
      yield { key: `k${key}`, n, last: n === each - 1 }
    }
  }
}

describe('dispatch', () => {
  test('sends every item once, in order within a key and in parallel up to its limits', async () => {
    const sent = new Map<string, number[]>()
    const busy = new Set<string>()
    let busiest = 0
    await dispatch(interleaved(40, 11), OPTIONS, {
      ...HOW,
      async send(items) {
        const key = items[0]?.key ?? ''
        expect(busy.has(key)).toBe(false)
        expect(items.length).toBeLessThanOrEqual(OPTIONS.batchMax)
        busy.add(key)
        busiest = Math.max(busiest, busy.size)
        await setImmediate()
        sent.set(key, [...(sent.get(key) ?? []), ...items.map((item) => item.n)])
        busy.delete(key)
      },
    })
    expect(busiest).toBe(3)
    expect(sent.size).toBe(40)
    for (const numbers of sent.values()) {
      expect(numbers).toEqual([...Array(11).keys()])
    }
  })

  test('reads no more items ahead than its maximum', async () => {
    let [read, done, ahead] = [0, 0, 0]
    async function* counted() {
      for await (const item of interleaved(200, 2)) {
        ahead = Math.max(ahead, ++read - done)
        yield item
      }
    }
    await dispatch(counted(), OPTIONS, {
      ...HOW,
      async send(items) {
        await setImmediate()
        done += items.length
      },
    })
    expect(done).toBe(400)
    expect(ahead).toBeLessThanOrEqual(OPTIONS.itemsMax + 1)
  })

  test('sends nothing new after a failure, and returns the failure', async () => {
    let calls = 0
    const run = dispatch(
      interleaved(100, 2),
      { ...OPTIONS, concurrency: 1 },
      {
        ...HOW,
        async send() {
          if (++calls === 2) {
            throw new Error('no more')
          }
        },
      },
    )
    await expect(run).rejects.toThrow('no more')
    expect(calls).toBe(2)
  })
})
