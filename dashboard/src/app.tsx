import { useEffect } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { isOffline } from './api/client.ts'
import { offline } from './api/error.ts'
import { t } from './messages/index.ts'
import { Account } from './pages/account/account.tsx'
import { Reported } from './pages/platform/reported.tsx'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { OWN_LINKS, pathOf } from './paths.ts'
import { type Kind, session } from './session/session.ts'
import { Boundary } from './shell/boundary.tsx'
import { Help } from './shell/help.tsx'
import { Layout } from './shell/layout.tsx'
import { Palette } from './shell/palette.tsx'
import { homeOf } from './shell/places.ts'
import { Failure, NoRight, NotFound } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

export function App() {
  const who = session.value
  return (
    <LocationProvider scope={OWN_LINKS}>
      {who ? (
        // Another caller is another dashboard: nothing of the one before stays on the screen.
        <Layout who={who} key={who.kind === 'owner' ? who.owner.id : who.credential}>
          <Boundary>
            <Pages />
          </Boundary>
        </Layout>
      ) : (
        <SignIn />
      )}
      <Palette />
      <Help />
      <Toasts />
    </LocationProvider>
  )
}

/** A page whose code is loaded when it is opened, or says that it could not be. */
function page(load: () => Promise<Page>) {
  return lazy(() =>
    load().catch(() => {
      isOffline.value = true
      return NotLoaded
    }),
  )
}

function NotLoaded() {
  useEffect(
    () =>
      isOffline.subscribe((offline) => {
        if (!offline) {
          location.reload()
        }
      }),
    [],
  )
  return <Failure isPage error={offline()} retry={() => location.reload()} />
}

/** The first page comes first. */
const PRELOAD_AFTER_MS = 1_500

const agent = () => import('./pages/agent/agent.tsx')
const AgentPage = page(() => agent().then((m) => m.AgentPage))
const owner = () => import('./pages/owner.ts')
const Agents = page(() => owner().then((m) => m.Agents))
const Webhooks = page(() => owner().then((m) => m.Webhooks))
const WebhookPage = page(() => owner().then((m) => m.WebhookPage))
const Usage = page(() => owner().then((m) => m.Usage))
const Team = page(() => owner().then((m) => m.Team))
const ApiKeys = page(() => owner().then((m) => m.ApiKeys))
const operator = () => import('./pages/operator/index.ts')
const Reviews = page(() => operator().then((m) => m.Reviews))
const LookUp = page(() => operator().then((m) => m.LookUp))
const Platforms = page(() => operator().then((m) => m.Platforms))
const Owners = page(() => operator().then((m) => m.Owners))
const Rules = page(() => operator().then((m) => m.Rules))
const Findings = page(() => operator().then((m) => m.Findings))
const Keys = page(() => operator().then((m) => m.Keys))
const Operators = page(() => operator().then((m) => m.Operators))
const Imports = page(() => operator().then((m) => m.Imports))
const Audit = page(() => operator().then((m) => m.Audit))
const Health = page(() => operator().then((m) => m.Health))
const platform = () => import('./pages/platform/index.ts')
const Decide = page(() => platform().then((m) => m.Decide))
const Policies = page(() => platform().then((m) => m.Policies))

/** What a kind of caller may open next is loaded while nothing else is: pages open at once. */
const PAGES_OF: Readonly<Record<Kind, readonly { preload(): unknown }[]>> = {
  owner: [Agents, AgentPage],
  operator: [Reviews, AgentPage],
  platform: [AgentPage],
}

function Pages() {
  const kind = session.value?.kind
  useEffect(() => {
    if (!kind) {
      return
    }
    const timer = setTimeout(() => {
      for (const page of PAGES_OF[kind]) {
        page.preload()
      }
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [kind])
  return (
    <Router>
      <Route path={pathOf('/')} component={Home} />
      <Route path={pathOf('/account')} component={Account} />
      <Route path={pathOf('/my/agents')} component={only('owner', Agents)} />
      <Route path={pathOf('/my/agents/:id/:tab?')} component={only('owner', AgentPage)} />
      <Route path={pathOf('/my/webhooks')} component={only('owner', Webhooks)} />
      <Route path={pathOf('/my/webhooks/:id')} component={only('owner', WebhookPage)} />
      <Route path={pathOf('/my/usage')} component={only('owner', Usage)} />
      <Route path={pathOf('/my/team')} component={only('owner', Team)} />
      <Route path={pathOf('/my/keys')} component={only('owner', ApiKeys)} />
      <Route path={pathOf('/operator/reviews')} component={only('operator', Reviews)} />
      <Route path={pathOf('/operator/agents')} component={only('operator', LookUp)} />
      <Route path={pathOf('/operator/agents/:id/:tab?')} component={only('operator', AgentPage)} />
      <Route path={pathOf('/operator/platforms')} component={only('operator', Platforms)} />
      <Route path={pathOf('/operator/owners')} component={only('operator', Owners)} />
      <Route path={pathOf('/operator/rules')} component={only('operator', Rules)} />
      <Route path={pathOf('/operator/rules/:rule')} component={only('operator', Findings)} />
      <Route path={pathOf('/operator/keys')} component={only('operator', Keys)} />
      <Route path={pathOf('/operator/operators')} component={only('operator', Operators)} />
      <Route path={pathOf('/operator/imports')} component={only('operator', Imports)} />
      <Route path={pathOf('/operator/audit')} component={only('operator', Audit)} />
      <Route path={pathOf('/operator/health')} component={only('operator', Health)} />
      <Route path={pathOf('/platform/decide')} component={only('platform', Decide)} />
      <Route path={pathOf('/platform/policies')} component={only('platform', Policies)} />
      <Route path={pathOf('/platform/agents')} component={only('platform', Reported)} />
      <Route path={pathOf('/platform/agents/:id/:tab?')} component={only('platform', AgentPage)} />
      <Route default component={NotFound} />
    </Router>
  )
}

function Home() {
  const { route } = useLocation()
  const who = session.value
  useEffect(() => {
    if (who) {
      route(homeOf(who.kind), true)
    }
  }, [who, route])
  return null
}

type Page = () => preact.VNode | null

const made: Readonly<Record<Kind, Map<Page, Page>>> = {
  owner: new Map(),
  operator: new Map(),
  platform: new Map(),
}

/** A page for one kind of caller; others get the reason. The same function for the same page. */
function only(kind: Kind, Page: Page): Page {
  const known = made[kind].get(Page)
  if (known) {
    return known
  }
  const Guarded = () => {
    const own = session.value?.kind
    if (own === kind || !own) {
      return <Page />
    }
    const { kinds, wrongKind } = t.value.session
    return <NoRight message={wrongKind(kinds[own])} />
  }
  made[kind].set(Page, Guarded)
  return Guarded
}
