/**
 * When a platform is established as a reporter. Either the operator verified it, or it has for two
 * months reported on agents of five unrelated owners that other reporters report on too, and mostly agreed
 * with them. Owners are compared, not reports: one owner is one comparison, so that neither a victim
 * nor a slanderer of one agent gains or loses by it.
 */
import { sharedAggregate } from '../domain/aggregate.ts'
import { type EventType, LOG_TYPES } from '../domain/event.ts'
import type { Evidence } from '../domain/evidence.ts'
import type { Model } from '../domain/model.ts'
import { isShared, sharedVoteOf } from '../domain/places.ts'
import type { Source } from '../domain/source.ts'
import type { MutableReporterStats, ReporterStats } from './reporter-stats.ts'

/** What it takes: each figure is a cost to an attacker. Judgement. */
export const ESTABLISHED = {
  /** Two months, and reports on at least half of the days: the time in which a denial is seen. */
  daysMin: 60,
  activeDaysMin: 30,
  /** Owners, not agents: an owner registers as many agents as it likes. */
  ownersMin: 5,
  /** Days of agreement before an owner counts, and the share of the compared owners that agree. */
  agreedDaysMin: 10,
  agreedShareMin: 2 / 3,
  /** Rates no further apart agree, and so do counts within this many standard deviations. */
  rateDifferenceMax: 0.1,
  deviationsMax: 3,
  /** With this many established platforms in the installation, new ones are no longer provisional. */
  installationMin: 2,
  /** A platform of one or two reports is not even provisional. */
  provisionalReportsMin: 3,
  /** A platform reports only problems if it complains, against what others say, about more than this share of its owners,
   *  of so many at least, in so many reports. Owners are counted, not reports: no owner alone can bring it about. */
  problemOwnersShareMin: 2 / 3,
  problemOwnersMin: 5,
  problemsMin: 30,
  /** And if more than this share of its agents' days begin with a problem: a dozen accounts whose orders fail do not
   *  outweigh the customers of a marketplace. */
  problemDaysShareMin: 2 / 3,
  /** Problems alone establish no platform, also where others report the same: more than this share of the reports about
   *  more than this share of the owners that agree. A strict auditor finds something good. */
  onlyProblemsShareMin: 0.9,
} as const

/** What a platform's report weighs. */
export const REPORTER_WEIGHTS = { established: 1, provisional: 0.5, other: 0.1 } as const

/**
 * Owners remembered. A platform that reports on more is judged by some at a time: another owner replaces one
 * without a comparison for two months, or the one that has been judged for longest. So later reports replace
 * what established the platform.
 */
const OWNERS_MAX = 12

/** A third of them is still to be judged at most: the others are enough to keep a platform established. */
const UNJUDGED_MAX = 4

/** What a platform reported about an owner's agents. */
export interface OwnerRecord {
  readonly owner: string
  readonly good: number
  readonly bad: number
  /** Days on which it agreed with the other reporters, and on which it did not. */
  readonly agreedDays: number
  readonly disputedDays: number
  readonly lastDay: number
}

export interface ComparedReport {
  readonly owner: string
  readonly day: number
  readonly isGood: boolean
  /** Whether it is the platform's first comparable one of the day about the agent, quarantined ones apart. */
  readonly isFirstOfDay: boolean
  /** What the other reporters say of the agent; null where it is not compared with them. */
  readonly others: OtherReporters | null
}

/**
 * The trust of other reporters, to be read before the agent's next event: computed then, since most comparisons
 * need none.
 */
export type OtherReporters = () => number

/** A platform with the owner in whose vote its reports count. */
export interface Voting {
  readonly platform: string
  /** Null where it votes for itself. */
  readonly voter: string | null
}

/**
 * What reporters other than a platform, and than others of its owner, say of an agent; null where they have less
 * than a vote.
 */
export function otherReporters(
  model: Model,
  evidence: Evidence,
  voting: Voting,
): OtherReporters | null {
  const { sources } = evidence
  let weight = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (!isOwnVote(model, source, voting)) {
      weight += Math.max(source.positiveWeight, source.negativeWeight)
    }
  }
  if (weight < model.ownVoteWeightMin) {
    return null
  }
  return () => trustOfOthers(model, evidence, voting)
}

/** Under its own id the platform has the vote of a time at which no voter was recorded. A shared vote is its own too. */
function isOwnVote(model: Model, source: Source, { platform, voter }: Voting): boolean {
  const { voter: name } = source
  return (
    name === platform ||
    name === voter ||
    (isShared(name) && name === sharedVoteOf(model, voter ?? platform))
  )
}

function trustOfOthers(model: Model, { sources, crowd, self }: Evidence, voting: Voting): number {
  const others = sources.filter((source) => !isOwnVote(model, source, voting))
  return sharedAggregate(model, { sources: others, crowd, self }).trust
}

