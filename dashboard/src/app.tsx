import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso'
import { t } from './messages/index.ts'
import { Account } from './pages/account/account.tsx'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { OWN_LINKS, pathOf } from './paths.ts'
import { type Kind, session } from './session/session.ts'
import { Help } from './shell/help.tsx'
import { Layout } from './shell/layout.tsx'
import { Palette } from './shell/palette.tsx'
import { homeOf } from './shell/places.ts'
import { NoRight, NotFound } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

export function App() {
  const who = session.value
  return (
    <LocationProvider scope={OWN_LINKS}>
      {who ? (
        // Another caller is another dashboard: nothing of the one before stays on the screen.
        <Layout who={who} key={who.kind === 'owner' ? who.owner.id : who.credential}>
          <ErrorBoundary>
            <Pages />
          </ErrorBoundary>
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

const Agents = lazy(() => import('./pages/agents/agents.tsx').then((m) => m.Agents))
const AgentPage = lazy(() => import('./pages/agent/agent.tsx').then((m) => m.AgentPage))
const Webhooks = lazy(() => import('./pages/webhooks/webhooks.tsx').then((m) => m.Webhooks))
const WebhookPage = lazy(() => import('./pages/webhooks/webhook.tsx').then((m) => m.WebhookPage))
const Usage = lazy(() => import('./pages/usage/usage.tsx').then((m) => m.Usage))
const operator = () => import('./pages/operator/index.ts')
const Reviews = lazy(() => operator().then((m) => m.Reviews))
const LookUp = lazy(() => operator().then((m) => m.LookUp))
const Platforms = lazy(() => operator().then((m) => m.Platforms))
const Owners = lazy(() => operator().then((m) => m.Owners))
const Rules = lazy(() => operator().then((m) => m.Rules))
const Findings = lazy(() => operator().then((m) => m.Findings))
const Keys = lazy(() => operator().then((m) => m.Keys))
const Audit = lazy(() => operator().then((m) => m.Audit))
const Health = lazy(() => operator().then((m) => m.Health))
const Reported = lazy(() => import('./pages/platform/reported.tsx').then((m) => m.Reported))

function Pages() {
  return (
    <Router>
      <Route path={pathOf('/')} component={Home} />
      <Route path={pathOf('/account')} component={Account} />
      <Route path={pathOf('/my/agents')} component={only('owner', Agents)} />
      <Route path={pathOf('/my/agents/:id/:tab?')} component={only('owner', AgentPage)} />
      <Route path={pathOf('/my/webhooks')} component={only('owner', Webhooks)} />
      <Route path={pathOf('/my/webhooks/:id')} component={only('owner', WebhookPage)} />
      <Route path={pathOf('/my/usage')} component={only('owner', Usage)} />
      <Route path={pathOf('/operator/reviews')} component={only('operator', Reviews)} />
      <Route path={pathOf('/operator/agents')} component={only('operator', LookUp)} />
      <Route path={pathOf('/operator/agents/:id/:tab?')} component={only('operator', AgentPage)} />
      <Route path={pathOf('/operator/platforms')} component={only('operator', Platforms)} />
      <Route path={pathOf('/operator/owners')} component={only('operator', Owners)} />
      <Route path={pathOf('/operator/rules')} component={only('operator', Rules)} />
      <Route path={pathOf('/operator/rules/:rule')} component={only('operator', Findings)} />
      <Route path={pathOf('/operator/keys')} component={only('operator', Keys)} />
      <Route path={pathOf('/operator/audit')} component={only('operator', Audit)} />
      <Route path={pathOf('/operator/health')} component={only('operator', Health)} />
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
