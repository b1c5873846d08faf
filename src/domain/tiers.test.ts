import { expect, test } from 'vitest'
import { classify, confidenceOf, TIERS } from './tiers.ts'

test('the tiers cover 0 to 1000 without gap or overlap, best first', () => {
  expect(TIERS[0]?.max).toBe(1000)
  expect(TIERS.at(-1)?.min).toBe(0)
  for (let i = 1; i < TIERS.length; i++) {
    expect(TIERS[i]?.max).toBe((TIERS[i - 1]?.min ?? 0) - 1)
  }
})

test('both ends of a range belong to its tier', () => {
  for (const tier of TIERS) {
    expect(classify(tier.min)).toBe(tier.label)
    expect(classify(tier.max)).toBe(tier.label)
  }
})

test('confidence turns medium at exactly 50 events and high at exactly 500', () => {
  expect([0, 49, 50, 499, 500, 1e9].map(confidenceOf)).toEqual([
    'low',
    'low',
    'medium',
    'medium',
    'high',
    'high',
  ])
})
