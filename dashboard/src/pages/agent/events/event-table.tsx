import type { TrustEvent } from '../../../api/types.ts'
import { dateTime, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { ExpandableRow } from '../../../ui/expandable-row.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { ReporterName } from '../names.tsx'
import { dataWords } from './event-data.ts'

export function EventTable({ events }: { events: readonly TrustEvent[] }) {
  const { events: texts } = t.value
  return (
    <table class="event-table">
      <thead>
        <tr>
          <th scope="col">{texts.type}</th>
          <th scope="col">{texts.data}</th>
          <th scope="col">{texts.reporter}</th>
          <th scope="col" class="number">
            {texts.when}
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </tbody>
    </table>
  )
}

function EventRow({ event }: { event: TrustEvent }) {
  const { events: texts, eventTypes } = t.value
  const isGood = event.impact === 'positive'
  return (
    <ExpandableRow
      class={event.isQuarantined ? 'is-quarantined' : ''}
      columns={4}
      head={
        <>
          {event.impact !== 'neutral' && (
            <span class={isGood ? 'impact impact-good' : 'impact impact-bad'}>
              <Icon name={isGood ? 'check' : 'cross'} size={12} />
              <span class="visually-hidden">{isGood ? texts.good : texts.bad}: </span>
            </span>
          )}
          {eventTypes[event.type]}
          {event.isQuarantined && <span class="tag">{texts.quarantined}</span>}
        </>
      }
      cells={
        <>
          <td class="cell-data">{dataWords(event)}</td>
          <td>
            <ReporterName reporter={event.reporter} />
          </td>
          <td class="number quiet">
            <Time at={event.createdAt} />
          </td>
        </>
      }
    >
      {() => <EventDetails event={event} />}
    </ExpandableRow>
  )
}

export function EventDetails({ event }: { event: TrustEvent }) {
  const { events: texts, common } = t.value
  return (
    <div class="event-details">
      <Facts
        of={[
          [common.id, <code>{event.id}</code>],
          [texts.occurred, dateTime(event.occurredAt)],
          [texts.received, dateTime(event.createdAt)],
          [
            texts.weight,
            [number(event.weight * event.share, 2), event.attestationVerified ? texts.attested : []]
              .flat()
              .join(', '),
          ],
          event.externalId && [texts.externalId, <code>{event.externalId}</code>],
        ]}
      />
      <pre>{JSON.stringify(event.data, null, 2)}</pre>
    </div>
  )
}
