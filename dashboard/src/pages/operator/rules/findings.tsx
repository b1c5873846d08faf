import { useRoute } from 'preact-iso/router'
import { useList } from '../../../api/list.ts'
import { listFindings } from '../../../api/operator.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Listing } from '../../../ui/listing.tsx'
import { Crumb, PageHead } from '../../../ui/page.tsx'
import { Finding } from '../../../ui/said.tsx'
import { Time } from '../../../ui/time.tsx'
import { dataWords } from '../../agent/events/event-data.ts'
import { AgentName, ReporterName } from '../../agent/names.tsx'

/** What a rule found, quarantined or only noted: how a rule in shadow mode is judged. */
export function Findings() {
  const { rules: texts, events } = t.value
  const rule = useRoute().params.rule ?? ''
  const list = useList<ReviewItem>(`findings:${rule}`, listFindings(rule))
  return (
    <>
      <PageHead
        title={rule}
        lead={texts.foundLead}
        before={<Crumb href={to.rules()} label={texts.title} />}
      />
      <Listing
        of={list}
        skeleton={6}
        none={texts.noFindings}
        columns={[
          events.type,
          t.value.decide.agent,
          events.reporter,
          texts.foundWhy,
          { number: events.when },
        ]}
      >
        {(item) => <Found item={item} rule={rule} />}
      </Listing>
    </>
  )
}

function Found({ item, rule }: { item: ReviewItem; rule: string }) {
  const { eventTypes, events } = t.value
  const found = item.findings.find((finding) => finding.rule === rule)
  return (
    <tr>
      <th scope="row">
        {eventTypes[item.type]} <span class="quiet">{dataWords(item)}</span>{' '}
        {item.isQuarantined && <span class="tag">{events.quarantined}</span>}
      </th>
      <td class="cell-long">
        <a href={to.agent('operator', item.agentId)}>
          <AgentName id={item.agentId} />
        </a>
      </td>
      <td class="cell-long">
        <ReporterName reporter={item.reporter} />
      </td>
      <td>{found && <Finding {...found} />}</td>
      <td class="number">
        <Time at={item.createdAt} />
      </td>
    </tr>
  )
}
