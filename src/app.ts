import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { ABOUT } from './about.ts'
import { addressOf } from './http/address.ts'
import { type Api, createApi, type Edge } from './http/edge.ts'
import { forgetExpired } from './http/idempotency.ts'
import type { Incoming } from './http/incoming.ts'
import { openApiDocument } from './http/openapi.ts'
import type { Route } from './http/route.ts'
import type { Site } from './http/server.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { servePages } from './pages/serve.ts'
import { type AgentRoutesOptions, agentRoutes } from './resources/agents/routes.ts'
import { auditRoutes } from './resources/audit/audit.ts'
import type { Context } from './resources/context.ts'
import {
  type CredentialParts,
  createCredentialParts,
  routesOfCredentials,
} from './resources/credentials/parts.ts'
import { createAttest } from './resources/events/attest.ts'
import { createIngest } from './resources/events/ingest.ts'
import { type EventRoutesOptions, eventRoutes } from './resources/events/routes.ts'
import { createGate, EXPORTS, REFOLDS } from './resources/gate.ts'
import { type HealthOptions, healthRoutes } from './resources/health/routes.ts'
import { type Authenticator, createAuthenticator } from './resources/keys/authenticate.ts'
import { forgetOldKeys } from './resources/keys/rotate.ts'
import { createQuotas } from './resources/limits/quotas.ts'
import { freshness } from './resources/memory.ts'
import { operatorRoutes } from './resources/operator/routes.ts'
import { createLoginThrottle } from './resources/owners/login-throttle.ts'
import { createPasswords } from './resources/owners/passwords.ts'
import { type OwnerRoutesOptions, ownerRoutes } from './resources/owners/routes.ts'
import { createTokens } from './resources/owners/tokens.ts'
import { platformRoutes } from './resources/platforms/routes.ts'
import { type ProofRoutesOptions, proofRoutes } from './resources/proofs/routes.ts'
import { reviewRoutes } from './resources/reviews/routes.ts'
import { ruleRoutes } from './resources/rules/routes.ts'
import { createScoreCache, type ScoreCache } from './resources/scores/cache.ts'
import { explanationRoutes } from './resources/scores/explanation-routes.ts'
import { startRefolder } from './resources/scores/refolder.ts'
import { type ScoreRoutesOptions, scoreRoutes } from './resources/scores/routes.ts'
import { serveSetup } from './resources/setup/serve.ts'
import type { Setup } from './resources/setup/setup.ts'
import { createSigningKeys } from './resources/signing/keys.ts'
import { signingRoutes } from './resources/signing/routes.ts'
import { webhookRoutes } from './resources/webhooks/routes.ts'
import { type ChangeFeed, StoreBusy } from './store/store.ts'

export interface AppOptions {
  readonly context: Context
  /** What other nodes change. */
  readonly changes: ChangeFeed
  readonly operatorKey: string | null
  readonly setup: Setup
  /** Where the service is reached from outside, without a slash at the end. */
  readonly baseUrl: () => string
  /** The same where it was set: then no other address is signed for. */
  readonly publicUrl: string | null
  readonly trustProxy: BlockList
  readonly log: Log
  readonly metrics: Metrics
  /** Why the service cannot serve just now; null when it can. */
  readonly notReady: () => Promise<string | null>
}

export interface App extends Site {
  readonly routes: readonly Route[]
  /** Finishes what was begun; takes nothing more. */
  close(): Promise<void>
}

/** Joins the parts: what each resource is given, and the edge that lets requests in to them. */
export async function createApp(options: AppOptions): Promise<App> {
  const { context, changes, operatorKey, metrics, log } = options
  const { store, vault, now, newId } = context
  const freshMs = freshness(changes)
  const tokens = await createTokens({ store, vault, now, newId, freshMs })
  const authenticator = createAuthenticator({ store, tokens, operatorKey, now, freshMs })
  const scores = createScoreCache({ store, now, freshMs })
  forgetWhatChanges(changes, authenticator, scores)
  const quotas = createQuotas(context)
  const ingest = createIngest({ context, onChange: scores.forget, onFlight: metrics.flew })
  const { baseUrl } = options
  const receiptKeys = await createSigningKeys(context, 'receipts')
  const credentials = await createCredentialParts(
    { context, scores, receiptKeys, baseUrl },
    (error, agentId) => log.warn({ err: error, agentId }, 'credentials not settled'),
  )
  const attest = createAttest({ now, targetUriOf: targetUriOf(options.publicUrl) })
  const routes = routesOf({
    context,
    tokens,
    passwords: await createPasswords(),
    throttle: createLoginThrottle(context),
    authenticator,
    scores,
    lookups: quotas.lookups,
    refolds: createGate(REFOLDS),
    exports: createGate(EXPORTS),
    ingest,
    attest,
    credentials,
    receiptKeys,
    baseUrl,
    health: { notReady: options.notReady, metrics },
  })
  const edge: Edge = {
    store,
    authenticate: authenticator.authenticate,
    countRequest: quotas.countRequest,
    idempotency: { hashKey: vault.key('idempotency'), sealer: vault, now },
    now,
    newId,
    addressOf: ({ peer, headers }) =>
      addressOf(peer, headers.get('x-forwarded-for'), options.trustProxy),
    onAnswered: metrics.answered,
    onFault: (error, requestId) =>
      error instanceof StoreBusy
        ? log.warn({ reason: error.message, requestId }, 'the database is busy')
        : log.error({ err: error, requestId }, 'request failed'),
  }
  const refolder = startRefolder(context, {
    done: (agents) => log.info({ agents }, 'scores folded again by the model in force'),
    failed: (error, agentId) => log.warn({ err: error, agentId }, 'scores not folded again'),
  })
  const stopSweeping = every(SWEEP_MS, credentials.sweep, log)
  const stopForgetting = [forgetExpired, forgetOldKeys].map((forget) =>
    every(FORGET_MS, () => forget(store, now()), log),
  )
  const close = async () => {
    stopSweeping()
    for (const stop of stopForgetting) stop()
    await refolder.close()
    await ingest.close()
    await quotas.close()
  }
  const api = createApi(edge, routes)
  const { fetch } = pages(api, routes, options)
  return { answer: api.answer, fetch: fetch as Site['fetch'], routes, close }
}

