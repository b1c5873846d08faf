import { Counter, Histogram, type Registry } from 'prom-client'
import type { AttemptOutcome } from '../auth/throttle.ts'
import type { Attempt } from '../delivery/attempt.ts'
import { COMPUTING, OVERLOADED, type TrustError } from '../domain/error.ts'
import type { CommittedBatch } from '../ingest/batch-writer/commit.ts'
import type { MailOutcome } from '../mail/mailer.ts'
import type { RemovedKind } from '../retention/retention.ts'

/** What is counted as it happens. */
export interface Counters {
  /** A request, or an event within a batch, was refused. */
  refused(refusal: Pick<TrustError, 'code' | 'details'>): void
  /** A person tried to sign in with a password. */
  loginAttempted(outcome: AttemptOutcome): void
  mailAttempted(outcome: MailOutcome): void
  /** Events were committed together. */
  batchCommitted(batch: CommittedBatch): void
  /** Events of a past were stored. */
  imported(count: number): void
  /** A webhook was posted, or the attempt failed. */
  attempted(attempt: Attempt): void
  /** Retention removed something. */
  removed(what: RemovedKind, count: number): void
}

/** The limits of the interface that are answered with 429, as `details.limit` names them. */
const LIMITS = [
  'requests_per_minute',
  'lookups_per_month',
  'stored_responses_per_day',
  'registrations_per_day',
  'events_per_agent_hour',
  'events_per_platform_hour',
  'login_failures',
  'mails',
  'other',
] as const

/** Why a request got 503, as `details.reason` says. */
const REASONS = [
  OVERLOADED,
  'disk_full',
  'issuing_halted',
  'database',
  'provider',
  'shutting_down',
  COMPUTING,
  'other',
] as const

const REMOVED: readonly RemovedKind[] = ['texts', 'audit', 'events', 'snapshots']
const LOGINS: readonly AttemptOutcome[] = ['succeeded', 'failed', 'refused']
const MAILS: readonly MailOutcome[] = ['sent', 'failed', 'given_up']
const ATTEMPTS: readonly Attempt['outcome'][] = ['delivered', 'failed', 'gone', 'throttled']
const EVENTS = ['counted', 'quarantined'] as const

/** From a cached score (under a millisecond) to the statement timeout. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Up to the largest batch. */
const BATCH_EVENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** From a receiver on the same network to the time-out of a delivery. */
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

interface CounterSpec {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly values: readonly string[]
}

const COUNTERS = {
  limited: {
    name: 'standing_rate_limited_total',
    help: 'Requests, and events of batches, refused because of a limit (429), by limit',
    label: 'limit',
    values: LIMITS,
  },
  unavailable: {
    name: 'standing_unavailable_total',
    help: 'Requests that were not served (503), by reason',
    label: 'reason',
    values: REASONS,
  },
  logins: {
    name: 'standing_logins_total',
    help: 'Sign-ins by password, by outcome',
    label: 'outcome',
    values: LOGINS,
  },
  mails: {
    name: 'standing_mails_total',
    help: 'Attempts to send a mail, by outcome',
    label: 'outcome',
    values: MAILS,
  },
  events: {
    name: 'standing_events_total',
    help: 'Events stored, by whether they count or are quarantined for review',
    label: 'outcome',
    values: EVENTS,
  },
  attempts: {
    name: 'standing_webhook_attempts_total',
    help: 'Webhook delivery attempts, by outcome',
    label: 'outcome',
    values: ATTEMPTS,
  },
  removed: {
    name: 'standing_retention_removed_total',
    help: 'Rows whose content was removed because of their age, by kind',
    label: 'kind',
    values: REMOVED,
  },
} as const satisfies Readonly<Record<string, CounterSpec>>

const HISTOGRAMS = {
  batchEvents: {
    name: 'standing_ingest_batch_events',
    help: 'Events committed in one transaction',
    buckets: BATCH_EVENTS,
  },
  batchSeconds: {
    name: 'standing_ingest_batch_seconds',
    help: 'Duration of one transaction of events, its commit included',
    buckets: SECONDS,
  },
  attemptSeconds: {
    name: 'standing_webhook_attempt_seconds',
    help: 'Time from an attempt to the response of the receiver, or to the failure',
    buckets: ATTEMPT_SECONDS,
  },
} as const

export function createCounters(registry: Registry): Counters {
  const registers = [registry]
  const limited = labelledCounter(registers, COUNTERS.limited)
  const unavailable = labelledCounter(registers, COUNTERS.unavailable)
  const logins = labelledCounter(registers, COUNTERS.logins)
  const mails = labelledCounter(registers, COUNTERS.mails)
  const events = labelledCounter(registers, COUNTERS.events)
  const attempts = labelledCounter(registers, COUNTERS.attempts)
  const removed = labelledCounter(registers, COUNTERS.removed)
  const batchEvents = new Histogram({ ...HISTOGRAMS.batchEvents, registers })
  const batchSeconds = new Histogram({ ...HISTOGRAMS.batchSeconds, registers })
  const attemptSeconds = new Histogram({ ...HISTOGRAMS.attemptSeconds, registers })
  const imported = new Counter({
    name: 'standing_imported_events_total',
    help: 'Events stored by imports of a past',
    registers,
  })
  return {
    refused({ code, details }) {
      if (code === 'RATE_LIMIT_EXCEEDED') {
        limited(oneOf(LIMITS, details.limit))
      } else if (code === 'SERVICE_UNAVAILABLE') {
        unavailable(oneOf(REASONS, details.reason))
      }
    },
    loginAttempted: (outcome) => logins(outcome),
    mailAttempted: (outcome) => mails(outcome),
    imported: (number) => imported.inc(number),
    removed: (kind, number) => removed(kind, number),
    batchCommitted({ events: all, quarantined, seconds }) {
      events('counted', all - quarantined)
      events('quarantined', quarantined)
      batchEvents.observe(all)
      batchSeconds.observe(seconds)
    },
    attempted({ outcome, durationMs }) {
      attempts(outcome)
      attemptSeconds.observe(durationMs / 1000)
    },
  }
}

/** Every value of the label is there from the start: an alert on a rate needs the zero before the one. */
function labelledCounter(registers: Registry[], { name, help, label, values }: CounterSpec) {
  const counter = new Counter({ name, help, labelNames: [label], registers })
  for (const value of values) {
    counter.inc({ [label]: value }, 0)
  }
  return (value: string, number = 1) => counter.inc({ [label]: value }, number)
}

/** A label has no value that the code does not name. */
function oneOf<T extends string>(values: readonly T[], value: unknown): T | 'other' {
  return values.find((one) => one === value) ?? 'other'
}
