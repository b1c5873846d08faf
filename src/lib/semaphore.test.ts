import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

/** Work that ends when the test says so. */
function createWork() {
  const started: string[] = []
  const ends = new Map<string, (outcome: 'done' | 'failed') => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      started.push(name)
      ends.set(name, (outcome) =>
        outcome === 'done' ? resolve(name) : reject(new Error(`${name} failed`)),
      )
    })
  return { started, work, end: (name: string) => ends.get(name)?.('done'), ends }
}

test('at most the maximum runs at the same time; the rest starts in order of arrival', async () => {
  const { run } = createSemaphore({ runningMax: 2 })
  const { started, work, end } = createWork()
  const all = ['a', 'b', 'c', 'd'].map((name) => run(work(name)))
  expect(started).toEqual(['a', 'b'])
  end('b')
  await all[1]
  expect(started).toEqual(['a', 'b', 'c'])
  end('a')
  await all[0]
  end('c')
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('failed work frees its slot for the next', async () => {
  const { run } = createSemaphore({ runningMax: 1 })
  const { work, end, ends } = createWork()
  const first = run(work('a'))
  const second = run(work('b'))
  ends.get('a')?.('failed')
  await expect(first).rejects.toThrow('a failed')
  end('b')
  expect(await second).toBe('b')
})

test('work beyond the maximum of waiting work is refused with the given message', async () => {
  const { run } = createSemaphore({ runningMax: 1, waitingMax: 1, refusal: 'too many sign-ins' })
  const { work, end } = createWork()
  const running = run(work('a'))
  const waiting = run(work('b'))
  await expect(run(work('c'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'too many sign-ins',
  })
  end('a')
  await running
  end('b')
  await waiting
  const later = run(work('d'))
  end('d')
  expect(await later).toBe('d')
})
