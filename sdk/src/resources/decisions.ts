import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type {
  BacktestInput,
  BacktestResult,
  Decision,
  DecisionRequest,
  ListQuery,
  PastDecision,
  Policy,
  PolicyInput,
} from '../types.ts'
import { path } from '../url.ts'

export type Decisions = ReturnType<typeof decisionCalls>
export type Policies = ReturnType<typeof policyCalls>

const DECIDERS: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']
const HOLDERS: readonly CredentialKind[] = ['apiKey', 'token']

export function decisionCalls({ ask, list }: Calls) {
  return {
    /** Whether to deal with an agent: `allow`, `review` or `deny`, and why. */
    decide: (request: DecisionRequest, options?: CallOptions): Promise<Decision> =>
      ask('/v1/decisions', DECIDERS, request, options),
    /** Platform. The latest that it asked for, newest first. */
    list: (query?: ListQuery, options?: CallOptions): Listing<PastDecision> =>
      list('/v1/decisions', ['apiKey'], query, options),
  }
}

/** For a platform or an owner: its own. */
export function policyCalls({ read, ask, put, remove, list }: Calls) {
  return {
    /** Replaces the policy of this name as a whole. */
    put: (name: string, policy: PolicyInput, options?: WriteOptions): Promise<Policy> =>
      put(path`/v1/policies/${name}`, HOLDERS, policy, options),
    get: (name: string, options?: CallOptions): Promise<Policy> =>
      read(path`/v1/policies/${name}`, HOLDERS, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Policy> =>
      list('/v1/policies', HOLDERS, query, options),
    delete: (name: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/policies/${name}`, HOLDERS, options),
    /** Platform. What the policy would have decided on its own history, and what came of it. */
    backtest: (
      name: string,
      input: BacktestInput,
      options?: CallOptions,
    ): Promise<BacktestResult> =>
      ask(path`/v1/policies/${name}/backtest`, ['apiKey'], input, options),
  }
}
