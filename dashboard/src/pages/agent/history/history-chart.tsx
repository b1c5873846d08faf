import { useSignal } from '@preact/signals'
import { TIERS } from '@standing/design/tier.ts'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { date, dateTime, number, tick } from '../../../messages/format.ts'
import { locale, t } from '../../../messages/index.ts'
import { onThemeChange } from '../../../ui/theme.ts'
import type { HistoryPoint, TimeSpan } from './load.ts'
import { columnsOf, marksOf, rangeOf } from './series.ts'

const LABELS = { score: number, time: tick } as const

/** The chart, made again when its data or the language changes, drawn again when the theme does. */
export function HistoryChart({
  points,
  span,
  isSampled,
  onSelect,
}: {
  points: readonly HistoryPoint[]
  span: TimeSpan
  isSampled: boolean
  onSelect: (span: TimeSpan) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const pointed = useSignal<number | null>(null)
  const columns = columnsOf(points)
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    // The chart's code comes with the first chart.
    void import('./chart.ts').then(({ createChart }) => {
      const at = place.current
      if (isGone || !at) {
        return
      }
      const chart = createChart(at, {
        columns,
        marks: marksOf(points),
        span,
        range: rangeOf(columns),
        tiers: TIERS,
        labels: LABELS,
        isSampled,
        onSelect,
        onPoint: (index) => {
          pointed.value = index
        },
      })
      const stopFollowing = followWidth(at, chart)
      const stopWatching = onThemeChange(() => chart.redraw(false))
      stop = () => {
        stopFollowing()
        stopWatching()
        chart.destroy()
        at.replaceChildren()
      }
    })
    return () => {
      isGone = true
      stop()
    }
  }, [points.length, points.at(-1)?.score, span.from, span.to, locale.value])
  return (
    <figure class="history">
      <figcaption class="history-point" aria-hidden="true">
        {pointed.value === null ? '\u00a0' : pointWords(columns, pointed.value, points)}
      </figcaption>
      <div ref={place} class="history-chart" role="img" aria-label={chartWords(points, span)} />
    </figure>
  )
}

function followWidth(place: HTMLElement, chart: uPlot): () => void {
  const observer = new ResizeObserver(() => {
    if (place.clientWidth !== chart.width) {
      chart.setSize({ width: place.clientWidth, height: chart.height })
    }
  })
  observer.observe(place)
  return () => observer.disconnect()
}

/** What the pointer is at: when, the score, and what changed it. */
function pointWords(
  [times, scores, lows, highs]: ReturnType<typeof columnsOf>,
  index: number,
  points: readonly HistoryPoint[],
): string {
  const at = (times[index] ?? 0) * 1000
  const trigger = points.find((point) => point.at === at && point.trigger)?.trigger
  const { eventTypes, tiers } = t.value
  const [score, low, high] = [scores[index], lows[index], highs[index]]
  return [
    dateTime(at),
    score == null ? null : number(score),
    trigger ? eventTypes[trigger.type] : null,
    low != null && high != null ? tiers.between(number(low), number(high)) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

function chartWords(points: readonly HistoryPoint[], span: TimeSpan): string {
  const scores = points.flatMap(({ score }) => score ?? [])
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  return t.value.history.chart(date(span.from), date(span.to), number(low), number(high))
}
