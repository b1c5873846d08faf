import { type EventType, isPayment } from '../domain/event.ts'
import { dayOf, HOUR_MS } from '../domain/time.ts'
import { isComparable } from './comparison.ts'
import { addCopy } from './copies.ts'
import { keptCredentialTypes, nextCredentialTypes } from './credential-types.ts'
import { DIGEST_LENGTH, digestOf, placeOfEntry } from './digest.ts'
import {
  type KnownReporter,
  type MutableProfile,
  NAMED_LENGTH,
  nameOf,
  POOL,
  paidLog2,
  QUIET_DAYS,
  tagOf,
  type Writable,
  withTag,
} from './profile.ts'
import type { InspectedEvent } from './rule.ts'
import { atEdge, hasStatedTime, isTimed, minuteOf } from './times.ts'

/** Copies come back soon after the original; forty-eight cover half an hour at the cap of 100. */
const RECENT_MAX = 48
/** As many as most agents ever have; the model itself distinguishes 24. */
const REPORTERS_MAX = 8
/** Two parties report the same task within a short while. */
const NAMED_MAX = 16
/** Memory of the means below: about the last ten days, fifty payments, hundred and ten events. */
const USUAL_KEPT = 0.9
const PAYMENTS_KEPT = 0.98
const LONG_KEPT = 0.99
const SHORT_KEPT = 0.9

/**
 * Adds an event to a profile, which is returned. What was quarantined is remembered too, so that a flood
 * does not look new at every event; only as a measure of what is usual it does not serve.
 */
export function updateProfile(
  profile: MutableProfile,
  event: InspectedEvent,
  isQuarantined = false,
): MutableProfile {
  if (isTimed(event)) {
    profile.recent = withDigest(profile.recent, digestOf(event))
  }
  if (hasStatedTime(event)) {
    profile.timed += 1
    profile.timedAtEdge += atEdge(event) ? 1 : 0
  }
  addToMinute(profile, event)
  addCopy(profile, event)
  if (event.reporter.kind === 'platform') {
    addReporter(profile.reporters, event, isQuarantined)
  }
  addName(profile, event)
  addToDays(profile, event)
  // Quarantined or not, so that what is released counts as if it never had been quarantined.
  profile.credentialTypes = nextCredentialTypes(profile, event)
  if (!isQuarantined) {
    addPayment(profile, event)
    if (!event.self) {
      addToGoodShare(profile, event)
    }
  }
  return profile
}

/** Changes a profile by an event of the service itself, which no rule inspects, and returns it. */
export function handOverProfile(profile: MutableProfile, type: EventType): MutableProfile {
  if (type === 'agent.transferred' || type === 'agent.succeeded') {
    profile.credentialTypes = keptCredentialTypes(profile)
  }
  return profile
}

function withDigest(recent: string, digest: string): string {
  return placeOfEntry(recent, digest, DIGEST_LENGTH) >= 0
    ? recent
    : lastOf(recent + digest, RECENT_MAX * DIGEST_LENGTH)
}

function lastOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(-length)
}

function addToMinute(profile: MutableProfile, event: InspectedEvent): void {
  const minute = minuteOf(event.occurredAt)
  if (minute < profile.minuteAt) {
    return
  }
  if (minute > profile.minuteAt) {
    profile.minuteAt = minute
    profile.ownInMinute = 0
    profile.platformInMinute = 0
  }
  if (event.self) {
    profile.ownInMinute += 1
  } else {
    profile.platformInMinute += 1
  }
}

function addPayment(profile: MutableProfile, event: InspectedEvent): void {
  const paid = paidLog2(event)
  if (paid === null) {
    return
  }
  profile.payments += 1
  // A plain mean at first, and one that decays once there are enough payments.
  const share = Math.max(1 / profile.payments, 1 - PAYMENTS_KEPT)
  profile.paymentMean = rounded(profile.paymentMean + share * (paid - profile.paymentMean))
}

