/** What is remembered of an agent: a few sums, however long its history. */
import type { Dimension } from './event.ts'
import { SCORE_MAX } from './model.ts'
import { NO_OUTCOMES, type OutcomeCounts } from './outcome-counts.ts'

/** What one platform said. Replaced, never written to: most platforms stay as they are. */
export interface Source {
  /** Id of the platform; empty for the pool of those that came too late to be told apart. */
  readonly reporter: string
  readonly good: number
  readonly bad: number
  /** The part of bad that was said today. */
  readonly badToday: number
}

/** Evidence about work, or about money. */
export interface Track {
  eventCount: number
  /** In the order of their first report; at most PLATFORMS_MAX, then the pool. */
  sources: Source[]
  /** Self-reports of all kinds, at full size: the tenth is taken when they are read. */
  self: Source
  /** Mass of the latest events of platforms, together at most RECENT_MASS. */
  recentGood: number
  recentBad: number
  /** Day (since 1970) of the first good report of a platform, −1 before. */
  firstDay: number
  /** Days with a good report of a platform that are over. */
  activeDays: number
  /** 1 if today is such a day, else 0. */
  activeToday: number
}

export interface Payments {
  /** Weighted sum of log2(1 + dollars) of good payments, and of the weights. */
  usualSum: number
  usualWeight: number
  /** Mass given today for small good payments. */
  smallToday: number
}

export interface Identity {
  eventCount: number
  /** Credentials issued by platforms, and by the owner (at full size, bounded). */
  verified: number
  claimed: number
  /** Revocations by platforms, and by the owner. */
  revoked: number
  withdrawn: number
}

/** Counts of what platforms reported, for the forecast. Replaced, never written to. */
export interface Tallies {
  tasks: OutcomeCounts
  /** Uptime and errors: they stand in where no task is reported. */
  upkeep: OutcomeCounts
  payments: OutcomeCounts
}

/** The form that folding writes to; everyone else has Evidence. */
export interface MutableEvidence {
  registeredAt: number
  initialCeiling: number
  /** Milliseconds since 1970 of the last event, or of registration. */
  at: number
  selfReported: number
  reliability: Track
  financial: Track
  payments: Payments
  identity: Identity
  outcomeCounts: Tallies
}

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
export type Evidence = Frozen<MutableEvidence>

export function newSource(reporter: string): Source {
  return { reporter, good: 0, bad: 0, badToday: 0 }
}

function newTrack(): Track {
  return {
    eventCount: 0,
    sources: [],
    self: newSource('self'),
    recentGood: 0,
    recentBad: 0,
    firstDay: -1,
    activeDays: 0,
    activeToday: 0,
  }
}

/**
 * Evidence of an agent registered at a time (milliseconds since 1970), of which nothing is known.
 * `initialCeiling` is the score of a worse agent that the same owner gave up: it starts no higher.
 */
export function newEvidence(registeredAt: number, initialCeiling: number = SCORE_MAX): Evidence {
  return {
    registeredAt,
    initialCeiling,
    at: registeredAt,
    selfReported: 0,
    reliability: newTrack(),
    financial: newTrack(),
    payments: { usualSum: 0, usualWeight: 0, smallToday: 0 },
    identity: { eventCount: 0, verified: 0, claimed: 0, revoked: 0, withdrawn: 0 },
    outcomeCounts: { tasks: NO_OUTCOMES, upkeep: NO_OUTCOMES, payments: NO_OUTCOMES },
  }
}

/**
 * A copy that may be written to, where a part is named in that part alone: copying is most of what an
 * event costs, so what stays as it is is shared. Spelt out, because spreading is several times slower.
 */
export function mutableCopy(evidence: Evidence, part: Dimension | 'all' = 'all'): MutableEvidence {
  const { reliability, financial, payments, identity, outcomeCounts: tallies } = evidence
  const writes = (dimension: Dimension) => part === 'all' || part === dimension
  return {
    registeredAt: evidence.registeredAt,
    initialCeiling: evidence.initialCeiling,
    at: evidence.at,
    selfReported: evidence.selfReported,
    reliability: writes('reliability') ? copyTrack(reliability) : (reliability as Track),
    financial: writes('financial') ? copyTrack(financial) : (financial as Track),
    payments: writes('financial') ? copyPayments(payments) : payments,
    identity: writes('identity') ? copyIdentity(identity) : identity,
    outcomeCounts: { tasks: tallies.tasks, upkeep: tallies.upkeep, payments: tallies.payments },
  }
}

function copyPayments({ usualSum, usualWeight, smallToday }: Readonly<Payments>): Payments {
  return { usualSum, usualWeight, smallToday }
}

function copyIdentity(identity: Readonly<Identity>): Identity {
  const { eventCount, verified, claimed, revoked, withdrawn } = identity
  return { eventCount, verified, claimed, revoked, withdrawn }
}

function copyTrack(track: Evidence['reliability']): Track {
  return {
    eventCount: track.eventCount,
    sources: track.sources.slice(),
    self: track.self,
    recentGood: track.recentGood,
    recentBad: track.recentBad,
    firstDay: track.firstDay,
    activeDays: track.activeDays,
    activeToday: track.activeToday,
  }
}
