import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { forbidden, notFound } from '../../domain/error.ts'
import { NOTIFICATION_TYPES, TEST_TYPE } from '../../domain/notification.ts'
import { created, ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import type {
  ListenerRow,
  NotificationPosition,
  NotificationRow,
  Store,
} from '../../store/store.ts'
import { checkAgents, unique } from '../../webhooks/webhooks.ts'
import { Id, IdParams, PageQuery, pageOf, Time, time } from '../wire.ts'
import { AgentIds, Events, NotificationId } from './schema.ts'

/** How long what is told is kept for somebody who has not asked for it. */
const LISTENER_MS = 10 * 60_000

/** Of one owner: a few people at their machines. */
const LISTENERS_MAX = 5

/** No shutdown waits longer for who waits here. */
const WAIT_SECONDS_MAX = 5

/** How often somebody's wait looks for something: live, to a human eye. */
const LOOK_MS = 250

const CreateListenerBody = z
  .strictObject({ events: Events, agentIds: AgentIds })
  .openapi('CreateListener')

const Listener = z
  .object({
    id: Id,
    events: z.array(z.enum([...NOTIFICATION_TYPES, '*'])),
    agentIds: z.array(Id).nullable(),
    expiresAt: Time.openapi({ description: 'Put off whenever it is asked.' }),
  })
  .openapi('Listener')

const Notices = z
  .object({
    data: z.array(
      z
        .object({
          id: NotificationId,
          type: z.enum([...NOTIFICATION_TYPES, TEST_TYPE]),
          timestamp: Time,
          data: z.record(z.string(), z.unknown()),
        })
        .openapi('Notice'),
    ),
    nextCursor: z
      .string()
      .nullable()
      .openapi({ description: 'Ask with it next; null until something was told.', example: null }),
  })
  .openapi('Notices')

const WAIT_WORDS = `must be a whole number from 0 to ${WAIT_SECONDS_MAX}`

const NoticesQuery = PageQuery.extend({
  waitSeconds: z
    .string()
    .regex(/^[0-5]$/, WAIT_WORDS)
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: 0,
      description: 'How long to wait for something where there is nothing.',
    }),
})

/** Following notices without an address to post them to: for whoever builds a receiver. */
export function listenerRoutes(context: Context): readonly Route[] {
  const { store, cursors, now, newId } = context

  const create = route({
    method: 'post',
    path: '/v1/webhooks/listeners',
    operationId: 'createListener',
    tag: 'Webhooks',
    summary: 'Follow what is told, without a public address',
    description:
      'For `standing webhooks listen`: what is told from now on can be fetched. It ends ten ' +
      'minutes after it was last asked; the newest five of an owner stay.',
    callers: ['owner'],
    body: CreateListenerBody,
    answers: { 201: { description: 'The listener', schema: Listener } },
    handle: ({ caller, body, transact }) =>
      transact(async (within) => {
        const agentIds = body.agentIds ? unique(body.agentIds) : null
        await checkAgents(within, caller.ownerId, agentIds)
        const createdAt = now()
        const listener: ListenerRow = {
          id: newId(),
          ownerId: caller.ownerId,
          events: unique(body.events),
          agentIds,
          createdAt,
          expiresAt: createdAt + LISTENER_MS,
        }
        await within.listeners.insert(listener, LISTENERS_MAX)
        return created(present(listener))
      }),
  })

  const notifications = route({
    method: 'get',
    path: '/v1/webhooks/listeners/{id}/notices',
    operationId: 'listListenerNotices',
    tag: 'Webhooks',
    summary: 'What was told since the last time, oldest first',
    description: 'Waits for something if asked to; nothing is passed over.',
    callers: ['owner'],
    params: IdParams,
    query: NoticesQuery,
    answers: { 200: { description: 'What was told', schema: Notices } },
    async handle({ caller, params: { id }, query, request }) {
      const listener = await ownListener(store, caller.ownerId, id, now())
      const name = { list: 'notices', id }
      const { position, limit } = pageOf<NotificationPosition>(cursors, query, name)
      if (listener.expiresAt < now() + LISTENER_MS / 2) {
        await store.listeners.extend(id, now() + LISTENER_MS)
      }
      const look = () => store.listeners.notifications(listener, position, limit)
      const found = await waitFor(look, query.waitSeconds ?? 0, request.isGone)
      const last = found.at(-1)?.position ?? position
      const nextCursor = last ? cursors.encode(last, name) : null
      return ok({ data: found.map(presentNotice), nextCursor })
    },
  })

  return [create, notifications]
}

async function ownListener(
  store: Store,
  ownerId: string,
  id: string,
  now: number,
): Promise<ListenerRow> {
  const listener = await store.listeners.find(id)
  if (!listener || listener.expiresAt < now) {
    throw notFound('listener')
  }
  if (listener.ownerId !== ownerId) {
    throw forbidden('this listener belongs to another owner')
  }
  return listener
}

async function waitFor(
  look: () => Promise<readonly NotificationRow[]>,
  seconds: number,
  isGone: () => boolean,
): Promise<readonly NotificationRow[]> {
  const until = performance.now() + seconds * 1000
  while (true) {
    const found = await look()
    if (found.length > 0 || performance.now() >= until) {
      return found
    }
    await sleep(LOOK_MS)
    // Who asked has gone: nobody would read what is found.
    if (isGone()) {
      return []
    }
  }
}

function present({ id, events, agentIds, expiresAt }: ListenerRow) {
  return { id, events, agentIds, expiresAt: time(expiresAt) }
}

function presentNotice({ id, type, createdAt, data }: NotificationRow) {
  return { id, type, timestamp: time(createdAt), data }
}
