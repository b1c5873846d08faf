import { listEvents } from '../../../api/events.ts'
import { useResource } from '../../../api/resource.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { date, money, number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { dataWords } from '../../agent/events/event-data.ts'

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
  const { payments } = agent
  return (
    <dl class="facts">
      <dt>{texts.registered}</dt>
      <dd>{date(agent.registeredAt)}</dd>
      <dt>{texts.counted}</dt>
      <dd>{number(agent.events)}</dd>
      <dt>{texts.quarantinedNow}</dt>
      <dd>{number(agent.quarantined)}</dd>
      <dt>{texts.daysActive}</dt>
      <dd>{number(agent.daysActive)}</dd>
      <dt>{texts.usualPerDay}</dt>
      <dd>{number(agent.usualPerDay, 1)}</dd>
      <dt>{texts.payments}</dt>
      <dd>
        {payments.count === 0
          ? t.value.common.none
          : texts.paymentsWords(number(payments.count), money(payments.usualUsd, 'USD'))}
      </dd>
      <dt>{texts.platforms}</dt>
      {agent.platforms.length === 0 && <dd>{t.value.common.none}</dd>}
      {agent.platforms.map(({ good, bad, days }, i) => (
        <dd key={i}>{texts.platformWords(number(good), number(bad), number(days))}</dd>
      ))}
    </dl>
  )
}

function ReporterFacts({ item: { reporterRecord } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  if (reporterRecord === null) {
    return <p class="quiet">{texts.noRecord}</p>
  }
  const { agreement, total, quarantined, released, upheld } = reporterRecord
  return (
    <dl class="facts">
      <dt>{texts.agreement}</dt>
      <dd>{share(agreement, 1)}</dd>
      <dt>{texts.total}</dt>
      <dd>{number(total)}</dd>
      <dt>{texts.quarantined}</dt>
      <dd>{number(quarantined)}</dd>
      <dt>{texts.released}</dt>
      <dd>{number(released)}</dd>
      <dt>{texts.upheld}</dt>
      <dd>{number(upheld)}</dd>
    </dl>
  )
}

const SIMILAR = 5

function Similar({ item }: { item: ReviewItem }) {
  const { reviews: texts, events } = t.value
  const { agentId, type, id } = item
  const similar = useResource(`events:${agentId}:similar:${type}`, (signal) =>
    listEvents(agentId, { type, limit: SIMILAR + 1 }, undefined, signal),
  )
  const rows = similar.data?.data.filter((one) => one.id !== id).slice(0, SIMILAR) ?? []
  return (
    <section>
      <h3>{texts.similarTitle}</h3>
      {similar.data && rows.length === 0 && <p class="quiet">{t.value.common.none}</p>}
      <ul class="plain-list similar">
        {rows.map((event) => (
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
    </section>
  )
}