/** What the resources work with. */
export type Parts = OwnerRoutesOptions &
  AgentRoutesOptions &
  ScoreRoutesOptions &
  ProofRoutesOptions &
  EventRoutesOptions & { readonly credentials: CredentialParts; readonly health: HealthOptions }

/** Every operation. Declaring them needs none of the parts to do anything yet. */
export function routesOf(parts: Parts): readonly Route[] {
  const { context, authenticator } = parts
  return [
    ...ownerRoutes(parts),
    ...agentRoutes(parts),
    ...scoreRoutes(parts),
    ...explanationRoutes(parts),
    ...proofRoutes(parts),
    ...eventRoutes(parts),
    ...routesOfCredentials(parts.credentials),
    ...signingRoutes(parts.credentials),
    ...platformRoutes(context, authenticator),
    ...operatorRoutes(parts),
    ...reviewRoutes(parts),
    ...ruleRoutes(context),
    ...auditRoutes(context),
    ...webhookRoutes(context),
    ...healthRoutes(parts.health),
  ]
}

function forgetWhatChanges(
  changes: ChangeFeed,
  authenticator: Authenticator,
  scores: ScoreCache,
): void {
  changes.subscribe({
    callersChanged(ids) {
      for (const id of ids) {
        authenticator.forget(id)
        scores.forget(id)
      }
    },
    scoresChanged(agentIds) {
      for (const id of agentIds) scores.forget(id)
    },
    missed() {
      authenticator.clear()
      scores.clear()
    },
  })
}

/** Days pass unasked: within the hour webhooks tell of the credentials that this revokes. */
const SWEEP_MS = 3_600_000

/** Kept answers and replaced keys are not kept much longer than their day. */
const FORGET_MS = 600_000

function every(ms: number, work: () => Promise<void>, log: Log): () => void {
  const timer = setInterval(() => {
    work().catch((error: unknown) => log.warn({ err: error }, 'a round failed; it comes again'))
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Where the client sent its request: at the address that was set, or else at the one it named. */
function targetUriOf(publicUrl: string | null): (request: Incoming) => string {
  return ({ headers, path, search }) => {
    const base = publicUrl ?? `http://${headers.get('host') ?? ''}`
    return `${base}${path}${search}`
  }
}

function pages(
  api: Api,
  routes: readonly Route[],
  { setup, baseUrl, context: { newId } }: AppOptions,
): Hono<{ Bindings: HttpBindings }> {
  const hono = new Hono<{ Bindings: HttpBindings }>()
  const document = openApiDocument(routes, ABOUT)
  hono.use(async (c, next) => {
    c.header('x-request-id', newId())
    await next()
  })
  serveSetup(hono as unknown as Hono, setup, baseUrl)
  servePages(hono as unknown as Hono, document, ABOUT, baseUrl)
  hono.get('/openapi.json', (c) => c.json(document))
  for (const [path, methods] of methodsOf(hono))
    hono.all(path, async ({ env }) => {
      await api.refuseMethod(
        env.incoming as IncomingMessage,
        env.outgoing as ServerResponse,
        methods,
      )
      return RESPONSE_ALREADY_SENT
    })
  hono.notFound(async ({ env }) => {
    await api.refusePath(env.incoming as IncomingMessage, env.outgoing as ServerResponse)
    return RESPONSE_ALREADY_SENT
  })
  hono.onError(async (error, { env }) => {
    await api.fail(env.incoming as IncomingMessage, env.outgoing as ServerResponse, error)
    return RESPONSE_ALREADY_SENT
  })
  return hono
}

/** The methods that each page takes, by its path. */
function methodsOf(hono: Hono<{ Bindings: HttpBindings }>): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, readonly string[]>()
  for (const { path, method } of hono.routes) {
    if (method === 'ALL') continue
    const own = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...own])
  }
  return methods
}
