import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auc, type Prediction, ranks, spearman } from './predictions.ts'

const predicted = (value: number, good: number, bad: number): Prediction => ({ value, good, bad })

test('equal numbers share the mean of their ranks', () => {
  expect(ranks([10, 30, 20, 20, 5])).toEqual([2, 5, 3.5, 3.5, 1])
  expect(ranks([])).toEqual([])
})

describe('Spearman’s correlation', () => {
  test('is 1 for the same order, −1 for the reverse', () => {
    const rising = [predicted(1, 1, 8), predicted(2, 5, 4), predicted(9, 6, 3)]
    const falling = rising.map(({ value, ...rest }) => ({ value: -value, ...rest }))
    expect(spearman(rising)).toBeCloseTo(1, 12)
    expect(spearman(falling)).toBeCloseTo(-1, 12)
  })

  test('with ties is Pearson’s of the mean ranks', () => {
    // By hand: ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5: 3.75 / √(4.5 · 4.5).
    const all = [predicted(1, 0, 10), predicted(2, 1, 9), predicted(2, 3, 7), predicted(5, 3, 7)]
    expect(spearman(all)).toBeCloseTo(5 / 6, 12)
  })

  test('is null where the values, or the shares of good events, do not vary', () => {
    expect(spearman([predicted(1, 1, 0), predicted(1, 0, 1)])).toBeNull()
    expect(spearman([predicted(1, 1, 0), predicted(2, 1, 0)])).toBeNull()
    expect(spearman([])).toBeNull()
  })
})

describe('AUC', () => {
  test('is 1 where every good event has a greater value than every bad one, a half where values are equal', () => {
    expect(auc([predicted(1, 0, 1), predicted(2, 0, 1), predicted(3, 1, 0)])).toBe(1)
    expect(auc([predicted(3, 0, 1), predicted(1, 1, 0)])).toBe(0)
    expect(auc([predicted(5, 3, 2), predicted(5, 1, 4)])).toBe(0.5)
    // Of 16 pairs of a good and a bad event 9 are in order, 1 is not, and 6 count half.
    expect(auc([predicted(0.8, 3, 1), predicted(0.2, 1, 3)])).toBe(0.75)
  })

  test('is null where all events have the same outcome', () => {
    expect(auc([predicted(1, 1, 0), predicted(2, 1, 0)])).toBeNull()
  })

  test('is the share of pairs of a good and a bad event that are in order', () => {
    const predictions = array(
      record({
        value: integer({ min: 0, max: 5 }),
        good: integer({ min: 0, max: 4 }),
        bad: integer({ min: 0, max: 4 }),
      }),
    )
    assert(
      property(predictions, (all) => {
        expect(auc(all) ?? -1).toBeCloseTo(pairwise(all) ?? -1, 12)
      }),
    )
  })
})

function pairwise(all: readonly Prediction[]): number | null {
  let [won, pairs] = [0, 0]
  for (const a of all) {
    for (const b of all) {
      pairs += a.good * b.bad
      won += a.good * b.bad * (a.value > b.value ? 1 : a.value === b.value ? 0.5 : 0)
    }
  }
  return pairs > 0 ? won / pairs : null
}
