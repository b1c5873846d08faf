import { createApiState } from './api/create.ts'
import type { ApiDeps } from './api/routes.ts'
import { createAttest } from './auth/attestation.ts'
import type { Authenticator } from './auth/authenticate.ts'
import { createCounterpartyNames } from './auth/counterparty.ts'
import { createCallers, createSignIn } from './auth/create.ts'
import type { KeyUse } from './auth/key-use.ts'
import type { PasswordRules } from './auth/password-rules.ts'
import type { PasswordCost } from './auth/passwords.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createCredentials } from './credentials/create.ts'
import { recorderOf } from './credentials/recorder.ts'
import { createDecisions } from './decisions/create.ts'
import { startErasures } from './erasure/runner.ts'
import { createIdentifiers } from './identifiers/create.ts'
import { createBatchWriter } from './ingest/batch-writer/batch-writer.ts'
import type { IngestLimits } from './ingest/decide.ts'
import { invalidateOnChange } from './invalidate-caches.ts'
import type { Log } from './lib/log.ts'
import type { Vault } from './lib/vault.ts'
import { type Mailer, startMailer } from './mail/mailer.ts'
import { createMailSender } from './mail/send.ts'
import type { BackgroundSchedule } from './ops/background-schedule.ts'
import type { Metrics } from './ops/metrics.ts'
import type { TaskWatch } from './ops/task-metrics.ts'
import type { Tracing } from './ops/tracing/tracing.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import { createScoring } from './scoring/create.ts'
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
  readonly authenticator: Authenticator
  readonly keyUse: KeyUse
  /** Revokes the score credentials that the passing of days made untrue. */
  readonly sweepCredentials: () => Promise<void>
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
  const parts = await createParts(options)
  const { authenticator, keyUse, sweepCredentials, deps, erasures } = parts
  const { decisionLog, folds, ingest, mailer, reading, streams } = deps
  return {
    deps: { ...deps, ...givenBy(options), lookups: quotas.lookups, tasks },
    authenticator,
    keyUse,
    sweepCredentials,
    endStreams: streams.close,
    async closeBackground() {
      const { outbound } = reading
      await Promise.all([mailer?.close(), erasures.close(), folds.close(), outbound.close()])
    },
    async close() {
      await keyUse.flush()
      await decisionLog.flush()
      await ingest.close()
    },
  }
}

/** The parts, each created in its room. */
async function createParts(options: ServicesOptions) {
  const { context, changes, baseUrl, log } = options
  const { settings, rules, store, now, vault } = context
  const { keyUse, authenticator, ...callers } = await createCallers({
    ...context,
    operatorKey: options.operatorKey,
    sessionIdleMs: settings.sessionIdleMs,
    freshMs: freshness(changes),
  })
  const { sweep, ...credentials } = await createCredentials({ ...context, baseUrl, log })
  const erasures = startErasures({ ...context, schedule: options.schedule.erasures, log })
  const api = createApiState({ store, now, changes, isValid: authenticator.isValid, log })
  invalidateOnChange(changes, { ...api, authenticator, rules })
  const recorder = recorderOf({ ...context, limits: settings })
  const deps = {
    ...api,
    ...callers,
    ...(await createSignIn({
      ...context,
      oidc: settings.oidc,
      passwordCost: options.passwordCost,
      onAttempt: options.metrics.loginAttempted,
      baseUrl,
      log,
    })),
    ...createIdentifiers({ ...settings, now }),
    ...credentials,
    ...(await createScoring({ ...context, log })),
    ...createDecisions({ ...context, log }),
    recorder,
    ingest: createBatchWriter({
      store,
      recorder,
      onBatchCommitted: options.metrics.batchCommitted,
      trace: options.tracing,
    }),
    attest: createAttest({ now, publicUrl: options.publicUrl }),
    nameCounterparty: createCounterpartyNames(vault),
    mailer: startMails(options),
    wakeErasures: erasures.wake,
  }
  return { deps, authenticator, keyUse, erasures, sweepCredentials: sweep }
}

/** What handlers take as it was given to the service. */
function givenBy(options: ServicesOptions) {
  const { context, metrics, baseUrl, passwordRules, notReady, degraded, log } = options
  const onIssuingChanged: ApiDeps['onIssuingChanged'] = (halt) =>
    log.warn({ halt }, `the issuing of credentials was ${halt ? 'halted' : 'resumed'}`)
  return {
    ...context,
    metrics,
    baseUrl,
    passwordRules,
    notReady,
    degraded,
    onEventRefused: metrics.refused,
    onEventsImported: metrics.imported,
    onIssuingChanged,
  }
}

/** Null where the service sends no mail. */
function startMails({ context, schedule, baseUrl, metrics, log }: ServicesOptions): Mailer | null {
  const { mail } = context.settings
  return (
    mail &&
    startMailer({
      ...context,
      schedule: schedule.mails,
      sender: createMailSender(mail),
      baseUrl,
      onAttempt: metrics.mailAttempted,
      log,
    })
  )
}
