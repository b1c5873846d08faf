import { expect, test } from 'vitest'
import { MODEL } from './model.ts'
import { countViolations } from './testing/monotone.ts'

test.each([1, 2, 3])(
  'a better report never lowers a score and a worse one never raises it, in 8,000 random steps of seed %i',
  (seed) => {
    expect(countViolations(MODEL, 8000, seed)).toEqual({
      steps: 8000,
      comparisons: 24_000,
      violations: 0,
      worst: 0,
    })
  },
)

test('the check finds violations where a model breaks the promise', () => {
  const broken = { ...MODEL, taskObservation: { completed: -0.5, failed: 0.5, timeout: -1 } }
  expect(countViolations(broken, 2000, 1).violations).toBeGreaterThan(0)
})
