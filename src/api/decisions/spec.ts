import type { RouteSpecs } from '../../http/route.ts'
import { Decision, DecisionBody } from './schema.ts'

export const DECIDERS = ['platform', 'owner', 'agent', 'operator'] as const

export const DECISION_SPECS = {
  decide: {
    method: 'post',
    path: '/v1/decisions',
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
} as const satisfies RouteSpecs
