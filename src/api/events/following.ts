import type { RecordedEvent } from '../../domain/agent.ts'
import type { AccountUser, Caller } from '../../domain/caller.ts'
import { isUuid } from '../../domain/uuid.ts'
import type { StreamMessage } from '../../http/event-stream.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Change } from '../../store/changes.ts'
import type { Page, Store } from '../../store/store.ts'
import { presentEvent } from './present.ts'

/** The events about an agent, or those of them that a platform reported. */
export interface EventsOf {
  readonly agentId: string
  readonly reporterId: string | undefined
}

export interface Followed extends EventsOf {
  /** The number of the last event that the client has. */
  readonly after: number
  /** Whether the client named an event that cannot be found, so that others may be missing. */
  readonly isGap: boolean
}

type EventLists = Pick<Store, 'events'>

/** Where a stream begins: behind the event that the client names, or behind the newest. */
export async function followedFrom(
  { events }: EventLists,
  { agentId, reporterId }: EventsOf,
  lastEventId: string | null,
): Promise<Followed> {
  const isId = lastEventId !== null && isUuid(lastEventId.toLowerCase())
  const named = isId ? await events.find({ agentId, id: lastEventId }) : null
  if (named) {
    return { agentId, reporterId, after: named.seq, isGap: false }
  }
  const { rows } = await events.list({ agentId, reporterId }, null, 1)
  return { agentId, reporterId, after: rows[0]?.seq ?? 0, isGap: lastEventId !== null }
}

/** The newest events that are read at a time. Where more came meanwhile, the client reads the list. */
const EVENTS_MAX = 100

/** What is new since an event, oldest first, and the number of its last event. */
interface News {
  readonly messages: readonly StreamMessage[]
  readonly last: number
}

export type ReadAfter = (followed: EventsOf, after: number) => Promise<News>

/**
 * Reads what is new for streams. An event wakes all streams of its agent at once, and those that ask before
 * a read has begun share it: twenty of them cost as much as one.
 */
export function createReader({ events }: EventLists, reads: Semaphore): ReadAfter {
  const asked = new Map<string, Promise<Page<RecordedEvent>>>()

  function newest({ agentId, reporterId }: EventsOf): Promise<Page<RecordedEvent>> {
    const key = `${agentId} ${reporterId ?? ''}`
    const page =
      asked.get(key) ??
      // Deferred, so that all streams that ask in this turn of the event loop share one read.
      Promise.resolve().then(() =>
        reads.run(() => {
          asked.delete(key)
          return events.list({ agentId, reporterId }, null, EVENTS_MAX)
        }),
      )
    asked.set(key, page)
    return page
  }

  return async (followed, after) => {
    const { rows, more } = await newest(followed)
    const fresh = rows.filter(({ seq }) => seq > after).reverse()
    const isGap = more && fresh.length === rows.length && fresh[0]?.seq !== after + 1
    return {
      messages: [...(isGap && fresh.length > 0 ? [GAP] : []), ...fresh.map(messageOf)],
      last: fresh.at(-1)?.seq ?? after,
    }
  }
}

/** Events may be missing here: the client reads the list. */
export const GAP: StreamMessage = { event: 'gap', data: {} }

/** The score may be another one, without an event. */
export const CHANGED: StreamMessage = { event: 'changed', data: {} }

function messageOf(event: RecordedEvent): StreamMessage {
  return { event: 'event', id: event.id, data: presentEvent(event) }
}

/** The caller under every name by which a change may concern it. */
export function namesOf(caller: Caller): readonly string[] {
  switch (caller.kind) {
    case 'owner':
      return [caller.ownerId, caller.by.id, ...sessionNames(caller.by)]
    case 'agent':
      return [caller.agentId, caller.ownerId]
    case 'platform':
      return [caller.platformId]
    case 'operator':
      return [caller.operatorId]
    case 'anonymous':
      return []
  }
}

/** A person can end one session and keep the others. */
function sessionNames(by: AccountUser): readonly string[] {
  return by.kind === 'member' ? [by.sessionId] : []
}

/** A changed caller may have lost its right: it comes back and is checked again. */
export function endsBy(change: Change, names: readonly string[]): boolean {
  return change.kind === 'callers' && change.ids.some((id) => names.includes(id))
}

export function isAbout(change: Change, { agentId }: Followed): boolean {
  return change.kind === 'unknown' || (change.kind === 'scores' && change.ids.includes(agentId))
}
