import type { Policy } from '../context.ts'
import { TrustError } from '../domain/error.ts'
import type { Reporter } from '../domain/event.ts'
import { countInHour, type HourCount, type LimitName, NO_HOUR } from '../domain/limits.ts'
import type { AgentState } from '../store/store.ts'

/** The hours of agents and platforms as they fill. */
export interface Hours {
  readonly agentStates: Map<string, AgentState>
  readonly platformHours: Map<string, HourCount>
  /** The platforms whose hour was counted in. */
  readonly counted: Set<string>
}

/** Counts an event in the hours of its agent and its platform; one that is refused, in neither. */
export function countInHours(
  hours: Hours,
  { agentId, reporter }: { readonly agentId: string; readonly reporter: Reporter },
  { now, policy }: { readonly now: number; readonly policy: Policy },
): TrustError | null {
  const agentState = hours.agentStates.get(agentId)
  if (!policy.rateLimits || !agentState) {
    return null
  }
  const agent = countInHour(agentState.hourCount, now, policy.eventsPerAgentHour)
  if ('retryAfterMs' in agent) {
    return tooMany('events_per_agent_hour', policy.eventsPerAgentHour, agent.retryAfterMs)
  }
  if (reporter.kind === 'platform') {
    const hour = hours.platformHours.get(reporter.id) ?? NO_HOUR
    const platform = countInHour(hour, now, policy.eventsPerPlatformHour)
    if ('retryAfterMs' in platform) {
      return tooMany(
        'events_per_platform_hour',
        policy.eventsPerPlatformHour,
        platform.retryAfterMs,
      )
    }
    hours.platformHours.set(reporter.id, platform.hour)
    hours.counted.add(reporter.id)
  }
  hours.agentStates.set(agentId, { ...agentState, hourCount: agent.hour })
  return null
}

function tooMany(limit: LimitName, max: number, retryAfterMs: number): TrustError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  const whose = limit === 'events_per_agent_hour' ? 'about this agent' : 'from this platform'
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `at most ${max} events ${whose} are taken in an hour; there is room again in ${seconds} s`,
    { limit, max },
    seconds,
  )
}
