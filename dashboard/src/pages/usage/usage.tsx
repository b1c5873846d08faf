import { listAgents } from '../../api/agents.ts'
import { ownSelf } from '../../api/auth.ts'
import { quota } from '../../api/client.ts'
import { useWholeList } from '../../api/list.ts'
import { useResource } from '../../api/resource.ts'
import type { Account, Agent } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Facts } from '../../ui/facts.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Meter } from './meter.tsx'

/** What the tier allows, and how much of it is used. */
export function Usage() {
  const { usage: texts } = t.value
  const owner = useResource('owner', ownSelf)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Loaded of={owner} rows={4}>
        {(data) => <OfOwner owner={data} />}
      </Loaded>
    </>
  )
}

function OfOwner({ owner: { tier, limits } }: { owner: Account }) {
  const { usage: texts, serviceTiers, session } = t.value
  const agents = useWholeList<Agent>('agents', listAgents)
  const requests = quota.value
  return (
    <>
      <Facts
        of={[
          [
            session.tier,
            <>
              {serviceTiers[tier]} <span class="quiet">{texts.tierAsk}</span>
            </>,
          ],
        ]}
      />
      <div class="meters">
        <Loaded of={agents} rows={2}>
          {({ rows }) => (
            <Meter
              label={texts.agentsInUse}
              used={rows.filter(({ status }) => status !== 'deactivated').length}
              limit={limits.agents}
            />
          )}
        </Loaded>
        {requests ? (
          <Meter
            label={texts.requests}
            used={requests.limit - requests.remaining}
            limit={requests.limit}
          />
        ) : (
          <Allowance label={texts.requests} limit={limits.requestsPerMinute} />
        )}
        <Allowance label={texts.lookups} limit={limits.lookupsPerMonth} hint={texts.lookupsHint} />
        <Allowance
          label={texts.eventsTitle}
          limit={limits.eventsPerAgentHour}
          hint={texts.eventsHint}
        />
      </div>
    </>
  )
}

/** A limit of which the service does not say how much is used. What its hint explains applies only where there is one. */
function Allowance({ label, limit, hint }: { label: string; limit: number | null; hint?: string }) {
  return (
    <section class="meter">
      <h2>{label}</h2>
      <p class="meter-figure">{limit === null ? t.value.usage.unlimited : number(limit)}</p>
      {limit !== null && hint && <p class="quiet">{hint}</p>}
    </section>
  )
}
