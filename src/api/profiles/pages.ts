import type { Context } from '../../context.ts'
import { type Verifying, verifyById } from '../../credentials/verify.ts'
import { notFound } from '../../domain/error.ts'
import { isTestId } from '../../domain/mode.ts'
import { MEDIUM_EVENTS_MIN } from '../../domain/tiers.ts'
import { basePathOf } from '../../http/base-path.ts'
import type { Exchange, PageRoute } from '../../http/endpoint.ts'
import { okContent, type Response } from '../../http/response.ts'
import { shareReads } from '../../lib/shared-read.ts'
import { createCardCache } from '../../pages/card/card-cache.ts'
import { HTML_TYPE, layout, PAGE_HEADERS, type Page } from '../../pages/layout.ts'
import { type Leader, leadersPage } from '../../pages/leaders.ts'
import { profilePage, type Site } from '../../pages/profile.ts'
import { verifyPage } from '../../pages/verify.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { NO_STORE, PUBLIC_CACHE, tagged } from '../caching.ts'
import { presentVerification } from '../credentials/present.ts'
import { presentScoreNow } from '../scores/present.ts'
import { Id } from '../wire.ts'
import type { Profiles } from './profile.ts'

export interface ProfilePageDeps extends Pick<Context, 'store' | 'now'>, Verifying {
  readonly profiles: Profiles
  readonly lookups: Lookups
  readonly baseUrl: () => string
  /** Whether `/agents` lists the public agents with the best scores. */
  readonly hasLeaderboard: boolean
}

/** Sites fetch the picture once for a link and keep it. */
const CARD_CACHE = 'public, max-age=3600'

/** A page of leaders is read at a glance. */
const LEADERS_MAX = 100

/** Anyone may ask for the leaders without a limit, and all public agents are sorted for them. */
const LEADERS_AGE_MAX_MS = 10_000

/** The pages for anyone: profiles, whether a credential is valid, and the leaderboard. */
export function profilePages(deps: ProfilePageDeps): readonly PageRoute[] {
  const { hasLeaderboard } = deps
  const cardOf = createCardCache()
  const leaders = shareReads({ read: () => readLeaders(deps), ageMaxMs: LEADERS_AGE_MAX_MS })
  return [
    get('/agents/{id}', (exchange) => showProfile(deps, exchange)),
    get('/agents/{id}/card.png', (exchange) => showCard(deps, exchange, cardOf)),
    get('/verify/{id}', (exchange) => showVerification(deps, exchange)),
    ...(hasLeaderboard ? [get('/agents', async () => showLeaders(deps, await leaders()))] : []),
  ]
}

function get(path: string, handle: PageRoute['handle']): PageRoute {
  return { method: 'get', path, handle }
}

async function showProfile(deps: ProfilePageDeps, exchange: Exchange): Promise<Response> {
  const profile = await deps.profiles.find(idOf(exchange, 'public profile'))
  await deps.lookups.take(exchange.caller, 1)
  return respond(deps, profilePage(siteOf(deps), profile))
}

async function showCard(
  deps: ProfilePageDeps,
  exchange: Exchange,
  cardOf: ReturnType<typeof createCardCache>,
): Promise<Response> {
  const { score } = await deps.profiles.find(idOf(exchange, 'public profile'))
  await deps.lookups.take(exchange.caller, 1)
  return okContent(await cardOf(score), 'image/png', { 'cache-control': CARD_CACHE })
}

async function showVerification(deps: ProfilePageDeps, exchange: Exchange): Promise<Response> {
  const { store, now } = deps
  const id = idOf(exchange, 'credential')
  // Of a test agent's credential no page says that it is valid.
  if (isTestId(id)) {
    throw notFound('credential')
  }
  const verification = await verifyById(deps, id)
  const { credential, ...presented } = presentVerification(verification, now())
  if (!credential) {
    throw notFound('credential')
  }
  const agent = await store.agents.find({ id: credential.agentId })
  const agentName = agent?.hasPublicProfile ? agent.displayName : null
  const page = verifyPage(siteOf(deps), { ...presented, credential, agentName })
  // True only at the moment at which it is shown.
  return respond(deps, page, NO_STORE)
}

async function readLeaders({ store, now }: ProfilePageDeps): Promise<readonly Leader[]> {
  const agents = await store.agents.leaders(MEDIUM_EVENTS_MIN, LEADERS_MAX)
  const states = await store.agentStates.findMany(agents.map(({ id }) => id))
  const leaders = agents.flatMap(({ id, displayName }) => {
    const state = states.get(id)
    const score = state && presentScoreNow(state, now())
    return score && score.confidence !== 'low' ? [{ id, displayName, score }] : []
  })
  // The list is in the order of the scores last published; time has passed since.
  return leaders.toSorted((a, b) => b.score.score - a.score.score)
}

function showLeaders(deps: ProfilePageDeps, leaders: readonly Leader[]): Response {
  return respond(deps, leadersPage(siteOf(deps).basePath, leaders))
}

function respond(
  deps: ProfilePageDeps,
  page: Page,
  caching: Readonly<Record<string, string>> = { 'cache-control': PUBLIC_CACHE },
): Response {
  const content = layout(siteOf(deps).basePath, page)
  return tagged(content, HTML_TYPE, { ...PAGE_HEADERS, ...caching })
}

function siteOf({ baseUrl }: ProfilePageDeps): Site {
  return { baseUrl: baseUrl(), basePath: basePathOf(baseUrl()) }
}

/** A malformed id is not found, as an unknown one. */
function idOf({ params }: Exchange, what: string): string {
  const parsed = Id.safeParse(params.id)
  if (!parsed.success) {
    throw notFound(what)
  }
  return parsed.data
}
