export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The number of the UTC day that a time falls into, counted from the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}
