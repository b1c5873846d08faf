import type { AttemptRecord } from '../store/deliveries.ts'
import type { Job } from '../store/delivery-job.ts'
import type { AttemptWrite, HealthById, RecordDecision } from '../store/delivery-queue.ts'
import type { WebhookHealth } from '../store/webhooks.ts'
import type { EndedAttempt } from './attempt.ts'
import { afterAttempt, sendable } from './health.ts'
import { nextAttemptAt } from './schedule.ts'

export interface AttemptsDecision<J extends Job> extends RecordDecision<J> {
  /** Subscriptions to which nothing is sent for now, except for a probe. */
  readonly closed: readonly string[]
}

/**
 * Decides what ended attempts make of their deliveries and of the health of their subscriptions.
 * Pure: `random` gives [0, 1), and the queue may ask again after it has locked the subscriptions.
 */
export function decideAttempts<J extends Job>(
  ended: readonly EndedAttempt<J>[],
  health: HealthById,
  random: () => number,
): AttemptsDecision<J> {
  const changed = new Map<string, WebhookHealth>()
  for (const [id, before] of health) {
    const after = healthAfter(before, attemptsTo(id, ended))
    if (!isSame(before, after)) {
      changed.set(id, after)
    }
  }
  const now = Math.max(...ended.map(({ endedAt }) => endedAt))
  const ids = [...new Set(ended.map(({ job }) => job.subscriptionId))]
  const closed = ids.filter((id) => {
    const after = changed.get(id) ?? health.get(id)
    return after === undefined || sendable(after, now) !== 'any'
  })
  return { attempts: ended.map((one) => writeOf(one, random)), health: changed, closed }
}

function attemptsTo<J extends Job>(id: string, ended: readonly EndedAttempt<J>[]) {
  return ended
    .filter((one) => one.job.subscriptionId === id && countsForHealth(one))
    .toSorted((a, b) => a.endedAt - b.endedAt)
}

/** Failed attempts that an owner asked for do not count: the owner may be trying out a repaired receiver. */
function countsForHealth<J extends Job>({ job, attempt: { outcome } }: EndedAttempt<J>): boolean {
  return job.plannedAt === null || outcome === 'delivered' || outcome === 'gone'
}

function healthAfter<J extends Job>(
  health: WebhookHealth,
  ended: readonly EndedAttempt<J>[],
): WebhookHealth {
  return ended.reduce((now, { attempt, endedAt }) => afterAttempt(now, attempt, endedAt), health)
}

function isSame(a: WebhookHealth, b: WebhookHealth): boolean {
  return (Object.keys(b) as (keyof WebhookHealth)[]).every((key) => a[key] === b[key])
}

function writeOf<J extends Job>(
  { job, attempt, endedAt }: EndedAttempt<J>,
  random: () => number,
): AttemptWrite<J> {
  const { outcome, status, error, durationMs, responseStart, retryAfterMs } = attempt
  const at = endedAt - durationMs
  const record: AttemptRecord = { at, outcome, status, error, durationMs, responseStart }
  const scheduledAttempts = job.scheduledAttempts + 1
  const common = { job, endedAt, record, scheduledAttempts }
  if (outcome === 'delivered') {
    return { ...common, status: 'delivered', nextAttemptAt: endedAt }
  }
  // An attempt that its owner asked for leaves the schedule as it was.
  if (job.plannedAt !== null && job.plannedAt > endedAt) {
    const { plannedAt: nextAttemptAt, scheduledAttempts } = job
    return { ...common, status: 'pending', nextAttemptAt, scheduledAttempts }
  }
  const next = nextAttemptAt(scheduledAttempts, endedAt, random, retryAfterMs)
  return next === null
    ? { ...common, status: 'failed', nextAttemptAt: endedAt }
    : { ...common, status: 'pending', nextAttemptAt: next }
}
