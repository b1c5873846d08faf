import { useRef } from 'preact/hooks'
import { listAgents } from '../../api/agents.ts'
import { AGENTS_MAX } from '../../api/limits.ts'
import { useWholeList } from '../../api/list.ts'
import type { Agent } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { isTestMode } from '../../session/mode.ts'
import { may } from '../../session/rights.ts'
import { session } from '../../session/session.ts'
import { useCreating } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { useScrollPosition } from '../../ui/scroll-position.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Loaded } from '../../ui/states.tsx'
import { Offers } from '../transfers/offers.tsx'
import { AgentFilters } from './filters.tsx'
import { FirstAgent } from './first-agent.tsx'
import { filterAgents } from './order.ts'
import { RegisterDialog } from './register.tsx'
import { AgentRows } from './rows.tsx'
import { useScores } from './scores.ts'

/** The owner's agents: all of them, found by name, tier and status. */
export function Agents() {
  const texts = t.value.agents
  const list = useWholeList<Agent>('agents', listAgents)
  const search = useRef<HTMLInputElement>(null)
  const query = useQuery()
  const rows = list.data?.rows ?? []
  const shown = useRef<readonly Agent[]>([])
  const scores = useScores(rows, shown)
  useScrollPosition(rows.length > 0)
  const registering = useCreating('register', texts.register, may('manage'))
  useShortcut('/', t.value.shortcuts.search, () => search.current?.focus())
  const filter = {
    text: query.get('q'),
    tier: query.get('tier'),
    status: query.get('status'),
    sort: query.get('sort'),
  }
  shown.current = filterAgents(rows, scores, filter)
  return (
    <>
      <PageHead
        title={texts.title}
        lead={list.data && <Count isWhole={!list.more} rows={rows} />}
        needs="manage"
      >
        {rows.length > 0 && registering.button}
      </PageHead>
      {!isTestMode.value && <Offers />}
      <Loaded of={list} rows={8}>
        {() =>
          rows.length === 0 ? (
            <FirstAgent />
          ) : (
            <>
              <AgentFilters ref={search} filter={filter} set={query.set} />
              <AgentRows agents={shown.current} scores={scores} />
            </>
          )
        }
      </Loaded>
      {registering.isOpen && <RegisterDialog onClose={registering.close} />}
    </>
  )
}

function Count({ isWhole, rows }: { isWhole: boolean; rows: readonly Agent[] }) {
  const texts = t.value.agents
  if (!isWhole) {
    return <>{texts.loadingMore(number(rows.length))}</>
  }
  const who = session.value
  // The limits of test data are those of the Free tier in every tier.
  const tier = who?.kind !== 'owner' ? null : isTestMode.value ? 'free' : who.owner.tier
  const max = tier && AGENTS_MAX[tier]
  if (max === null) {
    return <>{texts.count(number(rows.length), rows.length)}</>
  }
  const inUse = rows.filter(({ status }) => status !== 'deactivated').length
  return <>{texts.ofMax(number(inUse), number(max))}</>
}
