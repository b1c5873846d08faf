import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { ActiveSessionList } from './schema.ts'

export const SESSION_SPECS = {
  listSessions: {
    method: 'get',
    path: '/v1/auth/sessions',
    tag: 'Auth',
    summary: "List the caller's active sessions, newest first",
    description:
      'Owner only. A session begins with a sign-in, a registration or a new password, and has one token. ' +
      'The list has the sessions of the person who asks, and none that has ended.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'session',
    query: PageQuery,
    responses: { 200: { description: 'A page of sessions', schema: ActiveSessionList } },
  },
  endSession: {
    method: 'delete',
    path: '/v1/auth/sessions/{id}',
    tag: 'Auth',
    summary: 'End a session',
    description:
      'Owner only. Its token is refused at once, on every node; the session of the request may be ended ' +
      'too. `NOT_FOUND` for a session of another person, and for one that has ended.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'session',
    params: IdParams,
    responses: { 204: { description: 'The session is ended' } },
  },
} as const satisfies RouteSpecs
