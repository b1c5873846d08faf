// Only types of the dashboard: code that this file shared with the entry would become a file of its own.
import type { TierRange } from '@standing/design/tier.ts'
import uPlot from 'uplot'
import type { TickUnit } from '../../../messages/format.ts'
import type { TimeSpan } from './load.ts'
import type { Columns, Mark } from './series.ts'

export interface ChartOptions {
  readonly columns: Columns
  readonly marks: readonly Mark[]
  readonly span: TimeSpan
  /** The part of 0 to 1000 that is shown, and the tiers that begin in it or not. */
  readonly range: readonly [low: number, high: number]
  readonly tiers: readonly TierRange[]
  /** What the axes say, in the reader's language. */
  readonly labels: {
    score(score: number): string
    time(at: number, unit: TickUnit): string
  }
  /** Between points that were only sampled nothing is known: the line is straight, not stepped. */
  readonly isSampled: boolean
  /** A part of the span was marked with the pointer. */
  onSelect(span: TimeSpan): void
  /** The point nearest to the pointer, by its place in the columns. */
  onPoint(index: number | null): void
}

const HEIGHT = 240

/** The line with its band. Colours are the tokens', read each time it is drawn. */
export function createChart(place: HTMLElement, options: ChartOptions): uPlot {
  const { columns, span, labels, onSelect, onPoint } = options
  const { colour, forget } = coloursOf(place)
  const font = `11px ${getComputedStyle(place).fontFamily}`
  const of = (token: string) => () => colour(token)
  const axis = { stroke: of('quiet'), font, ticks: { stroke: of('n4'), size: 4 } }
  const stepped = options.isSampled ? undefined : uPlot.paths.stepped?.({ align: 1 })
  const line = { spanGaps: true, points: { show: false } }
  const quiet = { ...line, stroke: 'transparent', width: 0 }
  const chart: uPlot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
      scales: {
        x: { time: true, range: [span.from / 1000, span.to / 1000] },
        y: { range: [...options.range] },
      },
      series: [
        {},
        {
          ...line,
          stroke: of('accent'),
          width: 1.75,
          ...(stepped ? { paths: stepped } : {}),
        },
        quiet,
        quiet,
      ],
      bands: [{ series: [3, 2], fill: () => colour('accent').replace(')', ' / 16%)') }],
      axes: [
        { ...axis, size: 28, grid: { show: false }, values: timeLabels(labels) },
        {
          ...axis,
          size: 44,
          values: (_u, splits) => splits.map(labels.score),
          grid: { stroke: of('n2'), width: 1 },
          ticks: { show: false },
        },
      ],
      hooks: {
        drawClear: [forget],
        draw: [(u) => drawBorders(u, options, colour), (u) => drawMarks(u, options.marks, colour)],
        setCursor: [(u) => onPoint(u.cursor.idx ?? null)],
        setSelect: [
          (u) => {
            if (u.select.width < MARKED_MIN_PX) {
              return
            }
            const at = (px: number) => Math.round(u.posToVal(px, 'x') * 1000)
            onSelect({ from: at(u.select.left), to: at(u.select.left + u.select.width) })
          },
        ],
      },
    },
    columns,
    place,
  )
  return chart
}

/** Less is a click that shook. */
const MARKED_MIN_PX = 8

type ColourOf = (token: string) => string

/** Canvas takes no custom properties: a probe has the browser work out each of them. */
function coloursOf(place: HTMLElement): { colour: ColourOf; forget: () => void } {
  const probe = document.createElement('span')
  place.append(probe)
  const known = new Map<string, string>()
  const colour = (token: string) => {
    const before = known.get(token)
    if (before) {
      return before
    }
    probe.style.color = `var(--${token})`
    const value = getComputedStyle(probe).color
    known.set(token, value)
    return value
  }
  return { colour, forget: () => known.clear() }
}

/** Where one tier ends and the next begins, as dashed lines. */
function drawBorders(u: uPlot, { range, tiers }: ChartOptions, colour: ColourOf): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.lineWidth = devicePixelRatio
  const [low, high] = range
  for (const { tier, min } of tiers.filter(({ min }) => min > low && min < high)) {
    const y = Math.round(u.valToPos(min, 'y', true))
    ctx.strokeStyle = colour(`tier-${tier}`)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

/** Signs on the base line, distinguished by their shape. */
function drawMarks(u: uPlot, marks: readonly Mark[], colour: ColourOf): void {
  const { ctx, bbox } = u
  const size = 3.5 * devicePixelRatio
  const y = bbox.top + bbox.height - size - devicePixelRatio
  ctx.save()
  for (const { at, kind } of marks) {
    const x = u.valToPos(at / 1000, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) {
      continue
    }
    ctx.fillStyle = colour(kind === 'bad' ? 'tier-untrusted' : 'quiet')
    ctx.fill(shapeOf(kind, x, y, size))
  }
  ctx.restore()
}

function shapeOf(kind: Mark['kind'], x: number, y: number, size: number): Path2D {
  const path = new Path2D()
  switch (kind) {
    case 'bad':
      path.moveTo(x - size, y - size)
      path.lineTo(x + size, y - size)
      path.lineTo(x, y + size)
      break
    case 'review':
      path.moveTo(x, y - size)
      path.lineTo(x + size, y)
      path.lineTo(x, y + size)
      path.lineTo(x - size, y)
      break
    case 'model':
      path.rect(x - size, y - size, 2 * size, 2 * size)
      break
    case 'identity':
      path.arc(x, y, size, 0, 2 * Math.PI)
      break
  }
  path.closePath()
  return path
}

const DAY_SECONDS = 86_400

/** Times on the axis, by their distance. */
function timeLabels({ time }: ChartOptions['labels']): uPlot.Axis.DynamicValues {
  return (_u, splits, _axis, _space, step) => {
    const unit = step >= 28 * DAY_SECONDS ? 'month' : step >= DAY_SECONDS ? 'day' : 'hour'
    return splits.map((at) => time(at * 1000, unit))
  }
}
