import { listEvents } from '../../../api/events.ts'
import { useResource } from '../../../api/resource.ts'
import type { ReviewItem, TrustEvent } from '../../../api/types.ts'
import { date, money, number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { dataWords } from '../../agent/events/event-data.ts'

type AgentRecord = NonNullable<ReviewItem['agent']>

/** What is usual for the agent, how the reporter has done, and other events of the type. */
export function ReviewContext({
  item,
  filter,
}: {
  item: ReviewItem
  filter: (values: Readonly<Record<string, string>>) => void
}) {
  const { reviews: texts } = t.value
  const isPlatform = item.reporter.kind === 'platform'
  return (
    <div class="review-context">
      <section>
        <h3>{texts.agentTitle}</h3>
        <AgentFacts item={item} />
        <button
          type="button"
          class="link"
          onClick={() => filter({ agent: item.agentId, event: '' })}
        >
          {texts.onlyAgent}
        </button>
      </section>
      <section>
        <h3>{texts.reporterTitle}</h3>
        <ReporterFacts item={item} />
        {isPlatform && (
          <button
            type="button"
            class="link"
            onClick={() => filter({ reporter: item.reporter.id, event: '' })}
          >
            {texts.onlyReporter}
          </button>
        )}
      </section>
      <Similar item={item} />
    </div>
  )
}

function AgentFacts({ item: { agent } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  if (agent === null) {
    return <p class="quiet">{texts.gone}</p>
  }
  const { payments, platforms } = agent
  const { none } = t.value.common
  return (
    <Facts
      of={[
        [texts.registered, date(agent.registeredAt)],
        [texts.counted, number(agent.events)],
        [texts.quarantinedNow, number(agent.quarantined)],
        [texts.daysActive, number(agent.daysActive)],
        [texts.usualPerDay, number(agent.usualPerDay, 1)],
        [
          texts.payments,
          payments.count === 0
            ? none
            : texts.paymentsWords(number(payments.count), money(payments.usualUsd, 'USD')),
        ],
        [texts.platforms, ...(platforms.length === 0 ? [none] : platforms.map(platformWords))],
      ]}
    />
  )
}

function platformWords({ good, bad, days }: AgentRecord['platforms'][number]): string {
  return t.value.reviews.platformWords(number(good), number(bad), number(days))
}

function ReporterFacts({ item: { reporterRecord } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  if (reporterRecord === null) {
    return <p class="quiet">{texts.noRecord}</p>
  }
  const { agreement, total, quarantined, released, upheld } = reporterRecord
  return (
    <Facts
      of={[
        [texts.agreement, share(agreement, 1)],
        [texts.total, number(total)],
        [texts.quarantined, number(quarantined)],
        [texts.released, number(released)],
        [texts.upheld, number(upheld)],
      ]}
    />
  )
}

const SIMILAR_MAX = 5

function Similar({ item }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  const { agentId, type, id } = item
  const similar = useResource(`events:${agentId}:similar:${type}`, (signal) =>
    listEvents(agentId, { type, limit: SIMILAR_MAX + 1 })(undefined, signal),
  )
  return (
    <section>
      <h3>{texts.similarTitle}</h3>
      <Loaded of={similar} rows={2}>
        {({ data }) => <SimilarList rows={data.filter((one) => one.id !== id)} />}
      </Loaded>
    </section>
  )
}

function SimilarList({ rows }: { rows: readonly TrustEvent[] }) {
  const { events, common } = t.value
  if (rows.length === 0) {
    return <p class="quiet">{common.none}</p>
  }
  return (
    <ul class="plain-list similar">
      {rows.slice(0, SIMILAR_MAX).map((event) => (
        <li key={event.id}>
          <span>
            <Icon name={event.impact === 'positive' ? 'check' : 'cross'} size={12} />{' '}
            {dataWords(event) || '–'}
            {event.isQuarantined && <span class="tag">{events.quarantined}</span>}
          </span>
          <span class="quiet">
            <Time at={event.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
