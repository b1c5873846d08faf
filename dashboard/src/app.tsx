import { useEffect } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { isOffline } from './api/client.ts'
import { offline } from './api/error.ts'
import { t } from './messages/index.ts'
import { Account } from './pages/account/account.tsx'
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

/** The code of the pages is loaded when the first of them is opened, or says that it could not be. */
export function pages(): Promise<Readonly<Record<PageName, Page>>> {
  return import('./pages/index.ts')
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

type Page = () => preact.VNode | null
type PageName = keyof typeof import('./pages/index.ts')

/** Which page is at a path, and for whom. */
const ROUTES = [
  ['owner', '/my/agents', 'Agents'],
  ['owner', '/my/agents/:id/:tab?', 'AgentPage'],
  ['owner', '/my/webhooks', 'Webhooks'],
  ['owner', '/my/webhooks/:id', 'WebhookPage'],
  ['owner', '/my/usage', 'Usage'],
  ['owner', '/my/team', 'Team'],
  ['owner', '/my/keys', 'ApiKeys'],
  ['operator', '/operator/reviews', 'Reviews'],
  ['operator', '/operator/agents', 'LookUp'],
  ['operator', '/operator/agents/:id/:tab?', 'AgentPage'],
  ['operator', '/operator/platforms', 'Platforms'],
  ['operator', '/operator/owners', 'Owners'],
  ['operator', '/operator/rules', 'Rules'],
  ['operator', '/operator/rules/:rule', 'Findings'],
  ['operator', '/operator/figures', 'Figures'],
  ['operator', '/operator/keys', 'Keys'],
  ['operator', '/operator/operators', 'Operators'],
  ['operator', '/operator/imports', 'Imports'],
  ['operator', '/operator/audit', 'Audit'],
  ['operator', '/operator/health', 'Health'],
  ['platform', '/platform/agents', 'Reported'],
  ['platform', '/platform/agents/:id/:tab?', 'AgentPage'],
  ['platform', '/platform/decide', 'Decide'],
  ['platform', '/platform/policies', 'Policies'],
] as const satisfies readonly (readonly [Kind, string, PageName])[]

const GUARDED = ROUTES.map(([kind, path, name]) => ({
  path: pathOf(path),
  component: only(kind, pageOf(name)),
}))

function Pages() {
  return (
    <Router>
      <Route path={pathOf('/')} component={Home} />
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

function pageOf(name: PageName): Page {
  return lazy(() =>
    pages()
      .then((found) => found[name])
      .catch(() => {
        isOffline.value = true
        return NotLoaded
      }),
  )
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
