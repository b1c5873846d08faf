import { amountUsd } from '../domain/event-weight.ts'
import { log2 } from '../domain/math.ts'
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import { DIGEST_LENGTH, fingerprint, ofLatest, shapeOf } from './digest.ts'
import type { InspectedEvent } from './rule.ts'

/**
 * What is remembered of an agent's events to judge the next one: small, and bounded, since it is read and
 * written with every event. Days are days of receipt since 1970: a reporter may state any time for an
 * event, but cannot change how long it has been reporting.
 */
export interface BehaviourProfile {
  /** Digests of the last events whose reporter said when they happened, run together, newest last. */
  readonly recent: string
  /** The latest minute in which anything happened, and how much did. */
  readonly minute: { readonly startedAt: number; readonly self: number; readonly platform: number }
  /**
   * Shapes of late detailed events, with the time last given for each and how often in a row: three figures
   * each, run together, newest last.
   */
  readonly nearDuplicates: readonly number[]
  /** Good payments with an amount: how many, and the mean of log2(1 + dollars). */
  readonly payments: { readonly count: number; readonly mean: number }
  /** The platforms that reported on it, the first of them apart, later ones together under ''. */
  readonly reporters: readonly KnownReporter[]
  /** Tasks and payments by their reporters' names, run together, newest last. */
  readonly named: string
  readonly days: Days
  /** Events with a stated time: how many, and how many of them at an end of the accepted range. */
  readonly given: { readonly all: number; readonly edge: number }
  /** The types of credentials that were issued to it, by issuer. */
  readonly credentialTypes: readonly CredentialTypeUse[]
  /** Share of good events of late, over about a hundred and about ten, and how many there were. */
  readonly goodShare: { readonly count: number; readonly long: number; readonly short: number }
}

/**
 * A type of credential, how many of it one issuer issued and did not revoke, and what the next one that is
 * revoked counts.
 */
export interface CredentialTypeUse {
  /** Empty for the agent's own side. */
  readonly issuer: string
  readonly tag: string
  readonly count: number
  readonly share: number
}

export interface KnownReporter {
  readonly tag: string
  readonly good: number
  readonly bad: number
  /** Reports within an hour of the event, and later ones. */
  readonly prompt: number
  readonly late: number
  /** The last day it reported, on how many it was, and how many events, good and bad, on that last one. */
  readonly day: number
  readonly days: number
  readonly today: number
}

export interface Days {
  /** The last day with events; −1 before the first. */
  readonly last: number
  /** Good events on the last day. */
  readonly goodToday: number
  /** Good events a day, over about the last ten days with events. */
  readonly usual: number
  /** Days with events before the last. */
  readonly active: number
  /** The day on which it came back from a long quiet (−1: never), and good events since. */
  readonly reactivatedOn: number
  readonly sinceReactivated: number
  /** On the last day: events, good and bad, by platforms of its owner's, and credentials issued by its owner's side. */
  readonly ownPlatform: number
  readonly ownCredentials: number
}

export const EMPTY_PROFILE: BehaviourProfile = {
  recent: '',
  minute: { startedAt: 0, self: 0, platform: 0 },
  nearDuplicates: [],
  payments: { count: 0, mean: 0 },
  reporters: [],
  named: '',
  days: {
    last: -1,
    goodToday: 0,
    usual: 0,
    active: 0,
    reactivatedOn: -1,
    sinceReactivated: 0,
    ownPlatform: 0,
    ownCredentials: 0,
  },
  given: { all: 0, edge: 0 },
  credentialTypes: [],
  goodShare: { count: 0, long: 1, short: 1 },
}

