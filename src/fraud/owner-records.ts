/** The owners by whose agents a platform is compared with others, and which of them are remembered. */
import { ESTABLISHED } from './establishment.ts'
import type { OwnerRecord } from './reporter-stats.ts'

/**
 * Owners remembered. A platform that reports on more is judged by some at a time: another owner replaces one
 * without a comparison for two months, or the one that has been judged for longest. So later reports replace
 * what established the platform.
 */
const OWNERS_MAX = 12

/** A third of them is still to be judged at most: the others are enough to keep a platform established. */
const UNJUDGED_MAX = 4

/** The record of an owner before the first comparison. */
export function noRecord(owner: string): OwnerRecord {
  return { owner, good: 0, bad: 0, agreedDays: 0, disputedDays: 0, lastDay: -1 }
}

/** The place of an owner in the records; −1 where it has none. */
export function indexOfOwner(owners: readonly OwnerRecord[], owner: string): number {
  for (let i = 0; i < owners.length; i++) {
    if (owners[i]?.owner === owner) {
      return i
    }
  }
  return -1
}

/** Owners are in the order of their first comparison. Beyond the most, one is replaced or none is added. */
export function addOwner(owners: OwnerRecord[], added: OwnerRecord): void {
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
export function hasPlace(owners: readonly OwnerRecord[], day: number): boolean {
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
