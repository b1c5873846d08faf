import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { HOLDERS } from '../webhooks/spec.ts'
import { IdParams } from '../wire.ts'
import { Watch, WatchList } from './schema.ts'

const WATCH = { description: 'The watch', schema: Watch }

export const WATCH_SPECS = {
  watchAgent: {
    method: 'put',
    path: '/v1/watches/{id}',
    tag: 'Webhooks',
    summary: 'Watch an agent of another account',
    description:
      'Owners and platforms. Subscriptions of the account then get notifications about this agent too: ' +
      'its score, tier, dispute and status, and names that it has proven or lost, with what anyone may ' +
      'read. `FORBIDDEN` with `details.limit` `max_watches` (of the account) or `max_watchers` (of the ' +
      'agent).',
    callers: HOLDERS,
    params: IdParams,
    responses: { 200: WATCH, 201: { description: 'The new watch', schema: Watch } },
  },
  listWatches: {
    method: 'get',
    path: '/v1/watches',
    tag: 'Webhooks',
    summary: 'List the agents that the account watches',
    description: 'Owners and platforms: their own, newest first.',
    callers: HOLDERS,
    query: PageQuery,
    responses: { 200: { description: 'A page of watches', schema: WatchList } },
  },
  unwatchAgent: {
    method: 'delete',
    path: '/v1/watches/{id}',
    tag: 'Webhooks',
    summary: 'Stop watching an agent',
    description:
      'Owners and platforms: their own. Notifications that are already queued are still delivered.',
    callers: HOLDERS,
    params: IdParams,
    responses: { 204: { description: 'The agent is not watched any more' } },
  },
} as const satisfies RouteSpecs
