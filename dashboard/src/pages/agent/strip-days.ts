import { DAY_MS } from '../../durations.ts'

/** The beginning of the first of so many days until now. Days are those of UTC, as on the public profile. */
export function firstOfDays(now: number, days: number): number {
  return (Math.floor(now / DAY_MS) - (days - 1)) * DAY_MS
}

/** The beginning of the first day after that of an event: the day itself may not have been read to its beginning. */
export function dayAfter(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}
