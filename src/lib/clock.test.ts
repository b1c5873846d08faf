import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

/** The times a clock shows while the one behind it shows these. */
function shown(times: readonly number[]): readonly number[] {
  let at = 0
  const clock = createClock(() => at)
  return times.map((time) => {
    at = time
    return clock()
  })
}

test('after a small step back the clock stands still until the time has caught up', () => {
  expect(shown([10_000, 10_500, 8_000, 10_499, 10_501])).toEqual([
    10_000, 10_500, 10_500, 10_500, 10_501,
  ])
})

test('after a step back of more than five seconds the clock follows', () => {
  expect(shown([100_000, 94_999, 95_000])).toEqual([100_000, 94_999, 95_000])
})
