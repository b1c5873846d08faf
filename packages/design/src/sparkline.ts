import { clamp, el, picture, round } from './svg.ts'

export interface SparkPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly score: number
}

const WIDTH = 96
const HEIGHT = 20
const MARGIN = 3

/** So many points of difference fill the height at least: noise is not to look like news. */
const SPAN_MIN = 60

/** How the score moved, oldest first: steps, because a score stays until something changes it. */
export function drawSparkline(points: readonly SparkPoint[], words: string | null): string {
  const first = points[0]
  const last = points.at(-1)
  const frame = {
    class: 'sparkline',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
  }
  if (!first || !last) {
    return picture(frame, words)
  }
  const { x, y } = place(points, first.at, last.at)
  const steps = points.map(({ at, score }, i) => (i === 0 ? '' : `H${x(at)}V${y(score)}`)).join('')
  return picture(
    frame,
    words,
    el('path', { class: 'spark-line', d: `M${x(first.at)} ${y(first.score)}${steps}` }),
    el('circle', { class: 'spark-now', cx: x(last.at), cy: y(last.score), r: 2.2 }),
  )
}

function place(points: readonly SparkPoint[], from: number, to: number) {
  const scores = points.map(({ score }) => score)
  const middle = (Math.min(...scores) + Math.max(...scores)) / 2
  const span = Math.max(SPAN_MIN, Math.max(...scores) - Math.min(...scores))
  const share = (at: number) => (to > from ? clamp((at - from) / (to - from), 0, 1) : 1)
  return {
    x: (at: number) => round(MARGIN + share(at) * (WIDTH - 2 * MARGIN)),
    y: (score: number) => round(HEIGHT / 2 - ((score - middle) / span) * (HEIGHT - 2 * MARGIN)),
  }
}
