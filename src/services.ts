import { createPolicyCache } from './api/decisions/policy-cache.ts'
import { createEventStreams } from './api/events/streams.ts'
import { createLookupCache } from './api/lookup/lookup-cache.ts'
import { createOpenExports } from './api/open-exports.ts'
import { createProfiles } from './api/profiles/profile.ts'
import type { ApiDeps } from './api/routes.ts'
import { createScoreCache } from './api/scores/score-cache.ts'
import { createAttest, type SignedRequest } from './auth/attestation.ts'
import { type Authenticator, createAuthenticator } from './auth/authenticate.ts'
import { createCounterpartyNames } from './auth/counterparty.ts'
import { createKeyUse, type KeyUse } from './auth/key-use.ts'
import { createOidc, type Oidc } from './auth/oidc.ts'
import type { PasswordRules } from './auth/password-rules.ts'
import { createPasswords, type PasswordCost } from './auth/passwords.ts'
import { createThrottle, LOGINS, MAILS } from './auth/throttle.ts'
import { createTokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createCredentials } from './credentials/create.ts'
import { recorderOf } from './credentials/recorder.ts'
import { createDecisionLog, type DecisionLog } from './decisions/decision-log.ts'
import { createExperiences } from './decisions/experience.ts'
import { startErasures } from './erasure/runner.ts'
import { PROOFS } from './identifiers/prove.ts'
import { recheckDue } from './identifiers/recheck.ts'
import { createRequestSigners } from './identifiers/request-signer.ts'
import { createDelegations, type Delegations } from './identity/delegation-tasks.ts'
import { createBatchWriter } from './ingest/batch-writer/batch-writer.ts'
import type { IngestLimits } from './ingest/decide.ts'
import { invalidateOnChange } from './invalidate-caches.ts'
import { createFairQueue } from './lib/fair-queue/fair-queue.ts'
import type { Log } from './lib/log.ts'
import { createSemaphore } from './lib/semaphore.ts'
import type { Vault } from './lib/vault.ts'
import { type Mailer, startMailer } from './mail/mailer.ts'
import { createMailSender } from './mail/send.ts'
import type { BackgroundSchedule } from './ops/background-schedule.ts'
import type { Metrics } from './ops/metrics.ts'
import type { Watched } from './ops/service-metrics.ts'
import type { TaskWatch } from './ops/task-metrics.ts'
import type { Tracing } from './ops/tracing/tracing.ts'
import { createOutbound } from './outbound/outbound.ts'
import type { Quotas } from './quotas/quotas.ts'
import { carryOutDiscards } from './reviews/carry-out-discards.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import { type BackgroundFolds, createBackgroundFolds } from './scoring/background-folds.ts'
import { EXPORTS } from './scoring/export.ts'
import { createReplays } from './scoring/replays.ts'
import { createQuarantinedScores } from './scoring/score-with-quarantined.ts'
import { createSigningKeys } from './signing/keys.ts'
import { freshness } from './store/freshness.ts'
import type { ChangeFeed } from './store/store.ts'

/** What every service is built on. */
export interface Foundation extends Context {
  readonly vault: Vault
  readonly rules: RuleBook
  readonly settings: ServiceSettings
}

/** The settings that services obey. */
export type ServiceSettings = IngestLimits &
  Pick<
    Config,
    | 'webhookAllow'
    | 'dnsServers'
    | 'chainRpc'
    | 'registration'
    | 'sessionIdleMs'
    | 'mail'
    | 'leaderboard'
    | 'retention'
    | 'oidc'
  >

export interface ServicesOptions {
  readonly context: Foundation
  /** Notifications of what this node and other nodes change. */
  readonly changes: ChangeFeed
  readonly operatorKey: string | null
  /** The address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: () => string
  /** `baseUrl` where it is set (STANDING_BASE_URL): then a signed request must name it. Otherwise null. */
  readonly publicUrl: string | null
  /** Of the hashes of passwords; the recommended cost by default. */
  readonly passwordCost?: PasswordCost | undefined
  readonly passwordRules: PasswordRules
  readonly schedule: BackgroundSchedule
  readonly log: Log
  readonly metrics: Metrics
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null
  /** Why the service cannot serve at the moment; null when it can. */
  readonly notReady: () => Promise<string | null>
  /** What it does not do at the moment although it is ready; null when it does everything. */
  readonly degraded: () => string | null
}

