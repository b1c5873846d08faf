import type { Caller } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
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

/** Limits the responses that are stored for repeated requests, by their bytes in a day. */
export interface StorageLimits {
  /** Counts a request with an Idempotency-Key; null where nothing limits its caller. */
  readonly open: (caller: Caller) => Awaitable<StorageRoom | null>
}

/** The room that a caller has for another stored response. */
export interface StorageRoom {
  /** RATE_LIMIT_EXCEEDED where the day's room is used up. */
  readonly refusal: TrustError | null
  /** Counts the bytes of the response that is stored. It may be larger than what is left. */
  add(bytes: number): void
}

/** The headers of the IETF draft, alternating name and value. */
export function limitHeaders({ limit, remaining, resetSeconds }: LimitDecision): readonly string[] {
  const policy = `"rpm";q=${limit};w=60`
  return ['ratelimit-policy', policy, 'ratelimit', `"rpm";r=${remaining};t=${resetSeconds}`]
}
