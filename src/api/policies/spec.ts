import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import {
  BacktestBody,
  BacktestResult,
  Policy,
  PolicyFields,
  PolicyList,
  PolicyParams,
} from './schema.ts'

const HOLDERS = ['platform', 'owner'] as const

const POLICY = { description: 'The policy', schema: Policy }

export const POLICY_SPECS = {
  putPolicy: {
    method: 'put',
    path: '/v1/policies/{name}',
    tag: 'Decisions',
    summary: 'Store a policy under a name',
    description:
      'Platforms and owners, for themselves; an owner’s agents use the owner’s policies. Replaces the ' +
      'policy of that name as a whole. `default` is used where no other policy is named. `FORBIDDEN` ' +
      'with `details.limit` `max_policies` when there are too many.',
    callers: HOLDERS,
    params: PolicyParams,
    body: PolicyFields,
    responses: { 200: POLICY, 201: { description: 'The new policy', schema: Policy } },
  },
  getPolicy: {
    method: 'get',
    path: '/v1/policies/{name}',
    tag: 'Decisions',
    summary: 'Get a policy',
    description: 'Platforms and owners: their own.',
    callers: HOLDERS,
    params: PolicyParams,
    responses: { 200: POLICY },
  },
  listPolicies: {
    method: 'get',
    path: '/v1/policies',
    tag: 'Decisions',
    summary: 'List the policies, by name',
    description: 'Platforms and owners: their own.',
    callers: HOLDERS,
    query: PageQuery,
    responses: { 200: { description: 'A page of policies', schema: PolicyList } },
  },
  deletePolicy: {
    method: 'delete',
    path: '/v1/policies/{name}',
    tag: 'Decisions',
    summary: 'Delete a policy',
    description:
      'Platforms and owners: their own. A decision that names it is refused from now on.',
    callers: HOLDERS,
    params: PolicyParams,
    responses: { 204: { description: 'The policy is deleted' } },
  },
  backtestPolicy: {
    method: 'post',
    path: '/v1/policies/{name}/backtest',
    queue: 'read',
    writes: false,
    tag: 'Decisions',
    summary: 'Test a policy on the platform’s own history',
    description:
      'Platform only. Decides again on each task and payment that the platform reported in a time, by ' +
      'what was known of the agent just before it, and says what came of those that the policy would ' +
      'have allowed, reviewed and denied. Reports that the operator discarded are left out. `policy` takes ' +
      'the place of the stored policy, which need not exist then.',
    callers: ['platform'],
    params: PolicyParams,
    body: BacktestBody,
    responses: { 200: { description: 'What came of it', schema: BacktestResult } },
  },
} as const satisfies RouteSpecs
