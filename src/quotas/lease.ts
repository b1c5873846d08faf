import { unitsAhead } from '../domain/limits.ts'

/** One account's window, as far as this node knows it. */
export interface Lease {
  readonly quota: number
  readonly startedAt: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly endsAt: number
  /** Units reserved by all nodes, as of the last answer of the database. */
  used: number
  /** Units that this node has reserved and not yet spent. */
  unspent: number
  /** When the database last answered, by this node's steady clock. */
  readonly reservedAt: number
  readonly callRate: CallRate
}

/** How often an account asks, by this node's steady clock. */
export interface CallRate {
  /** Calls in the second that began at `since`, and in the one before. */
  calls: number
  callsBefore: number
  since: number
  lastAt: number
}

/** The answer to a claim for some units of a quota. */
export interface Spending {
  readonly isTaken: boolean
  /** What is left of the quota, as far as this node knows. */
  readonly remaining: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly endsAt: number
}

/** The time over which call rates are measured. An account without a call in it is idle. */
const BUSY_MS = 1_000

/** This long after the database answered that too little is left, other nodes may have released some. */
const REFUSED_MS = 250

/** Milliseconds of a clock that is never set. */
export function steadyNow(): number {
  return performance.now()
}

export function newCallRate(): CallRate {
  return { calls: 0, callsBefore: 0, since: steadyNow(), lastAt: steadyNow() }
}

function countCall(rate: CallRate): void {
  const at = steadyNow()
  rate.lastAt = at
  if (at - rate.since >= BUSY_MS) {
    rate.callsBefore = at - rate.since < 2 * BUSY_MS ? rate.calls : 0
    rate.calls = 0
    rate.since = at
  }
  rate.calls++
}

export function isIdle({ callRate }: Lease): boolean {
  return steadyNow() - callRate.lastAt >= BUSY_MS
}

/** A minute: responses that count nothing still say what is left of a minute's requests. */
const SHOWN_MS = 60_000

/** Whether an account has been idle for so long that its lease need not be kept. */
export function isLongIdle({ callRate }: Lease): boolean {
  return steadyNow() - callRate.lastAt >= SHOWN_MS
}

export function remaining({ quota, used, unspent }: Lease): number {
  return Math.max(0, quota - used + unspent)
}

/** Answers a claim if this node knows the answer without the database. */
export function spendLocally(lease: Lease, units: number): Spending | null {
  if (lease.unspent >= units) {
    return spend(lease, units)
  }
  const isRecent = steadyNow() - lease.reservedAt < REFUSED_MS
  return isRecent && remaining(lease) < units ? refuse(lease) : null
}

export function spend(lease: Lease, units: number): Spending {
  countCall(lease.callRate)
  lease.unspent -= units
  return { isTaken: true, remaining: remaining(lease), endsAt: lease.endsAt }
}

export function refuse(lease: Lease): Spending {
  return { isTaken: false, remaining: remaining(lease), endsAt: lease.endsAt }
}

/** The units to reserve so that these can be spent; `need` is 0 if the lease has enough. */
export function unitsToReserve(
  lease: Lease | null,
  quota: number,
  units: number,
): { readonly need: number; readonly want: number } {
  const need = Math.max(0, units - (lease?.unspent ?? 0))
  const { calls = 0, callsBefore = 0 } = lease?.callRate ?? {}
  const left = lease ? remaining(lease) : quota
  return { need, want: need + unitsAhead(quota, left, Math.max(calls, callsBefore)) }
}
