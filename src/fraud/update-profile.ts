import { HOUR_MS } from '../domain/time.ts'
import { DIGEST_LENGTH, digestOf, shapeOf } from './digest.ts'
import { nextCredentialTypes } from './kinds.ts'
import {
  atEdge,
  type BehaviourProfile,
  type Days,
  dayOf,
  type KnownReporter,
  knownReporter,
  minuteOf,
  NAMED_LENGTH,
  type NearDuplicate,
  nameOf,
  nearnessOf,
  POOL,
  paidLog2,
  QUIET_DAYS,
  tagOf,
  withShape,
  withTag,
} from './profile.ts'
import type { InspectedEvent } from './rule.ts'

/** Copies come back soon after the original; forty-eight cover half an hour at the cap of 100. */
const RECENT_MAX = 48
/** An attacker who mixes more shapes than this has little left of what makes copying easy. */
const TWINS_MAX = 8
/** As many as most agents ever have; the model itself tells 24 apart. */
const REPORTERS_MAX = 8
/** Two parties report the same task within a short while. */
const NAMED_MAX = 16
/** Memory of the means below: about the last ten days, fifty payments, hundred and ten events. */
const USUAL_KEPT = 0.9
const PAYMENTS_KEPT = 0.98
const LONG_KEPT = 0.99
const SHORT_KEPT = 0.9

/**
 * The habits after one more event. What was held is remembered too, so that a flood does not look
 * new at every event; only as a measure of what is usual it does not serve.
 */
export function updateProfile(
  profile: BehaviourProfile,
  event: InspectedEvent,
  held = false,
): BehaviourProfile {
  return {
    recent: event.occurredAtGiven
      ? lastOf(profile.recent + digestOf(event), RECENT_MAX * DIGEST_LENGTH)
      : profile.recent,
    minute: nextMinute(profile, event),
    nearDuplicates: nextTwins(profile, event),
    payments: held ? profile.payments : nextPayments(profile, event),
    reporters:
      event.reporter.kind === 'platform' ? nextReporters(profile, event, held) : profile.reporters,
    named: nextNamed(profile, event),
    days: nextDays(profile.days, event),
    given: nextGiven(profile, event),
    // Held or not, so that what is released counts as if it never had been held.
    credentialTypes: nextCredentialTypes(profile, event),
    form: event.self || held ? profile.form : nextForm(profile, event),
  }
}

function lastOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(-length)
}

function nextMinute(
  { minute }: BehaviourProfile,
  event: InspectedEvent,
): BehaviourProfile['minute'] {
  const startedAt = minuteOf(event.occurredAt)
  if (startedAt < minute.startedAt) {
    return minute
  }
  const same = startedAt === minute.startedAt
  return {
    startedAt,
    self: (same ? minute.self : 0) + (event.self ? 1 : 0),
    platform: (same ? minute.platform : 0) + (event.self ? 0 : 1),
  }
}

function nextTwins(
  { nearDuplicates: duplicates }: BehaviourProfile,
  event: InspectedEvent,
): readonly NearDuplicate[] {
  const nearness = nearnessOf(event)
  if (!nearness) {
    return duplicates
  }
  const { at, withinMs } = nearness
  const shape = shapeOf(event)
  const known = withShape(duplicates, shape)
  const near = known && Math.abs(known.at - at) <= withinMs
  const next = { shape, at, count: near ? known.count + 1 : 1 }
  const dropped = known ?? (duplicates.length >= TWINS_MAX ? duplicates[0] : undefined)
  const after: NearDuplicate[] = []
  for (const one of duplicates) {
    if (one !== dropped) {
      after.push(one)
    }
  }
  after.push(next)
  return after
}

function nextPayments(
  { payments }: BehaviourProfile,
  event: InspectedEvent,
): BehaviourProfile['payments'] {
  const paid = paidLog2(event)
  if (paid === null) {
    return payments
  }
  const count = payments.count + 1
  // A plain mean at first, one that forgets once there is enough to forget.
  const share = Math.max(1 / count, 1 - PAYMENTS_KEPT)
  return {
    count,
    mean: rounded(payments.mean + share * (paid - payments.mean)),
  }
}

