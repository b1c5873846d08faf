import type { ReviewItem } from '../../../api/types.ts'
import { dateTime } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Raw } from '../../../ui/raw.tsx'
import { dataWords } from '../../agent/events/event-data.ts'
import { AgentName, ReporterName } from '../../agent/names.tsx'
import { ReviewContext } from './context.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { Effect } from './effect.tsx'
import { Findings } from './findings.tsx'

/** One quarantined event: what is claimed, why it is quarantined, what is known beside it, and what follows. */
export function ReviewCase({
  item,
  filter,
  onDecided,
}: {
  item: ReviewItem
  filter: (values: Readonly<Record<string, string>>) => void
  onDecided: () => void
}) {
  const { reviews: texts, eventTypes } = t.value
  return (
    <article class="case">
      <header class="case-head">
        <div>
          <h2>
            {eventTypes[item.type]} <span class="case-data">{dataWords(item)}</span>
          </h2>
          <p class="quiet">
            <a href={to.agent('operator', item.agentId)}>
              <AgentName id={item.agentId} />
            </a>
            {' · '}
            <ReporterName reporter={item.reporter} />
            {' · '}
            <span>{texts.occurred(dateTime(item.occurredAt))}</span>
          </p>
        </div>
        <Raw path={`/v1/operator/reviews?agentId=${item.agentId}`} />
      </header>
      <Past item={item} />
      <Findings findings={item.findings} />
      <Effect item={item} />
      <ReviewContext item={item} filter={filter} />
      <DecisionBar item={item} onDecided={onDecided} />
    </article>
  )
}

/** An appeal, and what was decided before. */
function Past({ item: { review } }: { item: ReviewItem }) {
  const { reviews: texts, quarantined } = t.value
  if (!review) {
    return null
  }
  return (
    <>
      {review.decisions.map(({ decision, reason, decidedAt }) => (
        <p key={decidedAt}>
          <b>{quarantined.status[decision]}.</b> {reason}{' '}
          <span class="quiet">{dateTime(decidedAt)}</span>
        </p>
      ))}
      {review.appeal && (
        <blockquote class="appeal">
          <b>{texts.appealTitle}</b>
          <p>{review.appeal.statement}</p>
        </blockquote>
      )}
    </>
  )
}