export interface Services {
  readonly deps: ApiDeps
  readonly authenticate: Authenticator['authenticate']
  /** Revokes the score credentials that the passing of days made untrue. */
  readonly sweepCredentials: () => Promise<void>
  /** Checks the verified identifiers that are due. */
  readonly recheckIdentifiers: () => Promise<unknown>
  readonly delegations: Delegations
  /** Continues to discard the reports of platforms. */
  readonly discard: (isStopping: () => boolean) => Promise<void>
  readonly keyUse: KeyUse
  readonly decisionLog: DecisionLog
  /** Reads how full the queues and caches are, for the metrics. */
  readonly watched: Pick<Watched, 'keys' | 'ingest' | 'queues' | 'caches'>
  /** Ends the responses that go on, so that clients turn to another node. */
  endStreams(): void
  /** Ends mails, erasures and folds, which no request waits for and which continue after a restart. */
  closeBackground(): Promise<void>
  /** Writes what is still in memory and ends the recording of reports. Call it after `closeBackground`. */
  close(): Promise<void>
}

/** Creates the services that handlers work with. */
export async function createServices(
  options: ServicesOptions,
  quotas: Quotas,
  tasks: TaskWatch,
): Promise<Services> {
  const { context, baseUrl, metrics, log } = options
  const { tokenKeys, tokens, keyUse, authenticator } = await createCallers(options)
  const background = startBackground(options)
  const { mailer, erasures, folds, decisionLog } = background
  const { outbound, ...identifiers } = createIdentifierServices(options)
  const credentials = await createCredentials({ ...context, baseUrl }, (error, agentId) =>
    log.warn({ err: error, agentId }, 'credentials not settled'),
  )
  const deps: ApiDeps = {
    ...context,
    ...credentials,
    ...createCaches(options, authenticator),
    ...createEventServices(options, authenticator),
    ...identifiers,
    ...(await createAccountServices(options)),
    ...(await createScoreServices(options, folds)),
    tokens,
    tokenKeys,
    tasks,
    metrics,
    baseUrl,
    mailer,
    folds,
    decisionLog,
    wakeErasures: erasures.wake,
    onIssuingChanged: (halt) =>
      log.warn({ halt }, `the issuing of credentials was ${halt ? 'halted' : 'resumed'}`),
    lookups: quotas.lookups,
    notReady: options.notReady,
    degraded: options.degraded,
  }
  const { recorder, ingest, streams, reading } = deps
  return {
    deps,
    authenticate: authenticator.authenticate,
    watched: watchedIn(deps, authenticator),
    sweepCredentials: credentials.sweep,
    delegations: createDelegations(context.store, recorder),
    discard: (isStopping) =>
      carryOutDiscards({
        ...context,
        recorder,
        isStopping,
        onFinished: ({ platformId, agents }) =>
          log.info({ platformId, agents }, 'the reports of a platform are discarded'),
      }),
    keyUse,
    decisionLog,
    recheckIdentifiers: () => recheckDue({ ...context, reading }),
    endStreams: streams.close,
    async closeBackground() {
      await Promise.all([background.close(), outbound.close()])
    },
    async close() {
      await keyUse.flush()
      await decisionLog.flush()
      await ingest.close()
    },
  }
}

/** What takes reports, and shows events as they come. */
function createEventServices(options: ServicesOptions, { isValid }: Authenticator) {
  const { context, changes, publicUrl, metrics, tracing, log } = options
  const { store, vault, now } = context
  const recorder = recorderOf({ ...context, limits: context.settings })
  return {
    recorder,
    ingest: createBatchWriter({
      store,
      recorder,
      onBatchCommitted: metrics.batchCommitted,
      trace: tracing,
    }),
    streams: createEventStreams({
      store,
      changes,
      isValid,
      onError: (err, agentId) =>
        log.warn({ err, agentId }, 'a stream of events ended, because they cannot be read'),
    }),
    attest: createAttest({ now, targetUriOf: targetUriOf(publicUrl) }),
    nameCounterparty: createCounterpartyNames(vault),
    onEventRefused: metrics.refused,
    onEventsImported: metrics.imported,
  }
}

/** What signs people in. */
async function createAccountServices(options: ServicesOptions) {
  const { context, metrics, passwordRules, passwordCost } = options
  return {
    oidc: oidcOf(options),
    passwords: await createPasswords(passwordCost),
    passwordRules,
    throttle: createThrottle({ ...context, onAttempt: metrics.loginAttempted }, LOGINS),
    mailThrottle: createThrottle(context, MAILS),
  }
}

/** What reads and checks names of agents in other systems. */
function createIdentifierServices({ context }: ServicesOptions) {
  const { webhookAllow: allow, dnsServers, chainRpc } = context.settings
  const outbound = createOutbound({ allow, dnsServers })
  const reading = { outbound, chainRpc, now: context.now }
  return {
    outbound,
    reading,
    signers: createRequestSigners(reading),
    proofs: createFairQueue(PROOFS),
  }
}

