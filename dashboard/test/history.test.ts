import { expect, test } from 'vitest'
import type { Snapshot } from '../src/api/types.ts'
import { columnsOf, marksOf, rangeOf } from '../src/pages/agent/history/series.ts'

const at = (second: number, score: number, trigger?: Partial<Snapshot['trigger']>) => ({
  at: second * 1000,
  score,
  interval: null,
  trigger: trigger ? { kind: 'event' as const, type: 'task.completed' as const, ...trigger } : null,
})

test('points and intervals share one time axis, with a gap where one has no data', () => {
  const looked = { ...at(2, 610), interval: { low: 550, high: 700 } }
  expect(columnsOf([at(1, 600), looked, at(3, 620)])).toEqual([
    [1, 2, 3],
    [600, 610, 620],
    [null, 550, null],
    [null, 700, null],
  ])
})

test('failures, reviews, models, credentials and transfers are marked; good work is not', () => {
  const points = [
    at(1, 600, {}),
    at(2, 580, { type: 'task.failed' }),
    { ...at(2.5, 590, {}), correctedAt: 3_000 },
    { ...at(2.7, 592, {}), correctedAt: 3_000 },
    at(4, 595, { kind: 'model' }),
    at(5, 640, { type: 'credential.issued' }),
    at(6, 640),
    at(7, 420, { type: 'agent.transferred' }),
  ]
  const kinds = marksOf(points).map(({ kind }) => kind)
  expect(kinds).toEqual(['bad', 'review', 'model', 'identity', 'identity'])
})

test('a steady score fills the chart without noise', () => {
  const [low, high] = rangeOf(columnsOf([at(1, 700), at(2, 704)]))
  expect(high - low).toBeGreaterThanOrEqual(120)
})

test('the chart stays within 0 and 1000', () => {
  expect(rangeOf(columnsOf([at(1, 5), at(2, 990)]))).toEqual([0, 1000])
  expect(rangeOf(columnsOf([]))).toEqual([0, 1000])
})
