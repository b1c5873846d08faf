import { el, round } from '@standing/design/svg.ts'
import { TIERS } from '@standing/design/tier.ts'
import type { HistoryPoint, TimeSpan } from './load.ts'
import { type Mark, marksOf, rangeOf } from './series.ts'
import { type TickUnit, timeTicks } from './time-ticks.ts'

/** Pixels. Left of the lines are the scores, below them the times. */
export const HEIGHT = 240
const LEFT = 44
const RIGHT = 10
const TOP = 8
const BOTTOM = HEIGHT - 28

/** The place that a label of the axis of times takes. */
const TIME_LABEL_PX = 90

export interface HistoryData {
  readonly points: readonly HistoryPoint[]
  readonly span: TimeSpan
  /** Between points that were only sampled nothing is known: the line is straight, not stepped. */
  readonly isSampled: boolean
}

/** What the axes say, in the reader's language. */
export interface HistoryLabels {
  score(score: number): string
  time(at: number, unit: TickUnit): string
}

/** Where times and scores are on a chart. */
export interface Axes {
  x(at: number): number
  y(score: number): number
  /** The time at a distance from the left, within the span. */
  timeAt(px: number): number
  readonly scores: readonly [low: number, high: number]
  readonly right: number
}

export function axesOf({ points, span }: HistoryData, width: number): Axes {
  const { from, to } = span
  const [low, high] = rangeOf(points)
  const right = Math.max(LEFT + 1, width - RIGHT)
  const within = (px: number) => Math.min(right, Math.max(LEFT, px))
  return {
    x: (at) => round(within(LEFT + ((at - from) / (to - from)) * (right - LEFT))),
    y: (score) => round(BOTTOM - ((score - low) / (high - low)) * (BOTTOM - TOP)),
    timeAt: (px) => Math.round(from + ((within(px) - LEFT) / (right - LEFT)) * (to - from)),
    scores: [low, high],
    right,
  }
}

/** The line of the score with its interval, and signs on the base line. Colours are in the styles. */
export function drawHistory(data: HistoryData, axes: Axes, labels: HistoryLabels): string {
  return [
    drawScores(axes, labels),
    drawTimes(data.span, axes, labels),
    ...TIERS.filter(({ min }) => min > axes.scores[0] && min < axes.scores[1]).map(
      ({ tier, min }) => across(`history-border tier-${tier}`, axes, min),
    ),
    el('path', { class: 'history-band', d: band(data.points, axes) }),
    el('path', { class: 'history-line', d: line(data, axes) }),
    ...marksOf(data.points).map((mark) => drawMark(mark, axes)),
  ].join('')
}

function across(name: string, { y, right }: Axes, score: number): string {
  return el('line', { class: name, x1: LEFT, x2: right, y1: y(score), y2: y(score) })
}

/** Distances between scores on the axis: the smallest with at most six of them. */
const SCORE_STEPS = [20, 25, 50, 100, 200]

function drawScores(axes: Axes, labels: HistoryLabels): string {
  const [low, high] = axes.scores
  const step = SCORE_STEPS.find((size) => (high - low) / size <= 6) ?? 200
  const first = Math.ceil(low / step) * step
  const count = Math.floor((high - first) / step) + 1
  return Array.from({ length: count }, (_, i) => first + i * step)
    .map(
      (score) =>
        across('history-grid', axes, score) +
        el(
          'text',
          { x: LEFT - 8, y: axes.y(score) + 4, 'text-anchor': 'end' },
          labels.score(score),
        ),
    )
    .join('')
}

function drawTimes({ from, to }: TimeSpan, { x, right }: Axes, labels: HistoryLabels): string {
  const { unit, times } = timeTicks(from, to, (right - LEFT) / TIME_LABEL_PX)
  return times
    .map((at) => {
      const place = { x: x(at), y: HEIGHT - 8, 'text-anchor': anchorOf(x(at), right) }
      const tick = { class: 'history-tick', x1: x(at), x2: x(at), y1: BOTTOM, y2: BOTTOM + 4 }
      return el('line', tick) + el('text', place, labels.time(at, unit))
    })
    .join('')
}

/** A label at an end of the axis stays within the drawing. */
function anchorOf(x: number, right: number): string {
  const half = TIME_LABEL_PX / 3
  return x + half > right + RIGHT ? 'end' : x - half < 0 ? 'start' : 'middle'
}

/** The line through all known scores: it stays where it is until something changes it. */
function line({ points, isSampled }: HistoryData, { x, y }: Axes): string {
  return points
    .flatMap(({ at, score }) => (score === null ? [] : [[x(at), y(score)] as const]))
    .map(([px, py], i) => (i === 0 ? `M${px} ${py}` : isSampled ? `L${px} ${py}` : `H${px}V${py}`))
    .join('')
}

/** The area between the ends of the intervals, there along the upper ends and back along the lower. */
function band(points: readonly HistoryPoint[], { x, y }: Axes): string {
  const ends = points.flatMap(({ at, interval }) => (interval ? [{ at, ...interval }] : []))
  const highs = ends.map(({ at, high }) => `${x(at)} ${y(high)}`)
  const lows = ends.map(({ at, low }) => `${x(at)} ${y(low)}`).reverse()
  return ends.length > 1 ? `M${[...highs, ...lows].join('L')}Z` : ''
}

/** Half of the height of a sign. */
const SIGN = 3.5

/** The signs, distinguished by their shape as well as their colour. */
const SHAPES: Readonly<Record<Mark['kind'], string>> = {
  bad: `m${-SIGN} ${-SIGN}h${2 * SIGN}l${-SIGN} ${2 * SIGN}z`,
  review: `m0 ${-SIGN}l${SIGN} ${SIGN}l${-SIGN} ${SIGN}l${-SIGN} ${-SIGN}z`,
  model: `m${-SIGN} ${-SIGN}h${2 * SIGN}v${2 * SIGN}h${-2 * SIGN}z`,
  identity: `m${-SIGN} 0a${SIGN} ${SIGN} 0 1 0 ${2 * SIGN} 0a${SIGN} ${SIGN} 0 1 0 ${-2 * SIGN} 0z`,
}

function drawMark({ at, kind }: Mark, { x }: Axes): string {
  return el('path', { class: `mark-${kind}`, d: `M${x(at)} ${BOTTOM - SIGN - 1}${SHAPES[kind]}` })
}
