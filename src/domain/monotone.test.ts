import { expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { MODEL } from './model.ts'
import { countViolations } from './testing/monotone.ts'

const STEPS = drawn(8000)

test.each([1, 2, 3])(
  'a better report never lowers a score and a worse one never raises it, in random steps of seed %i',
  (seed) => {
    expect(countViolations(MODEL, STEPS, seed)).toMatchObject({
      steps: STEPS,
      comparisons: 3 * STEPS,
      violations: 0,
      worst: 0,
    })
  },
)

test('the check finds violations in a model that is not monotone', () => {
  const broken = { ...MODEL, taskObservation: { completed: -0.5, failed: 0.5, timeout: -1 } }
  expect(countViolations(broken, 2000, 1).violations).toBeGreaterThan(0)
})

test('the check reaches histories in which complaints about deals limit monitors', () => {
  expect(countViolations(MODEL, 20_000, 4).limited).toBeGreaterThan(100)
})
