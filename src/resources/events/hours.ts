import { TrustError } from '../../core/error.ts'
import type { Reporter } from '../../core/events.ts'
import { countInHour, type HourCount, type LimitName, NO_HOUR } from '../../core/limits.ts'
import type { Standing } from '../../store/store.ts'
import type { Policy } from '../context.ts'

/** The hours of agents and platforms as they fill. */
export interface Hours {
  readonly standings: Map<string, Standing>
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
  const standing = hours.standings.get(agentId)
  if (!policy.rateLimits || !standing) return null
  const agent = countInHour(standing.hour, now, policy.eventsPerAgentHour)
  if ('retryAfterMs' in agent)
    return tooMany('events_per_agent_hour', policy.eventsPerAgentHour, agent.retryAfterMs)
  if (reporter.kind === 'platform') {
    const hour = hours.platformHours.get(reporter.id) ?? NO_HOUR
    const platform = countInHour(hour, now, policy.eventsPerPlatformHour)
    if ('retryAfterMs' in platform)
      return tooMany(
        'events_per_platform_hour',
        policy.eventsPerPlatformHour,
        platform.retryAfterMs,
      )
    hours.platformHours.set(reporter.id, platform.hour)
    hours.counted.add(reporter.id)
  }
  hours.standings.set(agentId, { ...standing, hour: agent.hour })
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
