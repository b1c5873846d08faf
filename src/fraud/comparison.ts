/** Compares what a platform reports about an owner's agents with what other reporters say of them. */
import { type EventType, LOG_TYPES } from '../domain/event.ts'
import type { Model } from '../domain/model.ts'
import type { OtherReporters } from './other-reporters.ts'
import { addOwner, hasPlace, indexOfOwner, noRecord } from './owner-records.ts'
import type { MutableReporterStats, OwnerRecord, ReporterStats } from './reporter-stats.ts'

/** When a record agrees with what others say. Judgement. */
const AGREEMENT = {
  /** Rates no further apart agree, and so do counts within this many standard deviations. */
  rateDifferenceMax: 0.1,
  deviationsMax: 3,
} as const

export interface ComparedReport {
  readonly owner: string
  readonly day: number
  readonly isGood: boolean
  /** Whether it is the platform's first comparable one of the day about the agent, quarantined ones apart. */
  readonly isFirstOfDay: boolean
  /** What the other reporters say of the agent; null where it is not compared with them. */
  readonly others: OtherReporters | null
}

/** Uptime is not: an agent that is up all day may fail at all its tasks. */
export function isComparable(type: EventType): boolean {
  const { data } = LOG_TYPES[type]
  return data === 'task' || data === 'payment' || data === 'error'
}

/** Whether the next report about an owner's agents is compared: the first of a day is, where the owner has a place. */
export function isCompared({ owners }: ReporterStats, owner: string, day: number): boolean {
  const index = indexOfOwner(owners, owner)
  return index < 0 ? hasPlace(owners, day) : (owners[index] as OwnerRecord).lastDay < day
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
  if (reports <= AGREEMENT.deviationsMax) {
    // No rate is more than this many reports off, which is within as many deviations of at least one.
    return true
  }
  const badOdds = (1 / Math.max(others(), 1e-3) - 1) / model.halfTrustOdds
  const expected = (reports * badOdds) / (1 + badOdds)
  const difference = Math.abs(bad - expected)
  return (
    difference <= AGREEMENT.rateDifferenceMax * reports ||
    difference <= AGREEMENT.deviationsMax * Math.sqrt(expected + 1)
  )
}
