import { amountUsd } from '../domain/event-weight.ts'
import { log2 } from '../domain/math.ts'
import { DIGEST_LENGTH, fingerprint, ofLatest } from './digest.ts'
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
   * Shapes of late detailed events, with the time last given for each, how many good and bad ones came in a row, as how
   * many these counted, and what bad ones are owed: seven figures each, run together, newest last (`copies.ts`).
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
   *  them are comparable (`isComparable`) and not quarantined. */
  readonly day: number
  readonly days: number
  readonly today: number
  readonly comparableToday: number
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

/** A copy that nothing else refers to. Spelt out: to spread each part takes several times as long. */
export function copyOfProfile(profile: BehaviourProfile): MutableProfile {
  const { minute, payments, days, given, goodShare } = profile
  return {
    recent: profile.recent,
    minute: { startedAt: minute.startedAt, self: minute.self, platform: minute.platform },
    nearDuplicates: profile.nearDuplicates.slice(),
    payments: { count: payments.count, mean: payments.mean },
    reporters: profile.reporters.map(copyOfReporter),
    named: profile.named,
    days: {
      last: days.last,
      goodToday: days.goodToday,
      usual: days.usual,
      active: days.active,
      reactivatedOn: days.reactivatedOn,
      sinceReactivated: days.sinceReactivated,
      ownPlatform: days.ownPlatform,
      ownCredentials: days.ownCredentials,
    },
    given: { all: given.all, edge: given.edge },
    credentialTypes: profile.credentialTypes,
    goodShare: { count: goodShare.count, long: goodShare.long, short: goodShare.short },
  }
}

function copyOfReporter(reporter: KnownReporter): Writable<KnownReporter> {
  const { tag, good, bad, prompt, late, day, days, today, comparableToday } = reporter
  return { tag, good, bad, prompt, late, day, days, today, comparableToday }
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
