import { useEffect, useRef } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { isUuid, shortId } from '../../ids.ts'
import { t } from '../../messages/index.ts'
import { type AgentTab, to } from '../../paths.ts'
import { useModeOf } from '../../session/enter.ts'
import { isTestId } from '../../session/mode.ts'
import { type Kind, session } from '../../session/session.ts'
import { Copy } from '../../ui/copy.tsx'
import { Crumb, PageHead } from '../../ui/page.tsx'
import { Raw } from '../../ui/raw.tsx'
import { recentName, rememberAgent } from '../../ui/recent.ts'
import { Failure, NotFound } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { AgentCredentials } from './credentials/credentials.tsx'
import { type AgentView, useAgentView } from './data.ts'
import { AgentEvents } from './events/events.tsx'
import { AgentIdentifiers } from './identifiers/identifiers.tsx'
import { Lineage } from './lineage.tsx'
import { useLive } from './live.ts'
import { Overview } from './overview.tsx'
import { Quarantined } from './quarantined/quarantined.tsx'
import { ReportButton } from './report.tsx'
import { AgentSettings } from './settings/settings.tsx'
import { SuspendButton } from './suspend.tsx'
import { AgentWebhooks } from './webhooks.tsx'

/** One agent, for its owner, for the operator and for a platform that reports about it. */
export function AgentPage() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const kind = session.value?.kind
  const isInMode = useModeOf(id)
  if (!kind || !isUuid(id)) {
    return <NotFound />
  }
  if (!isInMode) {
    return null
  }
  return <OfAgent key={id} id={id} kind={kind} tab={params.tab} />
}

const TABS: Readonly<Record<Kind, readonly AgentTab[]>> = {
  owner: ['events', 'quarantined', 'credentials', 'identifiers', 'webhooks', 'settings'],
  operator: ['events', 'quarantined', 'identifiers'],
  platform: ['events', 'identifiers'],
}

function OfAgent({ id, kind, tab }: { id: string; kind: Kind; tab: string | undefined }) {
  const view = useAgentView(kind, id)
  useLive(id)
  const { agent, score } = view
  const name =
    kind === 'platform' ? score.data && (recentName(id) ?? shortId(id)) : agent.data?.displayName
  useEffect(() => {
    if (name) {
      rememberAgent({ id, name })
    }
  }, [id, name])
  if (agent.error && !agent.data) {
    return <Failure isPage error={agent.error} retry={agent.reload} />
  }
  if (kind === 'platform' && score.error && !score.data) {
    return <Failure isPage error={score.error} retry={score.reload} />
  }
  const known = tab === undefined || TABS[kind].some((one) => one === tab)
  return (
    <>
      <Head view={view} />
      <Tabs view={view} />
      {known ? <Tab view={view} tab={tab as AgentTab | undefined} /> : <NotFound />}
    </>
  )
}

function Head({ view: { id, kind, agent, score } }: { view: AgentView }) {
  const { nav, agent: texts, testData } = t.value
  const back = { owner: to.agents(), operator: to.lookUp(), platform: to.reported() }[kind]
  const status = agent.data?.status ?? score.data?.status ?? 'active'
  const title = agent.data?.displayName ?? recentName(id) ?? id
  return (
    <>
      <PageHead
        title={title}
        before={<Crumb href={back} label={kind === 'platform' ? nav.reported : nav.agents} />}
        lead={
          <span class="agent-id">
            {isTestId(id) && <span class="test-mark">{testData.mark}</span>}
            {status !== 'active' && <Status name={status} />}
            {title !== id && <code>{id}</code>}
          </span>
        }
      >
        {kind === 'operator' && agent.data && <SuspendButton agent={agent.data} />}
        {kind === 'platform' && <ReportButton agentId={id} />}
        <Copy text={id} label={texts.copyId} />
        <Raw path={`/v1/agents/${id}/score`} />
      </PageHead>
      {agent.data && <Lineage agent={agent.data} kind={kind} />}
      {status === 'suspended' && <p class="banner banner-warn">{texts.suspended}</p>}
      {status === 'deactivated' && <p class="banner">{texts.deactivated}</p>}
    </>
  )
}

function Tabs({ view: { id, kind, score } }: { view: AgentView }) {
  const { path } = useLocation()
  const { agent: texts } = t.value
  const quarantined = score.data?.evidence.quarantined ?? 0
  const tabs = [undefined, ...TABS[kind]]
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a narrow screen the tab at hand may lie outside of it.
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && current) {
      const middle = current.offsetLeft - nav.current.offsetLeft + current.offsetWidth / 2
      nav.current.scrollLeft = middle - nav.current.clientWidth / 2
    }
  }, [path, quarantined])
  return (
    <nav ref={nav} class="tabs" aria-label={texts.tabsLabel}>
      {tabs.map((tab) => {
        const href = to.agent(kind, id, tab)
        return (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {texts.tabs[tab ?? 'overview']}
            {tab === 'quarantined' && quarantined > 0 && <span class="count">{quarantined}</span>}
          </a>
        )
      })}
    </nav>
  )
}

function Tab({ view, tab }: { view: AgentView; tab: AgentTab | undefined }) {
  switch (tab) {
    case undefined:
      return <Overview view={view} />
    case 'events':
      return <AgentEvents view={view} />
    case 'quarantined':
      return <Quarantined view={view} />
    case 'credentials':
      return <AgentCredentials view={view} />
    case 'identifiers':
      return <AgentIdentifiers view={view} />
    case 'webhooks':
      return <AgentWebhooks view={view} />
    case 'settings':
      return <AgentSettings view={view} />
  }
}
