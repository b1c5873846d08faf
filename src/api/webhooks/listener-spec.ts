import { NOTIFICATION_TYPES, TEST_TYPE } from '../../domain/notification.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { WAIT_SECONDS_MAX } from '../../webhooks/listeners.ts'
import { PageQuery } from '../paging.ts'
import { Id, IdParams, queryInteger, Time } from '../wire.ts'
import { NotificationId, NotificationMode } from './delivery-schema.ts'
import { AgentIds, Events } from './schema.ts'

const CreateListenerBody = z
  .strictObject({ events: Events, agentIds: AgentIds })
  .openapi('CreateListener')

const Listener = z
  .object({
    id: Id,
    events: z.array(z.enum([...NOTIFICATION_TYPES, '*'])),
    agentIds: z.array(Id).nullable(),
    expiresAt: Time.openapi({ description: 'Extended whenever the listener is read.' }),
  })
  .openapi('Listener')

const ListenerNotifications = z
  .object({
    data: z.array(
      z
        .object({
          id: NotificationId,
          type: z.enum([...NOTIFICATION_TYPES, TEST_TYPE]),
          mode: NotificationMode,
          timestamp: Time,
          data: z.record(z.string(), z.unknown()),
        })
        .openapi('Notification'),
    ),
    nextCursor: z
      .string()
      .nullable()
      .openapi({
        description:
          'Send it as `cursor` in the next request, also if `data` is empty; null until the account has a ' +
          'notification.',
        example: null,
      }),
  })
  .openapi('ListenerNotifications')

const NotificationQuery = PageQuery.extend({
  waitSeconds: queryInteger({
    min: 0,
    max: WAIT_SECONDS_MAX,
    default: 0,
    description: 'How long to wait for a notification when there is none.',
  }),
})

export const LISTENER_SPECS = {
  createListener: {
    method: 'post',
    path: '/v1/webhooks/listeners',
    tag: 'Webhooks',
    summary: 'Create a listener: read notifications without a public URL',
    description:
      'Owner only. Made for `standing webhook listen`: the notifications from now on can be read ' +
      'with the returned id. A listener expires ten minutes after it was last read; an owner has at ' +
      'most five, the newest.',
    callers: ['owner'],
    body: CreateListenerBody,
    responses: { 201: { description: 'The listener', schema: Listener } },
  },
  listListenerNotifications: {
    method: 'get',
    path: '/v1/webhooks/listeners/{id}/notifications',
    tag: 'Webhooks',
    summary: 'Read the notifications since the last request, oldest first',
    description:
      'The owner of the listener only. With `waitSeconds` waits for a notification when there is ' +
      'none. Every notification is returned once. `NOT_FOUND` when the listener has expired.',
    callers: ['owner'],
    // It mostly waits, and delays no other reads.
    queue: 'none',
    params: IdParams,
    query: NotificationQuery,
    responses: { 200: { description: 'The notifications', schema: ListenerNotifications } },
  },
} as const satisfies RouteSpecs
