import type { Context } from '../../context.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { NotificationPosition } from '../../store/store.ts'
import * as listeners from '../../webhooks/listeners.ts'
import { pageOf } from '../paging.ts'
import { LISTENER_SPECS } from './listener-spec.ts'
import { presentListener, presentNotification } from './present.ts'

export function listenerRoutes(deps: Context): readonly Route[] {
  return bind(LISTENER_SPECS, deps, { createListener, listListenerNotifications })
}

type In<Name extends keyof typeof LISTENER_SPECS> = InputOf<(typeof LISTENER_SPECS)[Name]>

function createListener(deps: Context, { caller, body, transact }: In<'createListener'>) {
  return transact(async (within) => {
    const listener = await listeners.createListener(within, deps, caller.ownerId, body)
    return created(presentListener(listener))
  })
}

async function listListenerNotifications(deps: Context, input: In<'listListenerNotifications'>) {
  const { store, cursors, now } = deps
  const { caller, query, request } = input
  const { id } = input.params
  const listener = await listeners.openListener(store, now(), caller.ownerId, id)
  const name = { list: 'notifications', id }
  const { position, limit } = pageOf<NotificationPosition>(cursors, query, name)
  const { waitSeconds = 0 } = query
  const read = await listeners.readNotifications(store, listener, {
    position,
    limit,
    waitSeconds,
    isGone: request.isGone,
  })
  // A listener reads on from where it is: there is a cursor as soon as anything was read.
  const nextCursor = read.position ? cursors.encode(read.position, name) : null
  return ok({ data: read.rows.map(presentNotification), nextCursor })
}
