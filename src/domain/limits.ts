import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts'

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

/**
 * KiB of responses that are stored for repeated requests of an account in a day. Those to all events that the hourly
 * limits allow the agents of an account take half of it. `null` is unlimited: the operator gives that tier.
 */
export const STORED_KIB_PER_DAY: Record<ServiceTier, number | null> = {
  free: 100 * 1024,
  growth: 1024 * 1024,
  platform: null,
}

/**
 * Agents of an account that may have been registered on one day, deactivated ones included: these are kept for good, with
 * up to 20 KiB each. Twenty times as many as may be active. `null` is unlimited.
 */
export const REGISTRATIONS_PER_DAY: Record<ServiceTier, number | null> = {
  free: 200,
  growth: 2_000,
  platform: null,
}

export type ServiceTier = keyof typeof TIERS_OF_SERVICE

/** What an account may ask for in this installation. `null` is unlimited. */
export interface AccountLimits {
  readonly requestsPerMinute: number | null
  readonly lookupsPerMonth: number | null
  /** Agents that are not deactivated. */
  readonly agents: number | null
  /** Events of one reporter about one agent. */
  readonly eventsPerAgentHour: number | null
}

/** The limits of a tier, as the settings of this installation apply them. The one on agents always applies. */
export function accountLimits(
  tier: ServiceTier,
  {
    rateLimits,
    eventsPerAgentHour,
  }: { readonly rateLimits: boolean; readonly eventsPerAgentHour: number },
): AccountLimits {
  const { requestsPerMinute, lookupsPerMonth, agentsMax: agents } = TIERS_OF_SERVICE[tier]
  return rateLimits
    ? { requestsPerMinute, lookupsPerMonth, agents, eventsPerAgentHour }
    : { requestsPerMinute: null, lookupsPerMonth: null, agents, eventsPerAgentHour: null }
}

/** Of every account in test mode: trying things out takes no more, whatever tier the account has. */
export const TEST_TIER: ServiceTier = 'free'

export type LimitName =
  | 'requests_per_minute'
  | 'lookups_per_month'
  | 'stored_responses_per_day'
  | 'events_per_agent_hour'
  | 'events_per_platform_hour'
  | 'max_agents'
  | 'registrations_per_day'

/** What is counted for an account: requests in a minute, lookups in a month, KiB of stored responses in a day. */
export type QuotaKind = 'requests' | 'lookups' | 'storedResponses'

/** Where one window ends and the next begins. */
export interface QuotaWindow {
  /** A window that began then or before is over. */
  readonly endedIfSince: number
  /** One that begins later was begun by a clock that was wrong, and is over too. */
  readonly beginsBy: number
  /** When the window that follows it begins. */
  readonly startsAt: number
  /** When a window that began at `startedAt` ends. */
  endOf(startedAt: number): number
}

/** The clocks of nodes may differ by this much; a window that begins later is one of a wrong clock. */
export const CLOCK_SKEW_MS = 60_000

/** The minute is anchored to its first request, as the hour is to its first event. */
export function minuteWindow(now: number): QuotaWindow {
  return {
    endedIfSince: now - MINUTE_MS,
    beginsBy: now + CLOCK_SKEW_MS,
    startsAt: now,
    endOf: (startedAt) => startedAt + MINUTE_MS,
  }
}

/** The month is the calendar's, in UTC, because that is what people see and are billed by. */
export function monthWindow(now: number): QuotaWindow {
  const startsAt = monthAt(now, 0)
  return {
    endedIfSince: startsAt - 1,
    beginsBy: now + CLOCK_SKEW_MS,
    startsAt,
    endOf: (startedAt) => monthAt(startedAt, 1),
  }
}

/** The calendar's day, in UTC, as the month is. */
export function dayWindow(now: number): QuotaWindow {
  const startsAt = dayAt(now)
  return {
    endedIfSince: startsAt - 1,
    beginsBy: now + CLOCK_SKEW_MS,
    startsAt,
    endOf: (startedAt) => dayAt(startedAt) + DAY_MS,
  }
}

function dayAt(time: number): number {
  return time - (time % DAY_MS)
}

function monthAt(time: number, later: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
}

/**
 * How many units a node takes ahead of need: as many as the account asked here in the last second, so
 * that a busy one costs about one statement a second, and at most 1 % of the quota, which is all that
 * a crash can forfeit. In the last fifth of a quota none are, so that what is
 * left can be had on every node; nor is a single one, which would save a statement in two at best.
 */
export function unitsAhead(quota: number, left: number, callsInSecond: number): number {
  const ahead = Math.min(Math.floor(quota / 100), callsInSecond)
  return ahead < 2 || left < quota / 5 ? 0 : ahead
}

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

/** The events about one agent that one reporter reported in an hour. */
export interface ReporterHour extends HourCount {
  /** Id of the platform; empty for the agent and its owner, who share one count. */
  readonly reporter: string
}

/** The forms that are written to. */
export type MutableHour = { -readonly [K in keyof HourCount]: HourCount[K] }
export type MutableReporterHour = { -readonly [K in keyof ReporterHour]: ReporterHour[K] }

/** How long until there is room for one more in the hour; 0 where there is. */
export function retryAfterMs(hour: HourCount, now: number, max: number): number {
  if (isOver(hour, now)) {
    return max > 0 ? 0 : HOUR_MS
  }
  return hour.count < max ? 0 : hour.startedAt + HOUR_MS - now
}

/** Counts one more in the hour. One that is over begins again. */
export function countInHour(hour: MutableHour, now: number): void {
  if (isOver(hour, now)) {
    hour.startedAt = now
    hour.count = 0
  }
  hour.count += 1
}

function isOver({ startedAt }: HourCount, now: number): boolean {
  return now >= startedAt + HOUR_MS || now < startedAt - CLOCK_SKEW_MS
}

/** Counts one more in the hour of a reporter, which is then the last. Others that are over are dropped. */
export function countInHourOf(hours: MutableReporterHour[], reporter: string, now: number): void {
  let own: MutableReporterHour | null = null
  let kept = 0
  for (const hour of hours) {
    if (hour.reporter === reporter) {
      own = hour
    } else if (!isOver(hour, now)) {
      put(hours, kept++, hour)
    }
  }
  own ??= { reporter, startedAt: NO_HOUR.startedAt, count: NO_HOUR.count }
  countInHour(own, now)
  put(hours, kept++, own)
  while (hours.length > kept) {
    hours.pop()
  }
}

/** Most are in their place already, and V8 notes every write of an object to an older one. */
function put(hours: MutableReporterHour[], place: number, hour: MutableReporterHour): void {
  if (hours[place] !== hour) {
    hours[place] = hour
  }
}
