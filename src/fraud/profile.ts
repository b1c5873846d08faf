import { amountUsd } from '../domain/event-weight.ts'
import { log2 } from '../domain/math.ts'
import { DIGEST_LENGTH, fingerprint, ofLatest } from './digest.ts'
import type { InspectedEvent } from './rule.ts'

/**
 * What is remembered of an agent's events to judge the next one: small, and bounded, since it is read and
 * written with every event. Days are days of receipt since 1970: a reporter may state any time for an
 * event, but cannot change how long it has been reporting. It is flat, because an object for each part is another place
 * in memory: with thousands of agents, an event took a tenth longer.
 */
export interface BehaviourProfile {
  /** Digests of the last events whose reporter said when they happened, run together, newest last. */
  readonly recent: string
  /** The latest minute in which anything happened, and how much did, by its own side and by platforms. */
  readonly minuteAt: number
  readonly ownInMinute: number
  readonly platformInMinute: number
  /**
   * Shapes of late detailed events, with the time last given for each, how many good and bad ones came in a row, as how
   * many these counted, and what bad ones are owed: seven figures each, run together, newest last (`copies.ts`).
   */
  readonly nearDuplicates: readonly number[]
  /** Good payments with an amount: how many, and the mean of log2(1 + dollars). */
  readonly payments: number
  readonly paymentMean: number
  /** The platforms that reported on it, the first of them apart, later ones together under ''. */
  readonly reporters: readonly KnownReporter[]
  /** Tasks and payments by their reporters' names, run together, newest last. */
  readonly named: string
  /** The last day with events; −1 before the first. */
  readonly lastDay: number
  /** Good events on the last day. */
  readonly goodToday: number
  /** Good events a day, over about the last ten days with events. */
  readonly usualGood: number
  /** Days with events before the last. */
  readonly activeDays: number
  /** The day on which it came back from a long quiet (−1: never), and good events since. */
  readonly reactivatedOn: number
  readonly sinceReactivated: number
  /** On the last day: events, good and bad, by platforms of its owner's, and credentials issued by its owner's side. */
  readonly ownPlatformToday: number
  readonly ownCredentialsToday: number
  /** Events with a stated time: how many, and how many of them at an end of the accepted range. */
  readonly timed: number
  readonly timedAtEdge: number
  /** The types of credentials that were issued to it, by issuer. */
  readonly credentialTypes: readonly CredentialTypeUse[]
  /** Events of which the share of good ones is known, over about the last hundred and ten of them. */
  readonly rated: number
  readonly goodShareLong: number
  readonly goodShareShort: number
}

/** A type of credential of one issuer. */
export interface CredentialTypeUse {
  /** Empty for the agent's own side. */
  readonly issuer: string
  readonly tag: string
  /** How many it issued and did not revoke. */
  readonly count: number
  /** How much of the first one counts. It decays, and a further one restores it. */
  readonly share: number
  /** The day of the last one that was issued, since 1970; −1 where it is not known. */
  readonly issuedOn: number
  /** A fingerprint of that one's id; empty where it is not known. */
  readonly latest: string
}

export interface KnownReporter {
  readonly tag: string
  readonly good: number
  readonly bad: number
  /** Reports within an hour of the event, and later ones. */
  readonly prompt: number
  readonly late: number
  /** The last day it reported, on how many it was, and how many events, good and bad, on that last one; how many of
   *  them are comparable (`isComparable`) and not quarantined; of these the bad ones, the payments, and the bad payments. */
  readonly day: number
  readonly days: number
  readonly today: number
  readonly comparableToday: number
  readonly badToday: number
  readonly paidToday: number
  readonly paidBadToday: number
}

export const EMPTY_PROFILE: BehaviourProfile = {
  recent: '',
  minuteAt: 0,
  ownInMinute: 0,
  platformInMinute: 0,
  nearDuplicates: [],
  payments: 0,
  paymentMean: 0,
  reporters: [],
  named: '',
  lastDay: -1,
  goodToday: 0,
  usualGood: 0,
  activeDays: 0,
  reactivatedOn: -1,
  sinceReactivated: 0,
  ownPlatformToday: 0,
  ownCredentialsToday: 0,
  timed: 0,
  timedAtEdge: 0,
  credentialTypes: [],
  rated: 0,
  goodShareLong: 1,
  goodShareShort: 1,
}

/** The form that is written to; all others have BehaviourProfile. */
export type MutableProfile = Omit<Writable<BehaviourProfile>, 'nearDuplicates' | 'reporters'> & {
  nearDuplicates: number[]
  reporters: Writable<KnownReporter>[]
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** A copy that nothing else refers to. Spelt out: to spread takes several times as long. */
export function copyOfProfile(profile: BehaviourProfile): MutableProfile {
  return {
    recent: profile.recent,
    minuteAt: profile.minuteAt,
    ownInMinute: profile.ownInMinute,
    platformInMinute: profile.platformInMinute,
    nearDuplicates: profile.nearDuplicates.slice(),
    payments: profile.payments,
    paymentMean: profile.paymentMean,
    reporters: profile.reporters.map(copyOfReporter),
    named: profile.named,
    lastDay: profile.lastDay,
    goodToday: profile.goodToday,
    usualGood: profile.usualGood,
    activeDays: profile.activeDays,
    reactivatedOn: profile.reactivatedOn,
    sinceReactivated: profile.sinceReactivated,
    ownPlatformToday: profile.ownPlatformToday,
    ownCredentialsToday: profile.ownCredentialsToday,
    timed: profile.timed,
    timedAtEdge: profile.timedAtEdge,
    credentialTypes: profile.credentialTypes,
    rated: profile.rated,
    goodShareLong: profile.goodShareLong,
    goodShareShort: profile.goodShareShort,
  }
}

function copyOfReporter(reporter: KnownReporter): Writable<KnownReporter> {
  const { tag, good, bad, prompt, late, day, days, today } = reporter
  const { comparableToday, badToday, paidToday, paidBadToday } = reporter
  return {
    tag,
    good,
    bad,
    prompt,
    late,
    day,
    days,
    today,
    comparableToday,
    badToday,
    paidToday,
    paidBadToday,
  }
}

/** A month without an event is a long quiet (attack A5's sleeping variant). */
export const QUIET_DAYS = 30

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

/** log2(1 + dollars) of a payment made; null of everything else. */
export function paidLog2({ type, data }: InspectedEvent): number | null {
  const usd = type === 'payment.completed' ? amountUsd(data) : 0
  return usd > 0 ? log2(1 + usd) : null
}
