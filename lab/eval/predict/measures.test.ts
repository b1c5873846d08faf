import { expect, test } from 'vitest'
import { auc, binsOf, brier, type Prediction, qualityOf, spearman } from './measures.ts'

const said = (value: number, good: number, bad: number): Prediction => ({ value, good, bad })

test('AUC counts the pairs told right, ties by half', () => {
  expect(auc([said(0.9, 3, 0), said(0.1, 0, 2)])).toBe(1)
  expect(auc([said(0.1, 3, 0), said(0.9, 0, 2)])).toBe(0)
  expect(auc([said(0.5, 3, 2), said(0.5, 1, 4)])).toBe(0.5)
  // Pairs good over bad: 1·1 in the upper, 1·1 in the lower by half each, 1·1 across in full, 1·1 not.
  expect(auc([said(0.8, 1, 1), said(0.2, 1, 1)])).toBe(0.5)
  expect(auc([said(0.8, 3, 1), said(0.2, 1, 3)])).toBe(0.75)
})

test('AUC is what counting every pair gives', () => {
  const predictions = Array.from({ length: 40 }, (_, i) => said(((i * 7) % 11) / 11, i % 4, i % 3))
  let won = 0
  let pairs = 0
  for (const a of predictions) {
    for (const b of predictions) {
      pairs += a.good * b.bad
      won += a.good * b.bad * (a.value > b.value ? 1 : a.value === b.value ? 0.5 : 0)
    }
  }
  expect(auc(predictions)).toBeCloseTo(won / pairs, 12)
})

test('Spearman is 1 for the same order, −1 for the reverse', () => {
  const rising = [said(0.1, 1, 9), said(0.2, 5, 5), said(0.7, 9, 1)]
  const falling = rising.map(({ value, good, bad }) => said(1 - value, good, bad))
  expect(spearman(rising)).toBeCloseTo(1, 12)
  expect(spearman(falling)).toBeCloseTo(-1, 12)
})

test('a probability that comes true has no calibration error', () => {
  const perfect = [said(0.25, 1, 3), said(0.75, 3, 1)]
  expect(qualityOf(perfect)).toMatchObject({ ece: 0, brier: 0.1875 })
  expect(brier([said(1, 0, 1)])).toBe(1)
  expect(binsOf(perfect).filter(({ count }) => count > 0)).toEqual([
    { count: 4, said: 0.25, seen: 0.25 },
    { count: 4, said: 0.75, seen: 0.75 },
  ])
})
