import { expect, test } from 'vitest'
import type { Prediction } from '../../../cli/src/replay/predictions.ts'
import { calibrationOf, equalCountError } from './calibration.ts'

const said = (value: number, good: number, bad: number): Prediction => ({ value, good, bad })

test('bins of equal count hold equally many events, for any forecasts', () => {
  const right = Array.from({ length: 10 }, () => said(0.9, 9, 1))
  expect(equalCountError(right)).toBeCloseTo(0, 12)
  const wrong = [...right, ...Array.from({ length: 10 }, () => said(0.95, 7, 3))]
  expect(equalCountError(wrong)).toBeCloseTo(0.125, 12)
})

test('even a perfect forecaster has a calibration error with few events, and hardly any with many', () => {
  const agents = (count: number, each: number) =>
    Array.from({ length: count }, (_, i) => [said((i % 10) / 10 + 0.05, each, 0)])
  const few = calibrationOf(agents(20, 5))
  const many = calibrationOf(agents(100, 200))
  expect(few.floor).toBeGreaterThan(0.05)
  expect(few.floorMost).toBeGreaterThan(few.floor)
  expect(many.floor).toBeLessThan(0.02)
})

test('the interval of the error covers other samples of similar agents', () => {
  const agents = Array.from({ length: 40 }, (_, i) => [
    said(0.8, i % 5 === 0 ? 0 : 10, i % 5 === 0 ? 10 : 0),
  ])
  const { ece, low, high, events } = calibrationOf(agents)
  expect(ece).toBeCloseTo(0, 12)
  expect(events).toBe(400)
  expect(low).toBeGreaterThanOrEqual(0)
  expect(high).toBeGreaterThan(0.05)
})
