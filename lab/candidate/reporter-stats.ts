/**
 * What is remembered of a platform as a reporter, and when it is established. A platform is by the
 * operator's word (`verified`), or once it has for two months reported on agents of five unrelated
 * owners that other reporters know too, and mostly agreed with them.
 */
import { type Agreed, agree, votesOf } from './aggregate.ts'
import type { Evidence } from './evidence.ts'
import type { Model } from './model.ts'

/** What it takes: each is a cost to whoever wants to fake it. Judgement. */
export const ESTABLISHED = {
  /** Two months, and reports on at least half of them: the time a denial takes to be seen. */
  daysMin: 60,
  activeDaysMin: 30,
  /** Owners, not agents: an owner registers as many agents as it likes. */
  ownersMin: 5,
  /** Days of agreement on an owner's agents before the owner counts, and share of all. */
  agreedDaysMin: 10,
  agreedShareMin: 2 / 3,
  /** Rates no further apart agree, nor do counts within so many standard deviations disagree. */
  apartMax: 0.1,
  deviations: 3,
  /** Established reporters of an installation, from which new ones are no longer provisional. */
  installationMin: 2,
  provisionalWeight: 0.5,
  /** A reporter of one or two reports is one of a crowd on a new installation too (row 23). */
  provisionalReportsMin: 3,
  crowdWeight: 0.1,
} as const

/** Owners remembered, the latest ones: what is said of others later replaces what earned the standing. */
const OWNERS_MAX = 12

export interface OwnerRecord {
  readonly owner: string
  readonly good: number
  readonly bad: number
  readonly agreedDays: number
  readonly disputedDays: number
  readonly lastDay: number
}

export interface ReporterStats {
  readonly firstDay: number
  readonly lastDay: number
  readonly activeDays: number
  readonly reports: number
  readonly owners: readonly OwnerRecord[]
}

export const NO_STATS: ReporterStats = {
  firstDay: -1,
  lastDay: -1,
  activeDays: 0,
  reports: 0,
  owners: [],
}

export interface ReportedOn {
  readonly owner: string
  readonly day: number
  readonly good: boolean
  /** What the others say of the agent; null where none with a vote of its own does, or where the
   *  owner is the reporter's own, or reports on the reporter's own agents. */
  readonly others: Agreed | null
}

/** What reporters other than one say of an agent; null where they are less than one full vote. */
export function othersOf(model: Model, evidence: Evidence, reporter: string): Agreed | null {
  const sources = evidence.sources.filter((one) => one.reporter !== reporter)
  let weight = 0
  for (const { up, down } of sources) {
    weight += Math.max(up, down)
  }
  if (weight < model.ownVoteMin) {
    return null
  }
  return agree(model, votesOf(model, { ...evidence, sources }))
}

/** Whether the next report of a reporter about an owner's agents is to be compared: once a day. */
export function isComparedNext(stats: ReporterStats, owner: string, day: number): boolean {
  const known = stats.owners.find((one) => one.owner === owner)
  return known ? known.lastDay !== day : true
}

export function withReportOn(
  model: Model,
  stats: ReporterStats,
  report: ReportedOn,
): ReporterStats {
  const { owner, day, good, others } = report
  const known = stats.owners.find((one) => one.owner === owner)
  const before = known ?? { owner, good: 0, bad: 0, agreedDays: 0, disputedDays: 0, lastDay: -1 }
  const after = {
    ...before,
    good: before.good + (good ? 1 : 0),
    bad: before.bad + (good ? 0 : 1),
    lastDay: day,
  }
  if (others && before.lastDay !== day) {
    const agrees = isCompatible(model, after, others)
    after.agreedDays += agrees ? 1 : 0
    after.disputedDays += agrees ? 0 : 1
  }
  const isNewDay = day !== stats.lastDay
  return {
    firstDay: stats.firstDay < 0 ? day : stats.firstDay,
    lastDay: day,
    activeDays: stats.activeDays + (isNewDay ? 1 : 0),
    reports: stats.reports + 1,
    owners: known
      ? stats.owners.map((one) => (one === known ? after : one))
      : others
        ? [...withoutOldest(stats.owners), after]
        : stats.owners,
  }
}

/** Whether a record may come of the rate that the others see. */
function isCompatible(
  model: Model,
  record: Pick<OwnerRecord, 'good' | 'bad'>,
  others: Agreed,
): boolean {
  const badOdds = (1 / Math.max(others.trust, 1e-3) - 1) / model.halfTrustOdds
  const reports = record.good + record.bad
  const expected = (reports * badOdds) / (1 + badOdds)
  const apart = Math.abs(record.bad - expected)
  return (
    apart <= ESTABLISHED.apartMax * reports ||
    apart <= ESTABLISHED.deviations * Math.sqrt(expected + 1)
  )
}

function withoutOldest(owners: readonly OwnerRecord[]): readonly OwnerRecord[] {
  if (owners.length < OWNERS_MAX) {
    return owners
  }
  const oldest = Math.min(...owners.map(({ lastDay }) => lastDay))
  const place = owners.findIndex(({ lastDay }) => lastDay === oldest)
  return owners.filter((_, i) => i !== place)
}

/** Established by its record alone. Owners count, not days: one owner is one comparison, so that
 *  neither a victim nor a slanderer of one agent loses or takes standing by it. */
export function isProven(stats: ReporterStats): boolean {
  const { daysMin, activeDaysMin, ownersMin, agreedDaysMin, agreedShareMin } = ESTABLISHED
  if (stats.firstDay < 0 || stats.lastDay - stats.firstDay < daysMin) {
    return false
  }
  if (stats.activeDays < activeDaysMin) {
    return false
  }
  let agreeing = 0
  let denying = 0
  for (const { agreedDays, disputedDays } of stats.owners) {
    if (agreedDays >= agreedDaysMin && agreedDays >= disputedDays) {
      agreeing += 1
    }
    if (disputedDays > agreedDays) {
      denying += 1
    }
  }
  return agreeing >= ownersMin && agreeing >= agreedShareMin * (agreeing + denying)
}

/** What is recorded on the event as `reporterWeight`. */
export function reporterWeight(
  isEstablished: boolean,
  reports: number,
  establishedHere: number,
): number {
  if (isEstablished) {
    return 1
  }
  const isProvisional =
    establishedHere < ESTABLISHED.installationMin && reports >= ESTABLISHED.provisionalReportsMin
  return isProvisional ? ESTABLISHED.provisionalWeight : ESTABLISHED.crowdWeight
}
