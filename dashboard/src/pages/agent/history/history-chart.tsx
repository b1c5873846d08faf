import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { date, dateTime, number, tick } from '../../../messages/format.ts'
import { locale, t } from '../../../messages/index.ts'
import { type Axes, axesOf, drawHistory, HEIGHT, type HistoryData } from './drawing.ts'
import type { HistoryPoint, TimeSpan } from './load.ts'

const LABELS = { score: number, time: tick } as const

/** Less is a click that shook. */
const MARKED_MIN_PX = 8

/** The chart. The pointer shows the point that it is near to, and marks a part of the span. */
export function HistoryChart({
  data,
  onSelect,
}: {
  data: HistoryData
  onSelect: (span: TimeSpan) => void
}) {
  const { ref, width } = useWidth()
  const axes = useMemo(() => axesOf(data, width), [data, width])
  const markup = useMemo(() => drawHistory(data, axes, LABELS), [data, axes, locale.value])
  const pointed = useSignal<HistoryPoint | null>(null)
  const marking = usePointer(axes, {
    point(at) {
      pointed.value = at === null ? null : nearest(data.points, at)
    },
    select: onSelect,
  })
  return (
    <figure class="history">
      <figcaption class="history-point" aria-hidden="true">
        {pointed.value ? pointWords(pointed.value, data.points) : '\u00a0'}
      </figcaption>
      <div ref={ref} class="history-chart">
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={chartWords(data)}
          {...marking.handlers}
        >
          <g dangerouslySetInnerHTML={{ __html: markup }} />
          {pointed.value && <Pointed point={pointed.value} axes={axes} />}
          {marking.marked && <Marked {...marking.marked} />}
        </svg>
      </div>
    </figure>
  )
}

/** The width of an element, followed. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  useLayoutEffect(() => {
    const measure = () => {
      width.value = ref.current?.clientWidth ?? 0
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (ref.current) {
      observer.observe(ref.current)
    }
    return () => observer.disconnect()
  }, [width])
  return { ref, width: width.value }
}

/** Follows the pointer, and a part of the chart that it is drawn over. */
function usePointer(
  { timeAt }: Axes,
  { point, select }: { point: (at: number | null) => void; select: (span: TimeSpan) => void },
) {
  const began = useRef<number | null>(null)
  const marked = useSignal<{ readonly from: number; readonly to: number } | null>(null)
  const leave = () => {
    began.current = null
    marked.value = null
    point(null)
  }
  const handlers = {
    onPointerDown(event: PointerEvent & { readonly currentTarget: Element }) {
      event.currentTarget.setPointerCapture(event.pointerId)
      began.current = event.offsetX
    },
    onPointerMove({ offsetX }: PointerEvent) {
      point(timeAt(offsetX))
      const start = began.current
      if (start !== null) {
        marked.value = { from: Math.min(start, offsetX), to: Math.max(start, offsetX) }
      }
    },
    onPointerUp() {
      const part = marked.value
      leave()
      if (part && part.to - part.from >= MARKED_MIN_PX) {
        select({ from: timeAt(part.from), to: timeAt(part.to) })
      }
    },
    onPointerCancel: leave,
    onPointerLeave: leave,
  }
  return { handlers, marked: marked.value }
}

function Pointed({ point: { at, score }, axes: { x, y } }: { point: HistoryPoint; axes: Axes }) {
  return (
    <>
      <line class="history-pointer" x1={x(at)} x2={x(at)} y1={0} y2="88%" />
      {score !== null && <circle class="history-dot" cx={x(at)} cy={y(score)} r={3.5} />}
    </>
  )
}

function Marked({ from, to }: { from: number; to: number }) {
  return <rect class="history-marked" x={from} y={0} width={to - from} height="88%" />
}

function nearest(points: readonly HistoryPoint[], at: number): HistoryPoint | null {
  const distance = (point: HistoryPoint) => Math.abs(point.at - at)
  return points.reduce<HistoryPoint | null>(
    (best, point) => (best && distance(best) <= distance(point) ? best : point),
    null,
  )
}

/** What the pointer is at: when, the score, and what changed it. */
function pointWords(
  { at, score, interval }: HistoryPoint,
  points: readonly HistoryPoint[],
): string {
  const { eventTypes, tiers } = t.value
  const trigger = points.find((point) => point.at === at && point.trigger)?.trigger
  return [
    dateTime(at),
    score !== null && number(score),
    trigger && eventTypes[trigger.type],
    interval && tiers.between(number(interval.low), number(interval.high)),
  ]
    .filter(Boolean)
    .join(' · ')
}

function chartWords({ points, span }: HistoryData): string {
  const scores = points.flatMap(({ score }) => score ?? [])
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  return t.value.history.chart(date(span.from), date(span.to), number(low), number(high))
}
