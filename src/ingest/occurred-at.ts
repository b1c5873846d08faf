import { DAY_MS } from '../domain/time.ts'

/** Clocks differ: a time may lie this far in the future. */
export const AHEAD_MINUTES = 5

const AHEAD_MS = AHEAD_MINUTES * 60_000

/** Whether an event may claim this time: at most this many days back and a few minutes ahead. */
export function isInWindow(
  occurredAt: number | undefined,
  { now, daysBack }: { readonly now: number; readonly daysBack: number },
): boolean {
  if (occurredAt === undefined) {
    return true
  }
  return occurredAt >= now - daysBack * DAY_MS && occurredAt <= now + AHEAD_MS
}
