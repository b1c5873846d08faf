import { expect, test } from 'vitest'
import { shareReads } from './shared-read.ts'

/** Reads that take so long, and give how many there were. */
function counting({ takesMs }: { takesMs: number }) {
  let now = 0
  let count = 0
  const read = shareReads({
    read: async () => {
      now += takesMs
      return ++count
    },
    ageMaxMs: 250,
    steadyNow: () => now,
  })
  return {
    read,
    wait(ms: number) {
      now += ms
    },
  }
}

test('simultaneous reads are shared', async () => {
  const { read } = counting({ takesMs: 1 })
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
})

test('occasional reads always read again', async () => {
  const { read, wait } = counting({ takesMs: 10 })
  for (let n = 1; n <= 10; n++) {
    expect(await read()).toBe(n)
    wait(200)
  }
})

test('continuous reads take at most a twentieth of the time', async () => {
  const { read, wait } = counting({ takesMs: 10 })
  for (let i = 0; i < 10_000; i++) {
    await read()
    wait(1)
  }
  // Ten seconds of which half a second may be spent, and the burst of the first second.
  expect(await read()).toBeGreaterThan(40)
  expect(await read()).toBeLessThan(65)
})

test('a slow read is repeated as soon as its result is too old', async () => {
  const { read, wait } = counting({ takesMs: 1_000 })
  expect(await read()).toBe(1)
  wait(249)
  expect(await read()).toBe(1)
  wait(2)
  expect(await read()).toBe(2)
})

test('a failed read is not kept', async () => {
  let count = 0
  const read = shareReads({
    read: async () => {
      count++
      if (count === 1) {
        throw new Error('away')
      }
      return count
    },
    ageMaxMs: 1_000,
  })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(2)
})
