/** Why a score is where it is, in a closed list of codes: what anyone may know. */

import { type Attribution, votersOf } from './attribution.ts'
import { isHandover } from './event.ts'
import { eventCount } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreLimits } from './score-limits.ts'
import { HIGH_EVENTS_MIN, MEDIUM_EVENTS_MIN } from './tiers.ts'
import { DAY_MS } from './time.ts'

/** `lowers` and `raises` say what it does; `limits` what it keeps the score from. */
export type Effect = 'lowers' | 'raises' | 'limits'

export const REASONS = {
  no_events: { effect: 'limits', sentence: 'Nothing has been reported about this agent yet.' },
  recent_failures: { effect: 'lowers', sentence: 'Bad events of the last 30 days cost points.' },
  task_failures: { effect: 'lowers', sentence: 'Failed work has cost points.' },
  payment_failures: {
    effect: 'lowers',
    sentence: 'Failed, late or disputed payments cost points.',
  },
  credential_revoked: { effect: 'lowers', sentence: 'A credential of the agent was revoked.' },
  quarantined_events: {
    effect: 'limits',
    sentence: 'Some events are quarantined, or were found wrong, and do not count.',
  },
  former_agent: {
    effect: 'limits',
    sentence:
      'An agent of its owner or former owner limits it; this limit rises with its tenure, for a year.',
  },
  new_owner: {
    effect: 'limits',
    sentence: 'It passed to another owner; its tenure began again, and its credentials ended.',
  },
  succeeded: {
    effect: 'limits',
    sentence: 'It replaced an agent: the reports are all carried over, of the tenure a half.',
  },
  has_parent: {
    effect: 'limits',
    sentence: 'It acts for another agent, and scores no higher than that one.',
  },
  child_failures: {
    effect: 'lowers',
    sentence: 'Bad events of agents that act for it have cost points.',
  },
  disputed: {
    effect: 'limits',
    sentence: 'Platforms disagree about this agent: some report mostly good, some mostly bad.',
  },
  few_events: {
    effect: 'limits',
    sentence: `Fewer than ${MEDIUM_EVENTS_MIN} events count: not enough for a confident score.`,
  },
  self_reported_only: {
    effect: 'limits',
    sentence: 'Only the agent itself or its owner has reported; that weighs a tenth.',
  },
  single_reporter: {
    effect: 'limits',
    sentence:
      'A single platform has reported, or several of one owner; others would have to confirm it.',
  },
  young: {
    effect: 'limits',
    sentence: `It has fewer than ${MODEL.maturityDays} days of tenure: good reports do not count in full yet.`,
  },
  inactive: { effect: 'limits', sentence: 'Nothing has been reported for 30 days or more.' },
  no_tasks: { effect: 'limits', sentence: 'Nothing is known of its work.' },
  no_payments: { effect: 'limits', sentence: 'Nothing is known of its payments.' },
  unverified_identity: {
    effect: 'limits',
    sentence: 'It has no credential of a platform.',
  },
  good_work: { effect: 'raises', sentence: 'Completed work has brought points.' },
  good_payments: { effect: 'raises', sentence: 'Payments made on time have brought points.' },
  verified_identity: { effect: 'raises', sentence: 'A platform has issued a credential to it.' },
  several_reporters: {
    effect: 'raises',
    sentence: 'Several independent platforms have reported about it.',
  },
  long_record: {
    effect: 'raises',
    sentence: `At least ${HIGH_EVENTS_MIN} events count: a strong signal.`,
  },
} as const satisfies Record<string, { effect: Effect; sentence: string }>

export type ReasonCode = keyof typeof REASONS

/** Bad news of this many days is recent. */
export const RECENT_DAYS = 30

/** Points below which something is not worth naming. */
const POINTS_MIN = 1

export interface Facts {
  readonly attribution: Attribution
  readonly at: number
  readonly quarantined: number
  /** Points lost to bad events of the last RECENT_DAYS. */
  readonly recentLoss: number
  readonly isDisputed: boolean
}

/** The reasons that hold, what lowers and limits first. A limit is a reason while it takes points. */
export function reasonsOf(facts: Facts): readonly ReasonCode[] {
  const { attribution, at, quarantined, recentLoss, isDisputed } = facts
  const { evidence, types, lastAt } = attribution
  const platforms = votersOf(attribution)
  const { reliabilityCount, financialCount, selfCount, handoverCount } = evidence
  const events = eventCount(evidence)
  const isKnown = reliabilityCount + financialCount > 0 || isReportedOn(types)
  const limits = scoreLimits(MODEL, evidence, at)
  // What discarded reports had cost or brought.
  const { points: undone } = types.get('reports.discarded') ?? { points: 0 }
  const lost = (prefix: string) => pointsOf(types, prefix, -1) - Math.max(0, undone) >= POINTS_MIN
  const won = (prefix: string) => pointsOf(types, prefix, 1) + Math.min(0, undone) >= POINTS_MIN
  const holds: Record<ReasonCode, boolean> = {
    no_events: !isKnown,
    recent_failures: recentLoss >= POINTS_MIN,
    task_failures: lost('task.') || lost('error.'),
    payment_failures: lost('payment.'),
    credential_revoked: limits.revocations >= POINTS_MIN,
    quarantined_events: quarantined > 0,
    former_agent: limits.ceiling >= POINTS_MIN,
    new_owner: types.has('agent.transferred') && limits.transfer >= POINTS_MIN,
    succeeded: types.has('agent.succeeded') && limits.succession >= POINTS_MIN,
    has_parent: limits.parentCeiling >= POINTS_MIN,
    child_failures: lost('child.'),
    disputed: isDisputed,
    few_events: isKnown && events < MEDIUM_EVENTS_MIN,
    self_reported_only: isKnown && events === selfCount + handoverCount,
    single_reporter: platforms === 1,
    young: limits.youth >= POINTS_MIN,
    inactive: lastAt !== null && at - lastAt >= RECENT_DAYS * DAY_MS,
    no_tasks: isKnown && reliabilityCount === 0,
    no_payments: isKnown && financialCount === 0,
    unverified_identity: evidence.verified <= 0 && limits.noCredential >= POINTS_MIN,
    good_work: won('task.') || won('uptime.'),
    good_payments: won('payment.'),
    verified_identity: limits.credentials <= -POINTS_MIN,
    several_reporters: platforms > 1,
    long_record: events >= HIGH_EVENTS_MIN,
  }
  return (Object.keys(REASONS) as ReasonCode[]).filter((code) => holds[code])
}

/** Whether the log has more than changes of hands and ceilings, which the service itself records. */
function isReportedOn(types: Attribution['types']): boolean {
  return [...types.keys()].some((type) => !isHandover(type))
}

/** Points won (or lost, as a positive number) by the types that begin with a prefix. */
function pointsOf(types: Attribution['types'], prefix: string, sign: 1 | -1): number {
  let sum = 0
  for (const [type, { points }] of types) {
    if (type.startsWith(prefix) && points * sign > 0) {
      sum += points * sign
    }
  }
  return sum
}