function nextReporters(
  profile: BehaviourProfile,
  event: InspectedEvent,
  held: boolean,
): readonly KnownReporter[] {
  const { reporters } = profile
  const own = knownReporter(profile, event.reporter.id)
  const known = own ?? (isFull(reporters) ? withTag(reporters, POOL) : null)
  const next = reporters.slice()
  if (known) {
    next[reporters.indexOf(known)] = withReport(known, event, held)
  } else {
    const tag = isFull(reporters) ? POOL : tagOf(event.reporter.id)
    next.push(withReport({ ...NEW_REPORTER, tag }, event, held))
  }
  return next
}

function isFull(reporters: readonly KnownReporter[]): boolean {
  return reporters.length - (withTag(reporters, POOL) ? 1 : 0) >= REPORTERS_MAX
}

const NEW_REPORTER = { good: 0, bad: 0, prompt: 0, late: 0, day: -1, days: 0, today: 0 }

function withReport(reporter: KnownReporter, event: InspectedEvent, held: boolean): KnownReporter {
  const { impact, occurredAt, at } = event
  const isGood = impact === 'positive'
  const isPrompt = at - occurredAt <= HOUR_MS
  const day = dayOf(at)
  const same = day === reporter.day
  return {
    tag: reporter.tag,
    good: reporter.good + (isGood ? 1 : 0),
    bad: reporter.bad + (isGood ? 0 : 1),
    prompt: reporter.prompt + (isPrompt ? 1 : 0),
    // What was held for being late makes lateness no habit.
    late: reporter.late + (isPrompt || held ? 0 : 1),
    day,
    days: reporter.days + (same ? 0 : 1),
    today: same ? reporter.today + 1 : 1,
  }
}

function nextNamed({ named }: BehaviourProfile, event: InspectedEvent): string {
  const name = nameOf(event)
  if (name === null || event.self) {
    return named
  }
  const sign = event.impact === 'positive' ? '+' : '-'
  return lastOf(named + name + sign + tagOf(event.reporter.id), NAMED_MAX * NAMED_LENGTH)
}

function nextDays(days: Days, event: InspectedEvent): Days {
  const day = dayOf(event.at)
  const good = event.impact === 'positive' ? 1 : 0
  const ownPlatform = event.self && event.reporter.kind === 'platform' ? 1 : 0
  const ownCredentials = event.self && event.type === 'credential.issued' ? 1 : 0
  if (day === days.last) {
    return {
      last: days.last,
      usual: days.usual,
      active: days.active,
      reactivatedOn: days.reactivatedOn,
      today: days.today + good,
      sinceReactivated: days.reactivatedOn < 0 ? 0 : days.sinceReactivated + good,
      ownPlatform: days.ownPlatform + ownPlatform,
      ownCredentials: days.ownCredentials + ownCredentials,
    }
  }
  const isReactivated = days.last >= 0 && day - days.last >= QUIET_DAYS
  const share = Math.max(1 / (days.active + 1), 1 - USUAL_KEPT)
  return {
    last: day,
    today: good,
    usual: days.last < 0 ? 0 : rounded(days.usual + share * (days.today - days.usual)),
    active: days.last < 0 ? 0 : days.active + 1,
    reactivatedOn: isReactivated ? day : days.reactivatedOn,
    sinceReactivated: isReactivated
      ? good
      : days.reactivatedOn < 0
        ? 0
        : days.sinceReactivated + good,
    ownPlatform,
    ownCredentials,
  }
}

function nextGiven({ given }: BehaviourProfile, event: InspectedEvent): BehaviourProfile['given'] {
  if (!event.occurredAtGiven) {
    return given
  }
  return { all: given.all + 1, edge: given.edge + (atEdge(event) ? 1 : 0) }
}

function nextForm(
  { form }: BehaviourProfile,
  { impact }: InspectedEvent,
): BehaviourProfile['form'] {
  const good = impact === 'positive' ? 1 : 0
  const count = form.count + 1
  const mean = (before: number, kept: number) =>
    rounded(before + Math.max(1 / count, 1 - kept) * (good - before))
  return { count, long: mean(form.long, LONG_KEPT), short: mean(form.short, SHORT_KEPT) }
}

/** Four decimals are plenty for a habit, and keep the text short. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