function addReporter(
  reporters: MutableProfile['reporters'],
  event: InspectedEvent,
  isQuarantined: boolean,
): void {
  const tag = tagOf(event.reporter.id)
  const known = withTag(reporters, tag) ?? (isFull(reporters) ? withTag(reporters, POOL) : null)
  if (known) {
    addReport(known, event, isQuarantined)
  } else {
    const added = { ...NEW_REPORTER, tag: isFull(reporters) ? POOL : tag }
    addReport(added, event, isQuarantined)
    reporters.push(added)
  }
}

function isFull(reporters: readonly KnownReporter[]): boolean {
  return reporters.length - (withTag(reporters, POOL) ? 1 : 0) >= REPORTERS_MAX
}

const NEW_REPORTER: KnownReporter = {
  tag: '',
  good: 0,
  bad: 0,
  prompt: 0,
  late: 0,
  day: -1,
  days: 0,
  today: 0,
  comparableToday: 0,
  badToday: 0,
  paidToday: 0,
  paidBadToday: 0,
}

function addReport(
  reporter: Writable<KnownReporter>,
  { type, impact, occurredAt, at }: InspectedEvent,
  isQuarantined: boolean,
): void {
  if (impact === 'positive') {
    reporter.good += 1
  } else {
    reporter.bad += 1
  }
  if (at - occurredAt <= HOUR_MS) {
    reporter.prompt += 1
  } else if (!isQuarantined) {
    // Late reports that were quarantined do not make late reports usual.
    reporter.late += 1
  }
  const day = dayOf(at)
  if (day === reporter.day) {
    reporter.today += 1
  } else {
    reporter.day = day
    reporter.days += 1
    reporter.today = 1
    reporter.comparableToday = 0
    reporter.badToday = 0
    reporter.paidToday = 0
    reporter.paidBadToday = 0
  }
  // One that is quarantined is not compared, so the next one may be the first of the day.
  if (!isQuarantined && isComparable(type)) {
    const bad = impact === 'positive' ? 0 : 1
    const paid = isPayment(type) ? 1 : 0
    reporter.comparableToday += 1
    reporter.badToday += bad
    reporter.paidToday += paid
    reporter.paidBadToday += bad * paid
  }
}

function addName(profile: MutableProfile, event: InspectedEvent): void {
  const name = nameOf(event)
  if (name === null || event.self) {
    return
  }
  const sign = event.impact === 'positive' ? '+' : '-'
  const named = profile.named + name + sign + tagOf(event.reporter.id)
  profile.named = lastOf(named, NAMED_MAX * NAMED_LENGTH)
}

function addToDays(profile: MutableProfile, event: InspectedEvent): void {
  const day = dayOf(event.at)
  const good = event.impact === 'positive' ? 1 : 0
  if (day !== profile.lastDay) {
    beginDay(profile, day)
  }
  profile.goodToday += good
  profile.sinceReactivated = profile.reactivatedOn < 0 ? 0 : profile.sinceReactivated + good
  profile.ownPlatformToday += event.self && event.reporter.kind === 'platform' ? 1 : 0
  profile.ownCredentialsToday += event.self && event.type === 'credential.issued' ? 1 : 0
}

function beginDay(profile: MutableProfile, day: number): void {
  if (profile.lastDay >= 0) {
    const share = Math.max(1 / (profile.activeDays + 1), 1 - USUAL_KEPT)
    profile.usualGood = rounded(profile.usualGood + share * (profile.goodToday - profile.usualGood))
    profile.activeDays += 1
    if (day - profile.lastDay >= QUIET_DAYS) {
      profile.reactivatedOn = day
      profile.sinceReactivated = 0
    }
  }
  profile.lastDay = day
  profile.goodToday = 0
  profile.ownPlatformToday = 0
  profile.ownCredentialsToday = 0
}

function addToGoodShare(profile: MutableProfile, { impact }: InspectedEvent): void {
  const good = impact === 'positive' ? 1 : 0
  profile.rated += 1
  profile.goodShareLong = meanAfter(profile.goodShareLong, LONG_KEPT, profile.rated, good)
  profile.goodShareShort = meanAfter(profile.goodShareShort, SHORT_KEPT, profile.rated, good)
}

function meanAfter(before: number, kept: number, count: number, value: number): number {
  return rounded(before + Math.max(1 / count, 1 - kept) * (value - before))
}

/** Four decimals are precise enough, and keep the text short. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
