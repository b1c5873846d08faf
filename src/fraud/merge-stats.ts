/**
 * Statistics of a platform that two nodes added to at a time: what one of them added is added to what the
 * other one wrote. Where nothing else was written, the result is exactly what the node has.
 */
import { addOwnerRecord, laterDay, noRecord } from './owner-records.ts'
import type { OwnerRecord, ReporterStats } from './reporter-stats.ts'
import { addTeaching, boundedHardness, copyOfWork, type WorkStats } from './work-stats.ts'

/** What reports and decisions add to. */
type Sum =
  | 'events'
  | 'quarantined'
  | 'released'
  | 'upheld'
  | 'counted'
  | 'goodAgentDays'
  | 'badAgentDays'

/**
 * Adds what lies between `before` and `after` to `current`, which may have what was reported later already:
 * reports that were decided one after the other are not always committed in that order. So a day is marked
 * as counted only by the report that counted it.
 */
export function mergeReporterStats(
  before: ReporterStats,
  after: ReporterStats,
  current: ReporterStats,
): ReporterStats {
  const added = (name: Sum) => Math.max(0, current[name] + after[name] - before[name])
  const isDayKnown = current.lastDay >= after.lastDay && after.lastDay > before.lastDay
  const days = after.activeDays - before.activeDays - (isDayKnown ? 1 : 0)
  return {
    events: added('events'),
    quarantined: added('quarantined'),
    released: added('released'),
    upheld: added('upheld'),
    reached: mergeReached(before.reached, after.reached, current.reached),
    counted: added('counted'),
    firstDay: earliest(current.firstDay, after.firstDay),
    lastDay: laterDay(before.lastDay, after.lastDay, current.lastDay),
    activeDays: current.activeDays + Math.max(0, days),
    goodAgentDays: added('goodAgentDays'),
    badAgentDays: added('badAgentDays'),
    owners: mergeOwners(before.owners, after.owners, current.owners),
  }
}

function mergeReached(
  before: readonly number[],
  after: readonly number[],
  current: readonly number[],
): readonly number[] {
  const length = Math.max(after.length, current.length)
  return Array.from({ length }, (_, i) => (current[i] ?? 0) + (after[i] ?? 0) - (before[i] ?? 0))
}

/** The earlier of two days; −1 stands for no day. */
function earliest(a: number, b: number): number {
  return a < 0 || b < 0 ? Math.max(a, b) : Math.min(a, b)
}

function mergeOwners(
  before: readonly OwnerRecord[],
  after: readonly OwnerRecord[],
  current: readonly OwnerRecord[],
): readonly OwnerRecord[] {
  let merged = current
  for (const record of after) {
    const known = before.find(({ owner }) => owner === record.owner)
    if (known !== record) {
      merged = addOwnerRecord(merged, known ?? noRecord(record.owner), record)
    }
  }
  return merged
}

/** Merges the statistics of a kind of work. */
export function mergeWorkStats(before: WorkStats, after: WorkStats, current: WorkStats): WorkStats {
  const merged = copyOfWork(current)
  merged.hardness = boundedHardness(current.hardness + after.hardness - before.hardness)
  merged.seen = current.seen + after.seen - before.seen
  for (const [owner, count] of after.owners) {
    const known = before.owners.get(owner) ?? 0
    if (count > known) {
      const isKnown = after.knownOwners.has(owner)
      addTeaching(merged, owner, { outcomes: count - known, isKnown })
    }
  }
  return merged
}
