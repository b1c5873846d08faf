import { useEffect } from 'preact/hooks'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { t } from './messages/index.ts'
import { Account } from './pages/account/account.tsx'
import * as pages from './pages/index.ts'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { OWN_LINKS, pathOf } from './paths.ts'
import { isTestMode } from './session/mode.ts'
import { type Kind, type Session, session } from './session/session.ts'
import { Boundary } from './shell/boundary.tsx'
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
        // Another caller or mode is another dashboard: nothing of the one before stays on the screen.
        <Layout who={who} key={keyOf(who)}>
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

function keyOf(who: Session): string {
  return `${who.kind === 'owner' ? who.owner.id : who.credential}${isTestMode.value}`
}

type Page = () => preact.VNode | null

/** Which page is at a path, and for whom. */
const ROUTES: readonly (readonly [Kind, string, Page])[] = [
  ['owner', '/my/agents', pages.Agents],
  ['owner', '/my/agents/:id/:tab?', pages.AgentPage],
  ['owner', '/my/transfers', pages.Transfers],
  ['owner', '/my/test', pages.TestData],
  ['owner', '/my/webhooks', pages.Webhooks],
  ['owner', '/my/webhooks/:id', pages.WebhookPage],
  ['owner', '/my/usage', pages.Usage],
  ['owner', '/my/team', pages.Team],
  ['owner', '/my/keys', pages.ApiKeys],
  ['operator', '/operator/reviews', pages.Reviews],
  ['operator', '/operator/agents', pages.LookUp],
  ['operator', '/operator/agents/:id/:tab?', pages.AgentPage],
  ['operator', '/operator/platforms', pages.Platforms],
  ['operator', '/operator/owners', pages.Owners],
  ['operator', '/operator/rules', pages.Rules],
  ['operator', '/operator/rules/:rule', pages.Findings],
  ['operator', '/operator/figures', pages.Figures],
  ['operator', '/operator/keys', pages.Keys],
  ['operator', '/operator/operators', pages.Operators],
  ['operator', '/operator/imports', pages.Imports],
  ['operator', '/operator/audit', pages.Audit],
  ['operator', '/operator/health', pages.Health],
  ['platform', '/platform/agents', pages.Reported],
  ['platform', '/platform/agents/:id/:tab?', pages.AgentPage],
  ['platform', '/platform/decide', pages.Decide],
  ['platform', '/platform/policies', pages.Policies],
]

const GUARDED = ROUTES.map(([kind, path, Page]) => ({
  path: pathOf(path),
  component: only(kind, Page),
}))

/** Where the first page of the caller opens, also of a shortened address. */
const HOMES = ['/', '/my', '/operator', '/platform'].map(pathOf)

function Pages() {
  return (
    <Router>
      {HOMES.map((path) => (
        <Route key={path} path={path} component={Home} />
      ))}
      <Route path={pathOf('/account')} component={Account} />
      {GUARDED.map((route) => (
        <Route key={route.path} {...route} />
      ))}
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

/** A page for one kind of caller; others get the reason. */
function only(kind: Kind, Page: Page): Page {
  return () => {
    const own = session.value?.kind
    if (own === kind || !own) {
      return <Page />
    }
    const { kinds, wrongKind } = t.value.session
    return <NoRight message={wrongKind(kinds[own])} />
  }
}
