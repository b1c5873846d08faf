import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useResource } from '../../../api/resource.ts'
import { DAY_MS, HOUR_MS } from '../../../durations.ts'
import { number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { optionsOf } from '../../../ui/field.tsx'
import { Section } from '../../../ui/page.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Failure, Skeleton } from '../../../ui/states.tsx'
import { Twin } from '../../../ui/twin.tsx'
import type { AgentView } from '../data.ts'
import { HistoryChart } from './history-chart.tsx'
import { HistoryTable } from './history-table.tsx'
import { type HistoryPoint, readHistory, type TimeSpan } from './load.ts'
import { type Mark, marksOf } from './series.ts'

const RANGES = { month: 30, quarter: 90, year: 365, all: null } as const
type Range = keyof typeof RANGES

/** The past changes only by reviews: it is read once a visit. */
const FRESH_MS = 10 * 60_000

/** How the score moved, over a span that can be marked in the chart. */
export function History({ view }: { view: AgentView }) {
  const { history: texts } = t.value
  const range = useSignal<Range>('quarter')
  const marked = useSignal<TimeSpan | null>(null)
  const whole = useWholeSpan(view, range.value)
  const span = marked.value ?? whole
  // A platform reads its own reports alone, which would be no picture of the agent.
  const hasEvents = view.kind !== 'platform'
  const key = `${view.id}:${span.from}:${span.to}`
  const read = useResource(
    `history:${key}`,
    (signal) => readHistory(view.id, span, hasEvents, signal),
    {
      freshMs: FRESH_MS,
    },
  )
  const points = withNow(read.data?.points ?? [], view, span)
  return (
    <Section
      title={texts.title}
      aside={
        <Segmented
          label={texts.rangeLabel}
          value={marked.value ? ('' as Range) : range.value}
          options={optionsOf(Object.keys(RANGES) as Range[], texts.ranges)}
          onValue={(value) => {
            marked.value = null
            range.value = value
          }}
        />
      }
    >
      {read.error !== undefined && !read.data ? (
        <Failure error={read.error} retry={read.reload} />
      ) : !read.data ? (
        <Skeleton rows={1} height="270px" />
      ) : points.every(({ score }) => score === null || score === points[0]?.score) ? (
        <p class="quiet">{texts.empty}</p>
      ) : (
        <Drawing
          points={points}
          span={span}
          isSampled={read.data.isSampled}
          onSelect={(next) => {
            marked.value = next
          }}
        />
      )}
    </Section>
  )
}

function Drawing(props: {
  points: readonly HistoryPoint[]
  span: TimeSpan
  isSampled: boolean
  onSelect: (span: TimeSpan) => void
}) {
  const { history: texts } = t.value
  const { points, isSampled } = props
  return (
    <>
      <HistoryChart {...props} />
      <p class="quiet strip-note">
        {isSampled ? texts.sampled(number(points.length)) : texts.zoomHint}
        <Legend points={points} />
      </p>
      <Twin>{() => <HistoryTable points={points} />}</Twin>
    </>
  )
}

/** What the signs on the base line are, those that there are. */
function Legend({ points }: { points: readonly HistoryPoint[] }) {
  const kinds = new Set(marksOf(points).map(({ kind }) => kind))
  return (
    <span class="history-legend">
      {[...kinds].map((kind) => (
        <span key={kind}>
          <span class={`mark-${kind}`} aria-hidden="true">
            {SIGNS[kind]}
          </span>{' '}
          {t.value.history.marks[kind]}
        </span>
      ))}
    </span>
  )
}

/** As chart.ts draws them. */
const SIGNS: Readonly<Record<Mark['kind'], string>> = {
  bad: '▼',
  review: '◆',
  model: '■',
  identity: '●',
}

/** The span of a range, up to the next full hour: within the hour it is the same, and read once. */
function useWholeSpan({ agent }: AgentView, range: Range): TimeSpan {
  const to = useMemo(() => Math.ceil(Date.now() / HOUR_MS) * HOUR_MS, [])
  const registeredAt = agent.data ? Date.parse(agent.data.createdAt) : null
  const days = RANGES[range]
  const long = to - (days ?? RANGES.year) * DAY_MS
  return { from: days === null && registeredAt !== null ? registeredAt : long, to }
}

/** The line extends to the current time: time changes a score, too. */
function withNow(
  points: readonly HistoryPoint[],
  { score }: AgentView,
  span: TimeSpan,
): readonly HistoryPoint[] {
  const last = points.at(-1)
  const now = Date.now()
  if (!score.data || !last || span.to < now) {
    return points
  }
  const { score: value, interval } = score.data
  return [...points, { at: Math.max(now, last.at + 1), score: value, interval, trigger: null }]
}
