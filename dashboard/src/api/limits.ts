import type { ServiceTier } from './types.ts'

/** The most rows of a page (interface, Pagination and batch). */
export const PAGE_MAX = 100

/** What each tier may ask for (interface, Limits). Null is unlimited. */
export const TIER_LIMITS: Readonly<
  Record<
    ServiceTier,
    {
      readonly requestsPerMinute: number
      readonly lookupsPerMonth: number | null
      readonly agents: number | null
    }
  >
> = {
  free: { requestsPerMinute: 100, lookupsPerMonth: 1_000, agents: 10 },
  growth: { requestsPerMinute: 1_000, lookupsPerMonth: 50_000, agents: 100 },
  platform: { requestsPerMinute: 10_000, lookupsPerMonth: null, agents: null },
}

export const SERVICE_TIERS: readonly ServiceTier[] = ['free', 'growth', 'platform']
