export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The last millisecond that a Date can hold (ECMA-262, 21.4.1.1). */
export const TIME_MAX = 8.64e15

/** The number of the UTC day that a time falls into, counted from the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** The time to score a state at: now, but not before its last change, even if this node's clock is behind. */
export function scoringTime({ updatedAt }: { readonly updatedAt: number }, now: number): number {
  return Math.max(now, updatedAt)
}
