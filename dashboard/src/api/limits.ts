import type { ServiceTier } from './types.ts'

/** The most rows of a page (interface, Pagination and batch). */
export const PAGE_MAX = 100

/** How many agents each tier may have (interface, Limits). Null is unlimited. */
export const AGENTS_MAX: Readonly<Record<ServiceTier, number | null>> = {
  free: 10,
  growth: 100,
  platform: null,
}

export const SERVICE_TIERS: readonly ServiceTier[] = ['free', 'growth', 'platform']
