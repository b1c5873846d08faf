import { expect, test } from 'vitest'
import type { Prediction } from '../../../cli/src/replay/predictions.ts'
import { binsOf, brier, qualityOf } from './measures.ts'

const predicted = (value: number, good: number, bad: number): Prediction => ({ value, good, bad })

test('forecasts that come true have no calibration error', () => {
  const perfect = [predicted(0.25, 1, 3), predicted(0.75, 3, 1)]
  expect(qualityOf(perfect)).toMatchObject({ ece: 0, brier: 0.1875 })
  expect(brier([predicted(1, 0, 1)])).toBe(1)
  expect(binsOf(perfect).filter(({ count }) => count > 0)).toEqual([
    { count: 4, predicted: 0.25, observed: 0.25 },
    { count: 4, predicted: 0.75, observed: 0.75 },
  ])
})

test('the quality of a ranking is undefined where all events were good', () => {
  expect(qualityOf([predicted(0.5, 1, 0), predicted(0.9, 1, 0)])).toMatchObject({
    auc: Number.NaN,
    spearman: Number.NaN,
  })
})
