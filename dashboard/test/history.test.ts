import { expect, test } from 'vitest'
import type { Snapshot } from '../src/api/types.ts'
import { axesOf, drawHistory } from '../src/pages/agent/history/drawing.ts'
import type { HistoryPoint } from '../src/pages/agent/history/load.ts'
import { marksOf, rangeOf } from '../src/pages/agent/history/series.ts'
import { timeTicks } from '../src/pages/agent/history/time-ticks.ts'

const at = (second: number, score: number, trigger?: Partial<Snapshot['trigger']>) => ({
  at: second * 1000,
  score,
  interval: null,
  trigger: trigger ? { kind: 'event' as const, type: 'task.completed' as const, ...trigger } : null,
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
  const [low, high] = rangeOf([at(1, 700), at(2, 704)])
  expect(high - low).toBeGreaterThanOrEqual(120)
})

test('the chart stays within 0 and 1000', () => {
  expect(rangeOf([at(1, 5), at(2, 990)])).toEqual([0, 1000])
  expect(rangeOf([])).toEqual([0, 1000])
})

const SPAN = { from: 0, to: 10_000 }
const WIDTH = 254

/** The path of one class in a drawing of points: 200 pixels wide, from the left edge of the axes on. */
function pathOf(name: string, points: readonly HistoryPoint[], isSampled = false): string {
  const data = { points, span: SPAN, isSampled }
  const markup = drawHistory(data, axesOf(data, WIDTH), { score: String, time: String })
  return new RegExp(`class="${name}" d="([^"]*)"`).exec(markup)?.[1] ?? ''
}

test('the line stays where it is until the score changes, and is straight between samples', () => {
  const points = [at(0, 600), { ...at(2, 600), score: null }, at(5, 600), at(10, 640)]
  expect(pathOf('history-line', points)).toMatch(/^M44 \S+H144V\S+H244V\S+$/)
  expect(pathOf('history-line', points, true)).toMatch(/^M44 \S+L144 \S+L244 \S+$/)
})

test('the band joins the points whose interval is known, across the others', () => {
  const known = (second: number) => ({ ...at(second, 610), interval: { low: 550, high: 700 } })
  const path = pathOf('history-band', [known(0), at(4, 600), known(10)])
  expect(path.match(/[\d.]+ [\d.]+/g)?.map((point) => point.split(' ')[0])).toEqual([
    '44',
    '244',
    '244',
    '44',
  ])
  expect(pathOf('history-band', [known(0)])).toBe('')
})

test('a time under the pointer is within the span', () => {
  const { timeAt, x } = axesOf({ points: [at(1, 600)], span: SPAN, isSampled: false }, WIDTH)
  expect([timeAt(-5), timeAt(x(2_500)), timeAt(9_999)]).toEqual([0, 2_500, 10_000])
})

const at2026 = (month: number, day: number, hour = 0) => new Date(2026, month, day, hour).getTime()

test.each([
  ['a day', at2026(2, 28, 20), at2026(2, 29, 20), 'hour'],
  ['a month', at2026(3, 3, 12), at2026(4, 2), 'day'],
  ['a year', at2026(0, 15), at2026(11, 31), 'month'],
] as const)('the axis of %s has a few round times', (_span, from, to, unit) => {
  const ticks = timeTicks(from, to, 5)
  expect(ticks.unit).toBe(unit)
  expect(ticks.times.length).toBeGreaterThanOrEqual(3)
  expect(ticks.times.length).toBeLessThanOrEqual(6)
  for (const time of ticks.times) {
    expect(time).toBeGreaterThanOrEqual(from)
    expect(time).toBeLessThanOrEqual(to)
    const rest = new Date(time)
    expect(rest.getMinutes()).toBe(0)
    expect(unit === 'hour' || rest.getHours() === 0).toBe(true)
    expect(unit !== 'month' || rest.getDate() === 1).toBe(true)
  }
})
