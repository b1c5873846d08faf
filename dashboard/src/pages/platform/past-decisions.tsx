import { listDecisions } from '../../api/decisions.ts'
import { useList } from '../../api/list.ts'
import type { PastDecision } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Listing } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { rememberAgent } from '../../ui/recent.ts'
import { Said } from '../../ui/said.tsx'
import { Time } from '../../ui/time.tsx'

/** The platform's programs go on asking while this is looked at. */
const POLL_MS = 10_000

/** The decisions that the platform requested, by any API. */
export function PastDecisions() {
  const { decide: texts, policies, agent, events } = t.value
  const list = useList<PastDecision>('decisions', listDecisions, { freshMs: 0, pollMs: POLL_MS })
  return (
    <Section title={texts.asked} lead={texts.askedLead}>
      <Listing
        of={list}
        skeleton={6}
        none={texts.askedNone}
        noneText={texts.askedNoneText}
        columns={[
          texts.agent,
          policies.verdict,
          texts.reasons,
          { number: agent.scoreTitle },
          texts.byPolicy,
          texts.via,
          { number: events.when },
        ]}
      >
        {(decision) => <DecisionRow decision={decision} />}
      </Listing>
    </Section>
  )
}

function DecisionRow({ decision: one }: { decision: PastDecision }) {
  const { decide: texts, policies, service } = t.value
  return (
    <tr>
      <th scope="row" class="cell-long">
        {one.agent ? (
          <AgentLink agent={one.agent} />
        ) : (
          (one.identifier ?? <span class="quiet">{texts.unnamed}</span>)
        )}
      </th>
      <td class={`verdict-${one.decision}`}>{policies.verdicts[one.decision]}</td>
      <td>
        <ul class="plain-list">
          {one.reasons.map(({ code, message }) => (
            <li key={code}>
              <Said words={service.decisions[code]} text={message} />
            </li>
          ))}
        </ul>
      </td>
      <td class="number">{one.score === null ? '–' : number(one.score)}</td>
      <td>{one.policy ?? '–'}</td>
      <td>{texts.ways[one.via]}</td>
      <td class="number quiet">
        <Time at={one.createdAt} />
      </td>
    </tr>
  )
}

/** The agent's page has its name from here: a platform may read its score alone. */
function AgentLink({ agent: { id, displayName } }: { agent: NonNullable<PastDecision['agent']> }) {
  return (
    <a href={to.agent('platform', id)} onClick={() => rememberAgent({ id, name: displayName })}>
      {displayName}
    </a>
  )
}
