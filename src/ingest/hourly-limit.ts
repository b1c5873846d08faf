import { TrustError } from '../domain/error.ts'
import { countInHour, type LimitName, NO_HOUR, withReporterHour } from '../domain/limits.ts'
import { agentStateIn, type BatchState, platformHourIn } from './batch-state.ts'
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
 * event in neither. No reporter's events are refused because of what others reported.
 */
export function countInHours(
  state: BatchState,
  { agentId, reporter }: Report,
  { now, policy }: { readonly now: number; readonly policy: HourlyLimits },
): TrustError | null {
  const agentState = agentStateIn(state, agentId)
  if (!policy.rateLimits || !agentState) {
    return null
  }
  const key = reporter.kind === 'platform' ? reporter.id : OWN_SIDE
  const known = agentState.reporterHours.find((hour) => hour.reporter === key) ?? NO_HOUR
  const agent = countInHour(known, now, policy.eventsPerAgentHour)
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
  const hour = { reporter: key, ...agent.hour }
  const reporterHours = withReporterHour(agentState.reporterHours, hour, now)
  state.agentStates.set(agentId, { ...agentState, reporterHours })
  return null
}

function tooMany(limit: LimitName, max: number, retryAfterMs: number): TrustError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  const subject =
    limit === 'events_per_agent_hour' ? 'of one reporter about one agent' : 'from this platform'
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `at most ${max} events ${subject} are taken in an hour; there is room again in ${seconds} s`,
    { limit, max },
    seconds,
  )
}
