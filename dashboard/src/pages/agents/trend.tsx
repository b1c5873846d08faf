import { drawSparkline } from '@standing/design/sparkline.ts'
import { useResource } from '../../api/resource.ts'
import { listSnapshots } from '../../api/scores.ts'
import type { Score } from '../../api/types.ts'
import { DAY_MS } from '../../durations.ts'
import { dateTime, number, signed } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { type Moment, scoresSince } from './since.ts'

/** One lookup for each agent looked at, so once is enough for a visit. */
const FRESH_MS = 30 * 60_000

const DAYS = 30
const POINTS_MAX = 100

/** How the score moved lately: the line, and the difference. Read for rows in sight alone. */
export function Trend({ id, score }: { id: string; score: Score | undefined }) {
  const texts = t.value.agents
  const { data } = useResource<readonly Moment[]>(
    score && score.eventCount > 0 ? `trend:${id}` : null,
    async (signal) => {
      const page = await listSnapshots(id, { limit: POINTS_MAX }, signal)
      return scoresSince([...page.data].reverse(), Date.now() - DAYS * DAY_MS)
    },
    { freshMs: FRESH_MS },
  )
  const first = data?.[0]
  const isKnown = score !== undefined && data !== undefined
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a cell of the list of agents */}
      <span role="cell" class="cell-trend">
        {isKnown && first && <Line snapshots={data} first={first} score={score} />}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a cell of the list of agents */}
      <span role="cell" class="cell-change number">
        {isKnown && first && (
          <span
            class={score.score === first.score ? 'quiet' : undefined}
            title={texts.changeSince(dateTime(first.createdAt))}
          >
            {signed(score.score - first.score)}
          </span>
        )}
        {score && score.eventCount > 0 && isKnown && !first && <span class="quiet">0</span>}
      </span>
    </>
  )
}

function Line({
  snapshots,
  first,
  score,
}: {
  snapshots: readonly Moment[]
  first: Moment
  score: Score
}) {
  const points = snapshots.map((one) => ({ at: Date.parse(one.createdAt), score: one.score }))
  const now = { at: Date.parse(score.computedAt), score: score.score }
  const since = dateTime(first.createdAt)
  const words = t.value.agents.trendWords(number(first.score), number(score.score), since)
  return <Drawn markup={drawSparkline([...points, now], words)} />
}
