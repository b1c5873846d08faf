import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startInterval } from './interval.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work is repeated until it is stopped', async () => {
  let rounds = 0
  const interval = startInterval({
    everyMs: 1_000,
    work: async () => void rounds++,
    onError: () => {},
  })
  expect(rounds).toBe(0)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(rounds).toBe(3)
  await interval.stop()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(rounds).toBe(3)
})

test('the first round starts earlier if requested, unless the work is stopped before', async () => {
  let rounds = 0
  const work = async () => void rounds++
  const options = { everyMs: 1_000, work, onError: () => {}, startsAfterMs: 20 }
  const interval = startInterval(options)
  const stopped = startInterval(options)
  await stopped.stop()
  await vi.advanceTimersByTimeAsync(20)
  expect(rounds).toBe(1)
  await interval.stop()
})

test('rounds never overlap, and stopping waits for the running one', async () => {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((end) => ends.push(end))
  const interval = startInterval({ everyMs: 1_000, work, onError: () => {} })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(2)
  let isStopped = false
  const stopping = interval.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isStopped).toBe(false)
  ends[1]?.()
  await stopping
  expect(ends).toHaveLength(2)
})

test('a failed round is reported, and the next one runs', async () => {
  const errors: unknown[] = []
  const work = async () => {
    throw new Error('away')
  }
  const interval = startInterval({ everyMs: 1_000, work, onError: (error) => errors.push(error) })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(errors).toEqual([new Error('away'), new Error('away')])
  await interval.stop()
})

test('a wake starts a round at once, and many during a round start one more after it', async () => {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((end) => ends.push(end))
  const interval = startInterval({ everyMs: 1_000, work, onError: () => {} })
  interval.wake()
  expect(ends).toHaveLength(1)
  interval.wake()
  interval.wake()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await vi.advanceTimersByTimeAsync(500)
  expect(ends).toHaveLength(2)
  await interval.stop()
})

test('a wake after a stop, or during the last round, starts nothing', async () => {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((end) => ends.push(end))
  const interval = startInterval({ everyMs: 1_000, work, onError: () => {} })
  interval.wake()
  interval.wake()
  const stopping = interval.stop()
  interval.wake()
  ends[0]?.()
  await stopping
  interval.wake()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ends).toHaveLength(1)
})

test('a round that failed is tried again earlier, and one that succeeded is not', async () => {
  let rounds = 0
  const work = async () => {
    rounds++
    if (rounds < 3) {
      throw new Error('locked')
    }
  }
  const onError = () => {}
  const interval = startInterval({ everyMs: 24_000, retryMs: 1_000, work, onError })
  await vi.advanceTimersByTimeAsync(24_000)
  expect(rounds).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(rounds).toBe(3)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(rounds).toBe(3)
  await interval.stop()
})