/** Whether the next report about an owner's agents is compared: the first of a day is, where the owner has a place. */
export function isCompared({ owners }: ReporterStats, owner: string, day: number): boolean {
  const index = indexOfOwner(owners, owner)
  return index < 0 ? hasPlace(owners, day) : (owners[index] as OwnerRecord).lastDay < day
}

function indexOfOwner(owners: readonly OwnerRecord[], owner: string): number {
  for (let i = 0; i < owners.length; i++) {
    if (owners[i]?.owner === owner) {
      return i
    }
  }
  return -1
}

/** Adds a report that counts, about another owner's agent. */
export function addCounted(stats: MutableReporterStats, day: number): void {
  stats.counted += 1
  if (stats.firstDay < 0) {
    stats.firstDay = day
  }
  // An imported past brings earlier days: these make no platform established sooner.
  if (day > stats.lastDay) {
    stats.lastDay = day
    stats.activeDays += 1
  }
}

/** Uptime is not: an agent that is up all day may fail at all its tasks. */
export function isComparable(type: EventType): boolean {
  const { data } = LOG_TYPES[type]
  return data === 'task' || data === 'payment' || data === 'error'
}

/** Compares a report that counts, and is comparable, with what others say. */
export function addComparison(
  model: Model,
  stats: MutableReporterStats,
  report: ComparedReport,
): void {
  const { isGood, isFirstOfDay } = report
  if (isFirstOfDay) {
    stats[isGood ? 'goodAgentDays' : 'badAgentDays'] += 1
  }
  addToOwners(model, stats.owners, report)
}

/** An owner is counted on its own from the first comparison on. */
function addToOwners(model: Model, owners: OwnerRecord[], report: ComparedReport): void {
  const { owner, others } = report
  const index = indexOfOwner(owners, owner)
  if (index >= 0) {
    owners[index] = recordAfter(model, owners[index] as OwnerRecord, report)
  } else if (others !== null) {
    addOwner(owners, recordAfter(model, noRecord(owner), report))
  }
}

/** Of an owner that nothing was compared of. */
export function noRecord(owner: string): OwnerRecord {
  return { owner, good: 0, bad: 0, agreedDays: 0, disputedDays: 0, lastDay: -1 }
}

function recordAfter(
  model: Model,
  before: OwnerRecord,
  { day, isGood, others }: ComparedReport,
): OwnerRecord {
  const good = before.good + (isGood ? 1 : 0)
  const bad = before.bad + (isGood ? 0 : 1)
  const isOn = others !== null && day > before.lastDay
  const agrees = isOn && isCompatible(model, good, bad, others)
  return {
    owner: before.owner,
    good,
    bad,
    agreedDays: before.agreedDays + (agrees ? 1 : 0),
    disputedDays: before.disputedDays + (isOn && !agrees ? 1 : 0),
    lastDay: Math.max(before.lastDay, day),
  }
}

/** Whether the record may come of the rate that the others see. */
function isCompatible(model: Model, good: number, bad: number, others: OtherReporters): boolean {
  const reports = good + bad
  if (reports <= ESTABLISHED.deviationsMax) {
    // No rate is more than this many reports off, which is within as many deviations of at least one.
    return true
  }
  const badOdds = (1 / Math.max(others(), 1e-3) - 1) / model.halfTrustOdds
  const expected = (reports * badOdds) / (1 + badOdds)
  const difference = Math.abs(bad - expected)
  return (
    difference <= ESTABLISHED.rateDifferenceMax * reports ||
    difference <= ESTABLISHED.deviationsMax * Math.sqrt(expected + 1)
  )
}

/**
 * Adds to these records what was added to one of them apart from them, between `before` and `after`. A day
 * on which both compared is counted once.
 */
export function addOwnerRecord(
  owners: readonly OwnerRecord[],
  before: OwnerRecord,
  after: OwnerRecord,
): readonly OwnerRecord[] {
  const changed = owners.slice()
  const index = indexOfOwner(owners, after.owner)
  const known = owners[index]
  if (known === undefined) {
    addOwner(changed, joinedRecord(noRecord(after.owner), before, after))
  } else {
    changed[index] = joinedRecord(known, before, after)
  }
  return changed
}

function joinedRecord(known: OwnerRecord, before: OwnerRecord, after: OwnerRecord): OwnerRecord {
  const isDayNew = after.lastDay > known.lastDay
  return {
    owner: known.owner,
    good: known.good + after.good - before.good,
    bad: known.bad + after.bad - before.bad,
    agreedDays: known.agreedDays + (isDayNew ? after.agreedDays - before.agreedDays : 0),
    disputedDays: known.disputedDays + (isDayNew ? after.disputedDays - before.disputedDays : 0),
    lastDay: laterDay(before.lastDay, after.lastDay, known.lastDay),
  }
}

/** The last day that was counted: one that `before` had, too, is marked by what counted it. */
export function laterDay(before: number, after: number, known: number): number {
  return after > before ? Math.max(known, after) : known
}

