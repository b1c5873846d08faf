import { TrustError } from '../domain/error.ts'
import {
  countInHour,
  type HourCount,
  type LimitName,
  NO_HOUR,
  withReporterHour,
} from '../domain/limits.ts'
import type { AgentState } from '../store/store.ts'
import { type BatchState, platformHourIn } from './batch-state.ts'
import type { Report } from './report.ts'

export interface HourlyLimits {
  /** Whether the limits are applied. */
  readonly rateLimits: boolean
  readonly eventsPerAgentHour: number
  readonly eventsPerPlatformHour: number
}

/** The agent and its owner share one count. */
const OWN_SIDE = ''

/**
 * Counts an event in the hour of its reporter about the agent, and in that of its platform; a refused
 * event in neither. No reporter's events are refused because of what others reported. The hours of the
 * agent's reporters are returned.
 */
export function countInHours(
  state: BatchState,
  { reporterHours }: AgentState,
  { reporter }: Report,
  { now, policy }: { readonly now: number; readonly policy: HourlyLimits },
): AgentState['reporterHours'] | TrustError {
  if (!policy.rateLimits) {
    return reporterHours
  }
  const key = reporter.kind === 'platform' ? reporter.id : OWN_SIDE
  const agent = countInHour(hourOf(reporterHours, key), now, policy.eventsPerAgentHour)
  if ('retryAfterMs' in agent) {
    return tooMany('events_per_agent_hour', policy.eventsPerAgentHour, agent.retryAfterMs)
  }
  if (reporter.kind === 'platform') {
    const hour = platformHourIn(state, reporter.id) ?? NO_HOUR
    const platform = countInHour(hour, now, policy.eventsPerPlatformHour)
    if ('retryAfterMs' in platform) {
      const max = policy.eventsPerPlatformHour
      return tooMany('events_per_platform_hour', max, platform.retryAfterMs)
    }
    state.platformHours.set(reporter.id, platform.hour)
  }
  const { startedAt, count } = agent.hour
  return withReporterHour(reporterHours, { reporter: key, startedAt, count }, now)
}

function hourOf(hours: AgentState['reporterHours'], reporter: string): HourCount {
  for (const hour of hours) {
    if (hour.reporter === reporter) {
      return hour
    }
  }
  return NO_HOUR
}

function tooMany(limit: LimitName, max: number, retryAfterMs: number): TrustError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  const [subject, setting] =
    limit === 'events_per_agent_hour'
      ? ['of one reporter about one agent', 'STANDING_EVENTS_PER_AGENT_HOUR']
      : ['from this platform', 'STANDING_EVENTS_PER_PLATFORM_HOUR']
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `at most ${max} events ${subject} are taken in an hour; there is room again in ${seconds} s. The operator sets ${setting}`,
    { limit, max },
    seconds,
  )
}