/** The form that is written to; all others have BehaviourProfile. */
export interface MutableProfile {
  recent: string
  minute: Writable<BehaviourProfile['minute']>
  nearDuplicates: number[]
  payments: Writable<BehaviourProfile['payments']>
  reporters: Writable<KnownReporter>[]
  named: string
  days: Writable<Days>
  given: Writable<BehaviourProfile['given']>
  credentialTypes: readonly CredentialTypeUse[]
  goodShare: Writable<BehaviourProfile['goodShare']>
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** A copy that nothing else refers to. */
export function copyOfProfile(profile: BehaviourProfile): MutableProfile {
  return {
    recent: profile.recent,
    minute: { ...profile.minute },
    nearDuplicates: profile.nearDuplicates.slice(),
    payments: { ...profile.payments },
    reporters: profile.reporters.map((one) => ({ ...one })),
    named: profile.named,
    days: { ...profile.days },
    given: { ...profile.given },
    credentialTypes: profile.credentialTypes,
    goodShare: { ...profile.goodShare },
  }
}

/** A month without an event is a long quiet (attack A5's sleeping variant). */
export const QUIET_DAYS = 30
export function minuteOf(time: number): number {
  return time - (time % MINUTE_MS)
}

/** Reporters whose tags are cached: every event asks for that of its reporter several times. */
const TAGS_MAX = 1_024

const tags = new Map<string, string>()

/** A short name for a reporter. The service creates the ids: an attacker cannot choose one that collides. */
export function tagOf(reporterId: string): string {
  const known = tags.get(reporterId)
  if (known !== undefined) {
    return known
  }
  const tag = fingerprint([reporterId])
  if (tags.size >= TAGS_MAX) {
    tags.clear()
  }
  tags.set(reporterId, tag)
  return tag
}

/** Stands for the platforms that came too late to be counted apart. */
export const POOL = ''

/** What a reporter reported so far; null for one without reports, or only in the pool. */
export function knownReporter(
  { reporters }: BehaviourProfile,
  reporterId: string,
): KnownReporter | null {
  return withTag(reporters, tagOf(reporterId))
}

export function withTag<T extends KnownReporter>(reporters: readonly T[], tag: string): T | null {
  for (const reporter of reporters) {
    if (reporter.tag === tag) {
      return reporter
    }
  }
  return null
}

/** A task or payment under its reporter's own name for it. */
export const nameOf = ofLatest(({ externalId }) =>
  externalId === null ? null : fingerprint([externalId]),
)

/** What `named` holds of one: its name, whether it went well, and who said so. */
export const NAMED_LENGTH = 2 * DIGEST_LENGTH + 1

/** Events this near to an end of the time that is taken are at its edge. */
const EDGE_SHARE = 0.01
const EDGE_MAX_MS = 6 * HOUR_MS
/** A report may be dated up to 5 minutes ahead; more than 4 is hardly the error of a clock. */
const AHEAD_EDGE_MS = 4 * MINUTE_MS

/** Whether its stated time is at an end of the accepted range. */
export function atEdge(event: InspectedEvent): boolean {
  if (!hasStatedTime(event)) {
    return false
  }
  const { occurredAt, oldestAt, at } = event
  const edge = Math.min(EDGE_MAX_MS, EDGE_SHARE * (at - oldestAt))
  return occurredAt < oldestAt + edge || occurredAt > at + AHEAD_EDGE_MS
}

/**
 * Whether the reporter said at which time it happened. A whole minute is what a reporter sends that knows only the day,
 * in its time zone, the hour or the minute: two of its events have one such time by chance.
 */
export function isTimed({ occurredAt, occurredAtGiven }: InspectedEvent): boolean {
  return occurredAtGiven && occurredAt % MINUTE_MS !== 0
}

/** Whether it has a stated time, also a round one. Midnight in UTC is a day. */
export function hasStatedTime({ occurredAt, occurredAtGiven }: InspectedEvent): boolean {
  return occurredAtGiven && occurredAt % DAY_MS !== 0
}

/** Events of one day whose stated times are within so much of each other are near. */
const NEAR_MS = 10_000

/**
 * The time by which events with the same figures may be copies: the stated one, or the day of receipt for those
 * without a time and a name. Null for one that has only a name, or no figure that does not come about twice by chance.
 * At a whole minute any figure will do: such a reporter gives many events one time.
 */
export const copyTimeOf = ofLatest((event): number | null => {
  const hasTime = hasStatedTime(event)
  if (isDetailed(event) && hasTime) {
    return event.occurredAt
  }
  if (event.externalId !== null) {
    return null
  }
  if (isDetailed(event)) {
    return dayOf(event.at) * DAY_MS
  }
  return hasTime && !isTimed(event) && hasFigures(event) ? event.occurredAt : null
})

function hasFigures({ data }: InspectedEvent): boolean {
  const { amount, duration, responseTimeMs } = data
  return amount !== undefined || duration !== undefined || responseTimeMs !== undefined
}

/** How many events that may be copies of this one came before it on the same day, each near the one before. */
export function copiesBefore({ nearDuplicates }: BehaviourProfile, event: InspectedEvent): number {
  const time = copyTimeOf(event)
  if (time === null) {
    return 0
  }
  const place = placeOfShape(nearDuplicates, shapeOf(event))
  if (place === nearDuplicates.length) {
    return 0
  }
  const last = nearDuplicates[place + 1] as number
  const isNear = dayOf(time) === dayOf(last) && Math.abs(time - last) <= NEAR_MS
  return isNear ? (nearDuplicates[place + 2] as number) : 0
}

/**
 * How much of an event counts, 0 to 1, after those that it may be a copy of: the nth counts 1/n. A thousand copies
 * count as seven and a half events. Good and bad ones are counted together, so that an agent with one price keeps
 * the rate that it has.
 */
export function copyShare(profile: BehaviourProfile, event: InspectedEvent): number {
  return 1 / (1 + copiesBefore(profile, event))
}

/** What `nearDuplicates` holds of one: its shape, the time last given for it, and how often in a row. */
export const NEAR_DUPLICATE_LENGTH = 3

/** Where the near duplicates of a shape are; beyond the last if there are none. */
export function placeOfShape(duplicates: readonly number[], shape: number): number {
  let place = 0
  while (place < duplicates.length && duplicates[place] !== shape) {
    place += NEAR_DUPLICATE_LENGTH
  }
  return place
}

/** Figures with this many digits do not come about twice by chance: 149.37, not 150 or 1200. */
const DETAIL_DIGITS = 4

/** A site that is up 99.99 % of the time is so in every report, so that figure shows no copy. */
function isDetailed({ data }: InspectedEvent): boolean {
  return hasDetail(data.amount) || hasDetail(data.duration) || hasDetail(data.responseTimeMs)
}

function hasDetail(figure: number | undefined): boolean {
  return figure !== undefined && digitsOf(figure) >= DETAIL_DIGITS
}

const ZERO = 48
const NINE = 57
const EXPONENT = 101

/** Digits of the number as it is written, without zeros at either end. */
function digitsOf(value: number): number {
  return value === (value | 0) && value >= 0 ? digitsOfInteger(value) : digitsInText(String(value))
}

/** Without a text, which takes several times as long. */
function digitsOfInteger(value: number): number {
  let rest = value | 0
  while (rest > 0 && rest % 10 === 0) {
    rest = (rest / 10) | 0
  }
  let count = 0
  while (rest > 0) {
    rest = (rest / 10) | 0
    count += 1
  }
  return count
}

function digitsInText(text: string): number {
  let count = 0
  let first = 0
  let last = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === EXPONENT) {
      break
    }
    if (unit >= ZERO && unit <= NINE) {
      count += 1
      if (unit > ZERO) {
        first = first === 0 ? count : first
        last = count
      }
    }
  }
  return first === 0 ? 0 : last - first + 1
}

/** log2(1 + dollars) of a payment made; null of everything else. */
export function paidLog2({ type, data }: InspectedEvent): number | null {
  const usd = type === 'payment.completed' ? amountUsd(data) : 0
  return usd > 0 ? log2(1 + usd) : null
}
