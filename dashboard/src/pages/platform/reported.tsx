import { listReported } from '../../api/events.ts'
import { useList } from '../../api/list.ts'
import { EVENT_TYPES, type TrustEvent } from '../../api/types.ts'
import { shortId } from '../../ids.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { optionsOf, SelectField } from '../../ui/field.tsx'
import { FindAgent } from '../../ui/find-agent.tsx'
import { Listing } from '../../ui/listing.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { recentAgents } from '../../ui/recent.ts'
import { quarantineReason } from '../../ui/said.tsx'
import { Time } from '../../ui/time.tsx'
import { dataWords } from '../agent/events/event-data.ts'

/** What the platform has reported about any agent, and a way to each of them. */
export function Reported() {
  const { reported: texts, events, eventTypes, common } = t.value
  const query = useQuery()
  const filter = { type: query.get('type'), quarantined: query.get('quarantined') && 'true' }
  const list = useList<TrustEvent>(`reported:${JSON.stringify(filter)}`, listReported(filter))
  const isFiltered = filter.type !== '' || filter.quarantined !== ''
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <FindAgent kind="platform" />
      <Section title={texts.list}>
        <div class="filters">
          <SelectField
            isBare
            label={events.type}
            value={filter.type}
            options={[{ value: '', label: events.allTypes }, ...optionsOf(EVENT_TYPES, eventTypes)]}
            onValue={(type) => query.set({ type })}
          />
          <SelectField
            isBare
            label={common.status}
            value={query.get('quarantined')}
            options={[
              { value: '', label: texts.countedOrQuarantined },
              { value: 'quarantined', label: events.quarantined },
            ]}
            onValue={(quarantined) => query.set({ quarantined })}
          />
        </div>
        <Listing
          of={list}
          skeleton={8}
          none={isFiltered ? texts.noneOfFilter : texts.none}
          noneText={isFiltered ? undefined : texts.noneText}
          columns={[events.type, events.data, texts.agent, { number: events.when }]}
        >
          {(event) => <ReportRow event={event} />}
        </Listing>
      </Section>
    </>
  )
}

function ReportRow({ event }: { event: TrustEvent }) {
  const { events, eventTypes } = t.value
  return (
    <tr>
      <th scope="row">
        {eventTypes[event.type]}{' '}
        {event.isQuarantined && (
          <span class="tag" title={quarantineReason(event)}>
            {events.quarantined}
          </span>
        )}
      </th>
      <td class="cell-data">{dataWords(event)}</td>
      <td>
        <a class="mono" href={to.agent('platform', event.agentId)} title={event.agentId}>
          {nameOf(event.agentId)}
        </a>
      </td>
      <td class="number quiet">
        <Time at={event.createdAt} />
      </td>
    </tr>
  )
}

/** The service names an agent to those who may read it: for a platform, those that it has opened. */
function nameOf(id: string): string {
  return recentAgents().find((agent) => agent.id === id)?.name ?? shortId(id)
}
