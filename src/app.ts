import type { BlockList } from 'node:net'
import { ABOUT } from './api/about.ts'
import { routesOf } from './api/routes.ts'
import { createScoreCache, type ScoreCache } from './api/scores/score-cache.ts'
import { createAttest, type SignedRequest } from './auth/attestation.ts'
import { type Authenticator, createAuthenticator } from './auth/authenticate.ts'
import { createLoginThrottle } from './auth/login-throttle.ts'
import { createPasswords } from './auth/passwords.ts'
import { forgetOldKeys } from './auth/rotate-key.ts'
import type { Setup } from './auth/setup.ts'
import { createTokens } from './auth/tokens.ts'
import type { Context } from './context.ts'
import { createCredentials } from './credentials/create.ts'
import { recorderOf } from './credentials/recorder.ts'
import { addressOf } from './http/address.ts'
import { basePathOf } from './http/base-path.ts'
import { createEdge, type RequestHandler } from './http/edge.ts'
import { type Endpoint, pageEndpoint } from './http/endpoint.ts'
import { forgetExpired } from './http/idempotency.ts'
import { openApiDocument } from './http/openapi.ts'
import { operationEndpoint } from './http/operation.ts'
import type { Response } from './http/response.ts'
import type { Route } from './http/route.ts'
import { createBatchWriter } from './ingest/batch-writer.ts'
import type { IngestPolicy } from './ingest/decide.ts'
import { startInterval } from './lib/interval.ts'
import type { Log } from './lib/log.ts'
import { createSemaphore } from './lib/semaphore.ts'
import type { Vault } from './lib/vault.ts'
import type { Metrics } from './ops/metrics.ts'
import { errorPageFor, pageRoutes } from './pages/routes.ts'
import { createQuotas } from './quotas/quotas.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import { EXPORTS, REPLAYS } from './scoring/concurrency.ts'
import { startModelMigrator } from './scoring/model-migrator.ts'
import { createSigningKeys } from './signing/keys.ts'
import { freshness } from './store/freshness.ts'
import { type ChangeFeed, StoreBusy } from './store/store.ts'

/** What the service is put together from. */
export interface Foundation extends Context {
  readonly vault: Vault
  readonly rules: RuleBook
  readonly policy: Policy
}

/** The settings that services obey. */
export interface Policy extends IngestPolicy {
  /** Address ranges that webhooks may reach besides public ones. */
  readonly webhookAllow: readonly string[]
}

export interface AppOptions {
  readonly context: Foundation
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

export interface App {
  readonly handle: RequestHandler
  /** The path of the base URL, without a slash at the end. */
  readonly basePath: string
  /** Finishes what was begun; takes nothing more. */
  close(): Promise<void>
}

/** Joins the parts: what each resource is given, and the edge that lets requests in to them. */
export async function createApp(options: AppOptions): Promise<App> {
  const { context, changes, operatorKey, metrics, log } = options
  const { store, vault, now, newId } = context
  const basePath = options.publicUrl === null ? '' : basePathOf(options.publicUrl)
  const freshMs = freshness(changes)
  const tokens = await createTokens({ store, vault, now, newId, freshMs })
  const authenticator = createAuthenticator({ store, tokens, operatorKey, now, freshMs })
  const scores = createScoreCache({ store, now, freshMs })
  invalidateOnChange(changes, authenticator, scores, context.rules)
  const onError = (err: unknown) => log.warn({ err }, 'a background task failed; it will run again')
  const quotas = createQuotas(context, onError)
  const recorder = recorderOf(context)
  const ingest = createBatchWriter<Response>({
    store,
    recorder,
    onBatchCommitted: metrics.batchCommitted,
  })
  const { baseUrl } = options
  const receiptKeys = await createSigningKeys(context, 'receipts')
  const credentials = await createCredentials({ ...context, baseUrl }, (error, agentId) =>
    log.warn({ err: error, agentId }, 'credentials not settled'),
  )
  const attest = createAttest({ now, targetUriOf: targetUriOf(options.publicUrl) })
  const routes = routesOf({
    ...context,
    ...credentials,
    recorder,
    tokens,
    passwords: await createPasswords(),
    throttle: createLoginThrottle(context),
    scores,
    lookups: quotas.lookups,
    refolds: createSemaphore(REPLAYS),
    exports: createSemaphore(EXPORTS),
    ingest,
    attest,
    receiptKeys,
    baseUrl,
    notReady: options.notReady,
    metrics,
  })
  const handle = createEdge(
    {
      authenticate: authenticator.authenticate,
      limits: quotas.requests,
      newId,
      basePath,
      addressOf: ({ peer, headers }) =>
        addressOf(peer, headers.get('x-forwarded-for'), options.trustProxy),
      errorPage: errorPageFor(basePath),
      onResponse: metrics.answered,
      onFault: (error, requestId) =>
        error instanceof StoreBusy
          ? log.warn({ reason: error.message, requestId }, 'the database is busy')
          : log.error({ err: error, requestId }, 'request failed'),
    },
    endpointsOf(options, basePath, routes),
  )
  const migrator = startModelMigrator(context, {
    migrated: (agents) => log.info({ agents }, 'scores folded again by the model in force'),
    failed: (error, agentId) => log.warn({ err: error, agentId }, 'scores not folded again'),
  })
  const intervals = [
    startInterval({ everyMs: SWEEP_MS, work: credentials.sweep, onError }),
    ...[forgetExpired, forgetOldKeys].map((forget) =>
      startInterval({ everyMs: FORGET_MS, work: () => forget(store, now()), onError }),
    ),
  ]
  const close = async () => {
    await Promise.all(intervals.map((interval) => interval.stop()))
    await migrator.close()
    await ingest.close()
    await quotas.close()
  }
  return { handle, basePath, close }
}

/** The operations, and the pages beside them. */
function endpointsOf(
  { context, setup, baseUrl }: AppOptions,
  basePath: string,
  routes: readonly Route[],
): readonly Endpoint[] {
  const { store, vault, now } = context
  const idempotency = { hashKey: vault.key('idempotency'), sealer: vault, now }
  const document = openApiDocument(routes, ABOUT, basePath)
  const pages = pageRoutes({ about: ABOUT, document, setup, baseUrl, basePath })
  return [
    ...routes.map((route) => operationEndpoint(route, { store, idempotency })),
    ...pages.map(pageEndpoint),
  ]
}

/** The one place where caches are invalidated: by the changes of this node and of others alike. */
function invalidateOnChange(
  changes: ChangeFeed,
  authenticator: Authenticator,
  scores: ScoreCache,
  rules: RuleBook,
): void {
  changes.subscribe((change) => {
    switch (change.kind) {
      case 'callers':
        for (const id of change.ids) {
          authenticator.forget(id)
          scores.forget(id)
        }
        return
      case 'scores':
        for (const id of change.ids) {
          scores.forget(id)
        }
        return
      case 'rules':
        return rules.forget()
      case 'unknown':
        authenticator.clear()
        scores.clear()
        rules.forget()
    }
  })
}

/** Days pass unasked: within the hour webhooks tell of the credentials that this revokes. */
const SWEEP_MS = 3_600_000

/** Kept answers and replaced keys are not kept much longer than their day. */
const FORGET_MS = 600_000

/** Where the client sent its request: at the address that was set, or else at the one it named. */
function targetUriOf(publicUrl: string | null): (request: SignedRequest) => string {
  return ({ headers, path, search }) => {
    const base = publicUrl ?? `http://${headers.get('host') ?? ''}`
    return `${base}${path}${search}`
  }
}
