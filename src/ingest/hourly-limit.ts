import { TrustError } from '../domain/error.ts'
import type { Reporter } from '../domain/event.ts'
import {
  countInHour,
  countInHourOf,
  type HourCount,
  type LimitName,
  NO_HOUR,
  retryAfterMs,
} from '../domain/limits.ts'
import type { AgentState } from '../store/store.ts'
import {
  type BatchState,
  type OwnedAgentState,
  ownPlatformHour,
  platformHourIn,
} from './batch-state.ts'

export interface HourlyLimits {
  /** Whether the limits are applied. */
  readonly rateLimits: boolean
  readonly eventsPerAgentHour: number
  readonly eventsPerPlatformHour: number
}

/** The agent and its owner share one count. */
const OWN_SIDE = ''

/**
 * Why an event more would be too many in the hour of its reporter about the agent, or in that of its
 * platform. No reporter's events are refused because of what others reported.
 */
export function hourlyRefusal(
  state: BatchState,
  { reporterHours }: AgentState,
  reporter: Reporter,
  { now, limits }: { readonly now: number; readonly limits: HourlyLimits },
): TrustError | null {
  const { rateLimits, eventsPerAgentHour, eventsPerPlatformHour } = limits
  if (!rateLimits) {
    return null
  }
  const ofAgent = retryAfterMs(hourOf(reporterHours, keyOf(reporter)), now, eventsPerAgentHour)
  if (ofAgent > 0) {
    return tooMany('events_per_agent_hour', eventsPerAgentHour, ofAgent)
  }
  if (reporter.kind !== 'platform') {
    return null
  }
  const hour = platformHourIn(state, reporter.id) ?? NO_HOUR
  const ofPlatform = retryAfterMs(hour, now, eventsPerPlatformHour)
  return ofPlatform > 0
    ? tooMany('events_per_platform_hour', eventsPerPlatformHour, ofPlatform)
    : null
}

/** Counts an event that is not refused, in both hours. */
export function countInHours(
  state: BatchState,
  { reporterHours }: OwnedAgentState,
  reporter: Reporter,
  now: number,
): void {
  countInHourOf(reporterHours, keyOf(reporter), now)
  if (reporter.kind === 'platform') {
    countInHour(ownPlatformHour(state, reporter.id), now)
  }
}

function keyOf({ kind, id }: Reporter): string {
  return kind === 'platform' ? id : OWN_SIDE
}

function hourOf(hours: AgentState['reporterHours'], reporter: string): HourCount {
  for (const hour of hours) {
    if (hour.reporter === reporter) {
      return hour
    }
  }
  return NO_HOUR
}

function tooMany(limit: LimitName, max: number, waitMs: number): TrustError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const [subject, setting] =
    limit === 'events_per_agent_hour'
      ? ['of one reporter about one agent', 'STANDING_EVENTS_PER_AGENT_HOUR']
      : ['from this platform', 'STANDING_EVENTS_PER_PLATFORM_HOUR']
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `at most ${max} events ${subject} are accepted in an hour; retry in ${seconds} s. The operator sets the limit by ` +
      setting,
    { limit, max },
    seconds,
  )
}
