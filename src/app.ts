import type { BlockList } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { ABOUT } from './about.ts'
import { notFound } from './core/error.ts'
import { addressOf } from './http/address.ts'
import { type Edge, mount, respond } from './http/edge.ts'
import { openApiDocument } from './http/openapi.ts'
import type { Route } from './http/route.ts'
import type { Log } from './log.ts'
import { servePages } from './pages/serve.ts'
import { type AgentRoutesOptions, agentRoutes } from './resources/agents/routes.ts'
import { auditRoutes } from './resources/audit/audit.ts'
import type { Context } from './resources/context.ts'
import { attestNothing } from './resources/events/attest.ts'
import { createIngest, type Ingest } from './resources/events/ingest.ts'
import { type EventRoutesOptions, eventRoutes } from './resources/events/routes.ts'
import { createAuthenticator } from './resources/keys/authenticate.ts'
import { operatorRoutes } from './resources/operator/routes.ts'
import { createLoginThrottle } from './resources/owners/login-throttle.ts'
import { createPasswords } from './resources/owners/passwords.ts'
import { type OwnerRoutesOptions, ownerRoutes } from './resources/owners/routes.ts'
import { createTokens } from './resources/owners/tokens.ts'
import { platformRoutes } from './resources/platforms/routes.ts'
import { reviewRoutes } from './resources/reviews/routes.ts'
import { createScoreCache } from './resources/scores/cache.ts'
import { unlimitedLookups } from './resources/scores/lookups.ts'
import { type ScoreRoutesOptions, scoreRoutes } from './resources/scores/routes.ts'
import { serveSetup } from './resources/setup/serve.ts'
import type { Setup } from './resources/setup/setup.ts'

export interface AppOptions {
  readonly context: Context
  readonly operatorKey: string | null
  readonly setup: Setup
  /** Where the service is reached from outside, without a slash at the end. */
  readonly baseUrl: () => string
  readonly trustProxy: BlockList
  readonly log: Log
  /** Why the service cannot serve just now; null when it can. */
  readonly notReady: () => Promise<string | null>
}

export interface App {
  readonly fetch: Hono<{ Bindings: HttpBindings }>['fetch']
  readonly routes: readonly Route[]
  /** Finishes what was begun; takes nothing more. */
  close(): Promise<void>
}

/** Joins the parts: what each resource is given, and the edge that lets requests in to them. */
export async function createApp(options: AppOptions): Promise<App> {
  const { context, log } = options
  const { store, vault, now, newId } = context
  const tokens = await createTokens({ store, vault, now, newId })
  const { operatorKey } = options
  const authenticator = createAuthenticator({ store, tokens, operatorKey, now })
  const scores = createScoreCache(store, now)
  const ingest = createIngest({ context, onChange: scores.forget })
  const routes = routesOf({
    context,
    tokens,
    passwords: await createPasswords(),
    throttle: createLoginThrottle(context),
    authenticator,
    scores,
    lookups: unlimitedLookups,
    ingest,
    attest: attestNothing,
  })
  const edge: Edge = {
    store,
    authenticate: authenticator.authenticate,
    countRequest: async () => null,
    idempotency: { hashKey: vault.key('idempotency'), sealer: vault, now },
    now,
    newId,
    addressOf: (hono) => callerAddress(hono, options.trustProxy),
    onFault: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  }
  return { fetch: site(edge, routes, options).fetch, routes, close: closer(ingest) }
}

/** What the resources work with. */
export type Parts = OwnerRoutesOptions &
  AgentRoutesOptions &
  ScoreRoutesOptions &
  EventRoutesOptions

/** Every operation. Declaring them needs none of the parts to do anything yet. */
export function routesOf(parts: Parts): readonly Route[] {
  const { context, authenticator, scores } = parts
  return [
    ...ownerRoutes(parts),
    ...agentRoutes(parts),
    ...scoreRoutes(parts),
    ...eventRoutes(parts),
    ...platformRoutes(context, authenticator),
    ...operatorRoutes(parts),
    ...reviewRoutes(context, scores),
    ...auditRoutes(context),
  ]
}

function closer(ingest: Ingest): () => Promise<void> {
  return () => ingest.close()
}

function site(
  edge: Edge,
  routes: readonly Route[],
  { notReady, setup, baseUrl }: AppOptions,
): Hono<{ Bindings: HttpBindings }> {
  const hono = new Hono<{ Bindings: HttpBindings }>()
  mount(hono as unknown as Hono, edge, routes)
  const document = openApiDocument(routes, ABOUT)
  serveSetup(hono as unknown as Hono, setup, baseUrl)
  servePages(hono as unknown as Hono, document, ABOUT, baseUrl)
  hono.get('/openapi.json', (c) => c.json(document))
  hono.get('/healthz', (c) => c.json({ status: 'ok' }))
  hono.get('/readyz', async (c) => {
    const reason = await notReady()
    return reason === null ? c.json({ status: 'ok' }) : c.json({ status: 'unready', reason }, 503)
  })
  hono.notFound((c) => respond(edge, c, () => Promise.reject(notFound('path'))))
  hono.onError((error, c) => respond(edge, c, () => Promise.reject(error)))
  return hono
}

function callerAddress(hono: HonoContext, trusted: BlockList): string {
  const { incoming } = hono.env as HttpBindings
  const peer = incoming?.socket?.remoteAddress ?? '0.0.0.0'
  return addressOf(peer, hono.req.header('x-forwarded-for') ?? null, trusted)
}
