import { listAgents } from '../../api/agents.ts'
import { ownSelf } from '../../api/auth.ts'
import { quota } from '../../api/client.ts'
import { TIER_LIMITS } from '../../api/limits.ts'
import { useWholeList } from '../../api/list.ts'
import { useResource } from '../../api/resource.ts'
import type { Agent, Owner } from '../../api/types.ts'
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

function OfOwner({ owner }: { owner: Owner }) {
  const { usage: texts, serviceTiers, session } = t.value
  const limits = TIER_LIMITS[owner.tier]
  const agents = useWholeList<Agent>('agents', listAgents)
  const requests = quota.value
  return (
    <>
      <Facts
        of={[
          [
            session.tier,
            <>
              {serviceTiers[owner.tier]} <span class="quiet">{texts.tierAsk}</span>
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
          <section class="meter">
            <h2>{texts.requests}</h2>
            <p class="quiet">{texts.noLimits}</p>
          </section>
        )}
        <section class="meter">
          <h2>{texts.lookups}</h2>
          <p class="meter-figure">
            {limits.lookupsPerMonth === null ? texts.unlimited : number(limits.lookupsPerMonth)}
          </p>
          <p class="quiet">{texts.lookupsHint}</p>
        </section>
        <section class="meter">
          <h2>{texts.eventsTitle}</h2>
          <p class="meter-figure">{number(EVENTS_PER_HOUR)}</p>
          <p class="quiet">{texts.eventsHint}</p>
        </section>
      </div>
    </>
  )
}

/** Of one reporter about one agent (interface, Event ingestion). */
const EVENTS_PER_HOUR = 100
