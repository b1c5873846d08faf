import { unitsAhead } from '../domain/limits.ts'

/** One account's window, as far as this node knows it. */
export interface Lease {
  readonly quota: number
  readonly startedAt: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly endsAt: number
  /** Units given out to all nodes, when the database last told. */
  readonly used: number
  /** Units that the database has counted, and that are this node's to spend. */
  unspent: number
  /** When the database last told, by this node's own steady clock. */
  readonly toldAt: number
  readonly pace: Pace
}

/** How often an account asks, by this node's own steady clock. */
export interface Pace {
  /** Calls in the second that began at `since`, and in the one before. */
  calls: number
  callsBefore: number
  since: number
  lastAt: number
}

/** What became of a wish for some units of a quota. */
export interface Spending {
  readonly isTaken: boolean
  /** What is left of the quota, as far as this node knows. */
  readonly remaining: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly endsAt: number
}

/** Over this time it is judged how busy an account is; who asked for nothing in it is idle. */
const BUSY_MS = 1_000

/** So long after the database said that too little is left, others may have given some back. */
const REFUSED_MS = 250

/** Milliseconds that pass evenly, whatever is done to the clock. */
export function steadyNow(): number {
  return performance.now()
}

export function newPace(): Pace {
  return { calls: 0, callsBefore: 0, since: steadyNow(), lastAt: steadyNow() }
}

function noteCall(pace: Pace): void {
  const at = steadyNow()
  pace.lastAt = at
  if (at - pace.since >= BUSY_MS) {
    pace.callsBefore = at - pace.since < 2 * BUSY_MS ? pace.calls : 0
    pace.calls = 0
    pace.since = at
  }
  pace.calls++
}

export function isIdle({ pace }: Lease): boolean {
  return steadyNow() - pace.lastAt >= BUSY_MS
}

export function remaining({ quota, used, unspent }: Lease): number {
  return Math.max(0, quota - used + unspent)
}

/** Answers a wish, where this node knows the answer without asking. */
export function spendAtOnce(lease: Lease, units: number): Spending | null {
  if (lease.unspent >= units) {
    return spend(lease, units)
  }
  const isSure = steadyNow() - lease.toldAt < REFUSED_MS
  return isSure && remaining(lease) < units ? refuse(lease) : null
}

export function spend(lease: Lease, units: number): Spending {
  noteCall(lease.pace)
  lease.unspent -= units
  return { isTaken: true, remaining: remaining(lease), endsAt: lease.endsAt }
}

export function refuse(lease: Lease): Spending {
  return { isTaken: false, remaining: remaining(lease), endsAt: lease.endsAt }
}

/** What to ask the database for, to grant so many units; `need` is 0 where there are enough here. */
export function askFor(
  lease: Lease | null,
  quota: number,
  units: number,
): { readonly need: number; readonly want: number } {
  const need = Math.max(0, units - (lease?.unspent ?? 0))
  const { calls = 0, callsBefore = 0 } = lease?.pace ?? {}
  const left = lease ? remaining(lease) : quota
  return { need, want: need + unitsAhead(quota, left, Math.max(calls, callsBefore)) }
}
