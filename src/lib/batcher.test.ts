import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

/** A batcher of words; each write ends when the test says so. */
function createWriter(atOnce = () => 1) {
  let waiting: string[] = []
  const written: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const batcher = createBatcher({
    atOnce,
    hasWaiting: () => waiting.length > 0,
    flush() {
      written.push(waiting)
      waiting = []
      return new Promise((end) => ends.push(end))
    },
  })
  return {
    written,
    add(word: string) {
      waiting.push(word)
      batcher.wake()
    },
    /** Ends the write that runs, and lets the next one begin. */
    async end() {
      ends.shift()?.()
      await turn()
    },
    idle: batcher.idle,
  }
}

function turn(): Promise<void> {
  return new Promise((next) => setImmediate(next))
}

test('items added in one turn of the event loop are one batch', async () => {
  const { add, written, end, idle } = createWriter()
  add('a')
  await Promise.resolve()
  add('b')
  expect(written).toEqual([])
  await turn()
  expect(written).toEqual([['a', 'b']])
  await end()
  await idle()
})

test('items added while a batch is being written are the next batch', async () => {
  const { add, written, end, idle } = createWriter()
  add('a')
  await turn()
  add('b')
  await turn()
  add('c')
  await turn()
  expect(written).toEqual([['a']])
  await end()
  expect(written).toEqual([['a'], ['b', 'c']])
  await end()
  await idle()
  add('d')
  await turn()
  expect(written.at(-1)).toEqual(['d'])
  await end()
})

test('idle resolves after the last batch, and at once when there is none', async () => {
  const { add, end, idle } = createWriter()
  await idle()
  add('a')
  await turn()
  const order: string[] = []
  const idling = idle().then(() => order.push('idle'))
  await turn()
  order.push('written')
  await end()
  await idling
  expect(order).toEqual(['written', 'idle'])
})

test('with two batches at a time, the third waits for one of them, and idle waits for all', async () => {
  const { add, written, end, idle } = createWriter(() => 2)
  for (const word of ['a', 'b', 'c', 'd']) {
    add(word)
    await turn()
  }
  expect(written).toEqual([['a'], ['b']])
  await end()
  expect(written).toEqual([['a'], ['b'], ['c', 'd']])
  await end()
  await end()
  await idle()
})

test('with fewer batches at a time than before, the items gather until one of them has ended', async () => {
  let atOnce = 2
  const { add, written, end, idle } = createWriter(() => atOnce)
  for (const word of ['a', 'b', 'c']) {
    add(word)
    await turn()
  }
  expect(written).toEqual([['a'], ['b']])
  atOnce = 1
  await end()
  add('d')
  await turn()
  expect(written).toEqual([['a'], ['b']])
  await end()
  expect(written).toEqual([['a'], ['b'], ['c', 'd']])
  add('e')
  await turn()
  atOnce = 2
  add('f')
  await turn()
  expect(written).toEqual([['a'], ['b'], ['c', 'd'], ['e', 'f']])
  await end()
  await end()
  await idle()
})

test('an item added right after the last batch is written too', async () => {
  const written: string[] = []
  const waiting: { readonly word: string; readonly resolve: () => void }[] = []
  const batcher = createBatcher({
    hasWaiting: () => waiting.length > 0,
    async flush() {
      for (const { word, resolve } of waiting.splice(0)) {
        written.push(word)
        resolve()
      }
    },
  })
  const add = (word: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ word, resolve })
      batcher.wake()
    })
  // Added in each of the turns that follow a batch.
  for (let turns = 0; turns < 6; turns++) {
    await add(`first ${turns}`)
    for (let i = 0; i < turns; i++) {
      await null
    }
    await add(`then ${turns}`)
  }
  expect(written).toHaveLength(12)
})