/** Owners are in the order of their first comparison. Beyond the most, one is replaced or none is added. */
function addOwner(owners: OwnerRecord[], added: OwnerRecord): void {
  if (owners.length >= OWNERS_MAX) {
    const index = replacedOn(owners, added.lastDay)
    if (index < 0) {
      return
    }
    owners.splice(index, 1)
  }
  owners.push(added)
}

/** Whether one more owner is added on a day. */
function hasPlace(owners: readonly OwnerRecord[], day: number): boolean {
  return owners.length < OWNERS_MAX || replacedOn(owners, day) >= 0
}

/** Which owner one more replaces on a day; −1 if it replaces none. */
function replacedOn(owners: readonly OwnerRecord[], day: number): number {
  const oldest = oldestOf(owners)
  if (day - (owners[oldest] as OwnerRecord).lastDay >= ESTABLISHED.daysMin) {
    return oldest
  }
  let firstJudged = -1
  let unjudged = 0
  for (let i = 0; i < owners.length; i++) {
    if (!isJudged(owners[i] as OwnerRecord)) {
      unjudged += 1
    } else if (firstJudged < 0) {
      firstJudged = i
    }
  }
  return unjudged < UNJUDGED_MAX ? firstJudged : -1
}

/** Whether there are enough comparisons for the owner to count. */
function isJudged({ agreedDays, disputedDays }: OwnerRecord): boolean {
  return agreedDays + disputedDays >= ESTABLISHED.agreedDaysMin
}

/** Of several that are as old, the first. */
function oldestOf(owners: readonly OwnerRecord[]): number {
  let oldest = 0
  for (let i = 1; i < owners.length; i++) {
    if ((owners[i] as OwnerRecord).lastDay < (owners[oldest] as OwnerRecord).lastDay) {
      oldest = i
    }
  }
  return oldest
}

/** Whether a platform is established, by the operator or by its record: neither while it reports only problems. */
export function isEstablished(stats: ReporterStats, isVerified: boolean): boolean {
  return (isVerified || isProven(stats)) && !reportsOnlyProblems(stats)
}

/** Whether its record alone would establish a platform. */
export function isProven({ firstDay, lastDay, activeDays, owners }: ReporterStats): boolean {
  if (firstDay < 0 || lastDay - firstDay < ESTABLISHED.daysMin) {
    return false
  }
  if (activeDays < ESTABLISHED.activeDaysMin) {
    return false
  }
  let agreeing = 0
  let denying = 0
  let ofProblems = 0
  for (const { good, bad, agreedDays, disputedDays } of owners) {
    if (disputedDays > agreedDays) {
      denying += 1
    } else if (agreedDays >= ESTABLISHED.agreedDaysMin) {
      agreeing += 1
      ofProblems += bad > ESTABLISHED.onlyProblemsShareMin * (good + bad) ? 1 : 0
    }
  }
  return (
    agreeing >= ESTABLISHED.ownersMin &&
    agreeing >= ESTABLISHED.agreedShareMin * (agreeing + denying) &&
    ofProblems <= ESTABLISHED.onlyProblemsShareMin * agreeing
  )
}

/**
 * Whether a platform reports problems and hardly any success, as a monitor does: from its reports no rate follows. It
 * mostly complains about most of its owners, although the others say that their agents work well, and on most days
 * of its agents.
 */
export function reportsOnlyProblems({
  owners,
  goodAgentDays,
  badAgentDays,
}: ReporterStats): boolean {
  const { problemsMin, problemOwnersMin, problemOwnersShareMin, problemDaysShareMin } = ESTABLISHED
  // Checked first: it takes no loop, and most platforms end here.
  if (badAgentDays <= problemDaysShareMin * (goodAgentDays + badAgentDays)) {
    return false
  }
  let reports = 0
  let denied = 0
  for (const { good, bad, disputedDays } of owners) {
    reports += good + bad
    denied += bad > good && disputedDays > 0 ? 1 : 0
  }
  return (
    reports >= problemsMin &&
    denied >= problemOwnersMin &&
    denied > problemOwnersShareMin * owners.length
  )
}

/** What a platform's report weighs; it is recorded on the event. */
export function reporterWeight(
  isEstablished: boolean,
  { counted }: ReporterStats,
  establishedPlatforms: number,
): number {
  if (isEstablished) {
    return REPORTER_WEIGHTS.established
  }
  const isProvisional =
    establishedPlatforms < ESTABLISHED.installationMin &&
    counted >= ESTABLISHED.provisionalReportsMin
  return isProvisional ? REPORTER_WEIGHTS.provisional : REPORTER_WEIGHTS.other
}

/** Whether a report would weigh something else if other platforms were established. */
export function dependsOnInstallation({
  reporterWeight,
}: {
  readonly reporterWeight: number
}): boolean {
  return reporterWeight !== REPORTER_WEIGHTS.established
}
