import type { Caller } from '../domain/caller.ts'
import type { Awaitable } from '../lib/awaitable.ts'

/** The decision of a caller's limit of requests per minute on one more request. */
export interface LimitDecision {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly allowed: boolean
}

/** Requests per minute. Both functions return null where the installation sets no limits. */
export interface RequestLimits {
  /** Counts a request of the caller. */
  readonly count: (caller: Caller) => Awaitable<LimitDecision | null>
  /** What is left, as far as this node knows. Counts nothing and reads no database. */
  readonly lastKnown: (caller: Caller) => LimitDecision | null
}

/** The headers of the IETF draft, alternating name and value. */
export function limitHeaders({ limit, remaining, resetSeconds }: LimitDecision): readonly string[] {
  const policy = `"rpm";q=${limit};w=60`
  return ['ratelimit-policy', policy, 'ratelimit', `"rpm";r=${remaining};t=${resetSeconds}`]
}
