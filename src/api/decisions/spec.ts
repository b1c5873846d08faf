import type { RouteSpecs } from '../../http/route.ts'
import { DECISIONS_MAX } from '../../store/store.ts'
import { PageQuery } from '../paging.ts'
import { Decision, DecisionBody, PastDecisionList } from './schema.ts'

export const DECIDERS = ['platform', 'owner', 'agent', 'operator'] as const

export const DECISION_SPECS = {
  decide: {
    method: 'post',
    path: '/v1/decisions',
    queue: 'write',
    // The list of past decisions is written behind the answers, which do not depend on it.
    writes: false,
    tag: 'Decisions',
    summary: 'Decide whether to deal with an agent',
    description:
      'Anyone with a credential. Answers `allow`, `review` or `deny` by a policy, with the reasons. A ' +
      'name that leads to no agent is decided by the policy too. Where no `policy` is given, the ' +
      'stored one named like the `action` is used, then the one named `default`, then the service’s ' +
      'own. Costs one lookup.',
    callers: DECIDERS,
    permission: 'read',
    body: DecisionBody,
    responses: { 200: { description: 'The decision', schema: Decision } },
  },
  listDecisions: {
    method: 'get',
    path: '/v1/decisions',
    tag: 'Decisions',
    summary: 'List the decisions that the platform asked for, newest first',
    description:
      `Platform only. Its latest ${DECISIONS_MAX.toLocaleString('en')} of the last 30 days, however it ` +
      'asked. A decision is in the list within a second, and is not written again where a response is ' +
      'repeated for its `Idempotency-Key`.',
    callers: ['platform'],
    query: PageQuery,
    responses: { 200: { description: 'A page of decisions', schema: PastDecisionList } },
  },
} as const satisfies RouteSpecs
