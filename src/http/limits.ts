import type { Caller } from '../domain/caller.ts'
import type { HeaderLines } from './write-response.ts'

/** What a caller's limit says of one more request. */
export interface LimitDecision {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly allowed: boolean
}

/** Counts a request of the caller against its requests per minute; null where there is no limit. */
export type CountRequest = (caller: Caller) => Promise<LimitDecision | null>

export function limitHeaders({ limit, remaining, resetSeconds }: LimitDecision): HeaderLines {
  const policy = `"rpm";q=${limit};w=60`
  return ['ratelimit-policy', policy, 'ratelimit', `"rpm";r=${remaining};t=${resetSeconds}`]
}