/** What explains scores, and reads what they come from. */
async function createScoreServices({ context }: ServicesOptions, folds: BackgroundFolds) {
  const { store } = context
  return {
    experiences: createExperiences({ store }),
    replays: createReplays(),
    quarantinedScores: createQuarantinedScores(store, folds),
    exports: createSemaphore(EXPORTS),
    openExports: createOpenExports(),
    receiptKeys: await createSigningKeys(context, 'receipts'),
  }
}

/** What finds out who calls. */
async function createCallers({ context, changes, operatorKey }: ServicesOptions) {
  const { store, now, settings } = context
  const { sessionIdleMs } = settings
  const freshMs = freshness(changes)
  const tokenKeys = await createSigningKeys(context, 'tokens')
  const tokens = createTokens({ ...context, keys: tokenKeys, freshMs, sessionIdleMs })
  const keyUse = createKeyUse(store, now)
  const authenticator = createAuthenticator({ store, tokens, operatorKey, keyUse, now, freshMs })
  return { tokenKeys, tokens, keyUse, authenticator }
}

/** The caches of what is read most. A change on any node invalidates them. */
function createCaches({ context, changes }: ServicesOptions, authenticator: Authenticator) {
  const { store, now, rules } = context
  const freshMs = freshness(changes)
  const scores = createScoreCache({ store, now, freshMs })
  const names = createLookupCache({ store, scores, now, freshMs })
  const policies = createPolicyCache({ store, now, freshMs })
  invalidateOnChange(changes, { authenticator, scores, names, policies, rules })
  return { scores, names, policies, profiles: createProfiles({ store, now, scores }) }
}

/** Work that no request waits for. */
function startBackground(options: ServicesOptions) {
  const { context, schedule, log } = options
  const mailer = mailerOf(options)
  const erasures = startErasures({
    ...context,
    schedule: schedule.erasures,
    onFinished: (count) => log.info({ count }, 'erasures finished'),
    onError: (err) => log.warn({ err }, 'an erasure was interrupted; it is tried again'),
  })
  const folds = createBackgroundFolds((err) =>
    log.warn(
      { err },
      'the score of a hypothetical log was not computed; the next request begins it again',
    ),
  )
  const decisionLog = createDecisionLog({
    ...context,
    onError: (err) => log.warn({ err }, 'the latest decisions of platforms were not stored'),
  })
  return {
    mailer,
    erasures,
    folds,
    decisionLog,
    async close() {
      await Promise.all([mailer?.close(), erasures.close(), folds.close()])
    },
  }
}

function watchedIn(deps: ApiDeps, { sizes }: Authenticator): Services['watched'] {
  const { passwords, replays, exports, proofs, scores, names, policies, ingest } = deps
  return {
    keys: sizes,
    ingest,
    queues() {
      const { unknown, known } = passwords.state()
      const { anonymous, known: others } = replays.state()
      return {
        password: unknown,
        password_known: known,
        replay: others,
        replay_anonymous: anonymous,
        export: exports.state(),
        proof: proofs.state(),
      }
    },
    caches: () => ({ scores: scores.size(), lookups: names.size(), policies: policies.size() }),
  }
}

function oidcOf({ context, baseUrl, log }: ServicesOptions): Oidc | null {
  const { vault, now } = context
  const { oidc: settings } = context.settings
  const onFailed = (err: unknown) =>
    log.warn({ err, issuer: settings?.issuer }, 'a sign-in by the provider failed')
  return settings && createOidc({ settings, sealer: vault, now, baseUrl, onFailed })
}

function mailerOf({ context, schedule, baseUrl, log, metrics }: ServicesOptions): Mailer | null {
  const { mail } = context.settings
  if (mail === null) {
    return null
  }
  return startMailer({
    ...context,
    schedule: schedule.mails,
    sender: createMailSender(mail),
    baseUrl,
    // The address is the person's own matter: the log names the mail by its id.
    onFailed(err, { id, kind, attempts }, isLast) {
      metrics.mailAttempted(isLast ? 'given_up' : 'failed')
      log.warn({ err, mail: id, kind, attempts, isLast }, 'a mail was not sent')
    },
    onSent: () => metrics.mailAttempted('sent'),
    onError: (err) =>
      log.warn({ err }, 'the mail queue cannot be read or changed; it is tried again'),
  })
}

/** The address that a client signs: under the public URL if one is set, else as the client named it. */
function targetUriOf(publicUrl: string | null): (request: SignedRequest) => string {
  return ({ headers, path, search }) => {
    const base = publicUrl ?? `http://${headers.get('host') ?? ''}`
    return `${base}${path}${search}`
  }
}
