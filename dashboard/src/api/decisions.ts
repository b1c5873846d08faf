import { call } from './client.ts'
import { pagesAt } from './pages.ts'
import type {
  Backtest,
  Decision,
  DecisionRequest,
  LookupAnswer,
  PastDecision,
  Policy,
  PolicyInput,
} from './types.ts'

export function decide(body: DecisionRequest): Promise<Decision> {
  return call('POST', '/v1/decisions', { body })
}

export const listDecisions = pagesAt<PastDecision>('/v1/decisions')

export function lookUp(identifier: string): Promise<LookupAnswer> {
  return call('GET', '/v1/lookup', { query: { identifier } })
}

export const listPolicies = pagesAt<Policy>('/v1/policies')

export function putPolicy(name: string, body: PolicyInput): Promise<Policy> {
  return call('PUT', `/v1/policies/${encodeURIComponent(name)}`, { body })
}

export function deletePolicy(name: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/policies/${encodeURIComponent(name)}`, { keepalive })
}

/** Decides again on what the platform reported in a time; by another policy than the stored one, if it is given. */
export function backtest(
  name: string,
  body: { readonly from: string; readonly to: string; readonly policy?: PolicyInput },
): Promise<Backtest> {
  return call('POST', `/v1/policies/${encodeURIComponent(name)}/backtest`, { body })
}
