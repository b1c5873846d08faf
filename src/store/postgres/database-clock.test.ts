import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

test('the database’s time advances with the monotonic clock, even if the wall clock jumps', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let own = 5_000_000
  const clock = createDatabaseClock(() => own)
  expect(clock.now()).toBe(5_000_000)
  const before = performance.now()
  vi.advanceTimersByTime(10)
  clock.wasRead(1_000_005, before, performance.now())
  expect(clock.now()).toBe(1_000_010)
  own -= 3_600_000
  vi.advanceTimersByTime(100)
  expect(clock.now()).toBe(1_000_110)
})
