/** How much each tier may ask for (interface, Limits). `null` is unlimited. */
export const TIERS_OF_SERVICE = {
  free: { requestsPerMinute: 100, lookupsPerMonth: 1_000, agentsMax: 10 },
  growth: { requestsPerMinute: 1_000, lookupsPerMonth: 50_000, agentsMax: 100 },
  platform: { requestsPerMinute: 10_000, lookupsPerMonth: null, agentsMax: null },
} as const satisfies Record<string, TierLimits>

export interface TierLimits {
  readonly requestsPerMinute: number
  readonly lookupsPerMonth: number | null
  readonly agentsMax: number | null
}

export type ServiceTier = keyof typeof TIERS_OF_SERVICE

export type LimitName =
  | 'requests_per_minute'
  | 'lookups_per_month'
  | 'events_per_agent_hour'
  | 'events_per_platform_hour'
  | 'max_agents'

export const HOUR_MS = 3_600_000

/**
 * Events counted in the hour that began with the first of them. The hour is anchored to that event
 * rather than to the clock, so that no caller gets two hours' worth around a full hour.
 */
export interface HourCount {
  /** Milliseconds since the epoch at which the hour began; 0 before the first event. */
  readonly startedAt: number
  readonly count: number
}

export const NO_HOUR: HourCount = { startedAt: 0, count: 0 }

/** One more in the hour, or how long until there is room again. */
export function countInHour(
  hour: HourCount,
  now: number,
  max: number,
): { readonly hour: HourCount } | { readonly retryAfterMs: number } {
  const over = now >= hour.startedAt + HOUR_MS
  if (over) return max > 0 ? { hour: { startedAt: now, count: 1 } } : { retryAfterMs: HOUR_MS }
  if (hour.count >= max) return { retryAfterMs: hour.startedAt + HOUR_MS - now }
  return { hour: { startedAt: hour.startedAt, count: hour.count + 1 } }
}
