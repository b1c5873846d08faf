import { notFound, ofOtherOwner } from '../domain/error.ts'
import type { NotificationFilter } from '../domain/notification.ts'
import { pause } from '../lib/pause.ts'
import type { Sources } from '../lib/sources.ts'
import type { ListenerRow, NotificationPosition, ReadNotifications, Store } from '../store/store.ts'
import { checkAgents, unique } from './filters.ts'

/** How long notifications are kept for a listener that does not read them. */
const LIFETIME_MS = 10 * 60_000

/** A shutdown waits no longer than this for a listener. */
export const WAIT_SECONDS_MAX = 5

/** How often a waiting listener looks for notifications: immediate, to a person watching. */
const POLL_MS = 250

export interface ListenerInput {
  readonly events: readonly NotificationFilter[]
  readonly agentIds?: readonly string[] | null | undefined
}

/** Creates a listener; the oldest of an owner with too many is removed. */
export async function createListener(
  within: Store,
  { now, newId }: Sources,
  ownerId: string,
  input: ListenerInput,
): Promise<ListenerRow> {
  const agentIds = input.agentIds ? unique(input.agentIds) : null
  await checkAgents(within, ownerId, agentIds)
  const createdAt = now()
  const listener: ListenerRow = {
    id: newId(),
    ownerId,
    events: unique(input.events),
    agentIds,
    createdAt,
    expiresAt: createdAt + LIFETIME_MS,
  }
  await within.listeners.save(listener)
  return listener
}

/** The listener, if it belongs to this owner; reading it extends its lifetime. */
export async function openListener(
  store: Store,
  now: number,
  ownerId: string,
  id: string,
): Promise<ListenerRow> {
  const listener = await store.listeners.find({ id })
  if (!listener || listener.expiresAt < now) {
    throw notFound('listener')
  }
  if (listener.ownerId !== ownerId) {
    throw ofOtherOwner('this listener belongs to another owner')
  }
  // Not at every read: a listener that polls would write as often.
  if (listener.expiresAt < now + LIFETIME_MS / 2) {
    await store.listeners.save({ ...listener, expiresAt: now + LIFETIME_MS })
  }
  return listener
}

export interface Reading {
  readonly position: NotificationPosition | null
  readonly limit: number
  /** How long to wait where there is nothing to read. */
  readonly waitSeconds: number
  /** Whether the client has closed its connection. */
  readonly isGone: () => boolean
}

/** The notifications after a position, oldest first; waits for some when asked to. */
export async function readNotifications(
  store: Store,
  listener: ListenerRow,
  { position, limit, waitSeconds, isGone }: Reading,
): Promise<ReadNotifications> {
  const until = performance.now() + waitSeconds * 1000
  let read = await store.notifications.listFor(listener, position, limit)
  while (read.rows.length === 0 && performance.now() < until) {
    await pause(POLL_MS)
    // The service may have stopped meanwhile, which waits for no client that has gone.
    if (isGone()) {
      break
    }
    read = await store.notifications.listFor(listener, read.position, limit)
  }
  return read
}
