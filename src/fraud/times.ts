/** What is known of the time of an event: whether its reporter stated one, and where in the accepted range it is. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import type { InspectedEvent } from './rule.ts'

/** The beginning of the minute that a time is in. */
export function minuteOf(time: number): number {
  return time - (time % MINUTE_MS)
}

/** Events this near to an end of the time that is taken are at its edge. */
const EDGE_SHARE = 0.01
const EDGE_MAX_MS = 6 * HOUR_MS
/** A report may be dated up to 5 minutes ahead; more than 4 is hardly the error of a clock. */
const AHEAD_EDGE_MS = 4 * MINUTE_MS

/** Whether its stated time is at an end of the accepted range. */
export function atEdge(event: InspectedEvent): boolean {
  if (!hasStatedTime(event)) {
    return false
  }
  const { occurredAt, oldestAt, at } = event
  const edge = Math.min(EDGE_MAX_MS, EDGE_SHARE * (at - oldestAt))
  return occurredAt < oldestAt + edge || occurredAt > at + AHEAD_EDGE_MS
}

/**
 * Whether the reporter said at which time it happened. A whole minute is what a reporter sends that knows only the day,
 * in its time zone, the hour or the minute: two of its events have one such time by chance.
 */
export function isTimed({ occurredAt, occurredAtGiven }: InspectedEvent): boolean {
  return occurredAtGiven && occurredAt % MINUTE_MS !== 0
}

/** Whether it has a stated time, also a round one. Midnight in UTC is a day. */
export function hasStatedTime({ occurredAt, occurredAtGiven }: InspectedEvent): boolean {
  return occurredAtGiven && occurredAt % DAY_MS !== 0
}
