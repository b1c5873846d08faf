import { randomUUID } from 'node:crypto'
import { createBatcher } from '../../lib/batcher.ts'
import { pause } from '../../lib/pause.ts'
import type { Change, ChangeFeed } from '../changes.ts'
import { CHANNELS, type Listener } from './listen.ts'
import type { Sql } from './sql.ts'

/** PostgreSQL refuses a longer notification, and with it the transaction. */
const PAYLOAD_BYTES_MAX = 7_999

/** Publishes the changes of one node. */
export interface Publisher {
  /** Names the node in its notifications, so that it ignores its own. */
  readonly origin: string
  /** To the subscribers on this node. */
  publish(change: Change): void
}

/** Other nodes that get changes in another way than by notifications of the database. */
export interface LinkedNodes {
  count: number
}

/**
 * The changes of this node, as its store publishes them, and of other nodes, as the listener
 * receives them. Every user of the database can notify: `onUnreadable` is called for a notification
 * that names its ids in a way no node does, after which anything may be stale.
 */
export function createChanges(
  listener: Listener,
  onUnreadable: () => void,
): ChangeFeed & Publisher {
  const origin = randomUUID()
  const subscribers: ((change: Change) => void)[] = []
  const publish = (change: Change) => {
    for (const subscriber of subscribers) {
      subscriber(change)
    }
  }
  listener.subscribe(CHANNELS.changes, {
    notified(payload) {
      const change = changeOf(payload, origin)
      if (change?.kind === 'unknown') {
        onUnreadable()
      }
      if (change) {
        publish(change)
      }
    },
    missed: () => publish({ kind: 'unknown' }),
  })
  return {
    origin,
    publish,
    isConnected: listener.isConnected,
    subscribe: (subscriber) => void subscribers.push(subscriber),
  }
}

/**
 * Notifies every node. Within a transaction the nodes are notified when it commits, and only then:
 * commits that notify wait for one another's disk, so this is for changes that are rare.
 */
export async function notify(sql: Sql, origin: string, change: Change): Promise<void> {
  for (const payload of payloadsOf(origin, change)) {
    await sql('select pg_notify($1, $2)', [CHANNELS.changes, payload])
  }
}

/** Notifies the other nodes of scores that have changed. */
export interface ScoreNotifier {
  /** To be called for scores that were committed. */
  changed(agentIds: readonly string[]): void
  /** Resolves once the other nodes were notified of all of them. */
  idle(): Promise<void>
}

/** For a node that notifies no other. */
export const NO_SCORE_NOTIFIER: ScoreNotifier = { changed() {}, async idle() {} }

/**
 * Between two notifications. Scores change with every event, and a notification costs the database as
 * much as the event: this way it is paid a hundred times a second at most.
 */
const PAUSE_MS = 10

/** Between two notifications while no other node is seen. One that has just started waits for so long. */
const PAUSE_ALONE_MS = 1_000

/**
 * Notifies apart from the events. Within their transaction it took the commits of three nodes to a
 * third, because commits that notify wait for one another's disk.
 */
export function createScoreNotifier(
  sql: Sql,
  origin: string,
  hasOthers: () => boolean = () => true,
): ScoreNotifier {
  let agentIds = new Set<string>()
  let endPause = new AbortController()
  const { wake, idle } = createBatcher({
    hasWaiting: () => agentIds.size > 0,
    async flush() {
      const ids = [...agentIds]
      agentIds = new Set()
      // Where it fails, the other nodes read the scores again when these are no longer fresh.
      await notifyCommitted(sql, origin, { kind: 'scores', ids }).catch(() => {})
      const { signal } = endPause
      await pause(hasOthers() ? PAUSE_MS : PAUSE_ALONE_MS, signal)
    },
  })
  return {
    changed(ids) {
      for (const id of ids) {
        agentIds.add(id)
      }
      wake()
    },
    async idle() {
      endPause.abort()
      await idle()
      endPause = new AbortController()
    },
  }
}

/** Notifies of what was committed just before, by a commit that does not wait for the disk. */
async function notifyCommitted(sql: Sql, origin: string, change: Change): Promise<void> {
  for (const payload of payloadsOf(origin, change)) {
    await sql(`select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`, [
      CHANNELS.changes,
      payload,
    ])
  }
}

/** In as many notifications as it takes: ids are UUIDs, or values of any length that an identifier may have. */
function payloadsOf(origin: string, change: Change): readonly string[] {
  if (!('ids' in change)) {
    return [`${origin} ${change.kind}`]
  }
  const start = `${origin} ${change.kind} `
  const payloads: string[] = []
  let ids = ''
  // Encoded, every character is one byte.
  for (const id of change.ids.map(encodeURIComponent)) {
    const joined = ids === '' ? id : `${ids},${id}`
    if (start.length + joined.length <= PAYLOAD_BYTES_MAX) {
      ids = joined
    } else {
      payloads.push(start + ids)
      ids = id
    }
  }
  return ids === '' ? payloads : [...payloads, start + ids]
}

/**
 * Null for a change of this node, which was published when it committed, and for a kind that is not
 * known. `unknown` where the ids cannot be read.
 */
function changeOf(payload: string, origin: string): Change | null {
  const [from, kind, ids = ''] = payload.split(' ')
  if (from === origin) {
    return null
  }
  switch (kind) {
    case 'callers':
    case 'scores':
    case 'identifiers':
    case 'policies':
    case 'deliveries':
      return changeOfIds(kind, ids)
    case 'rules':
    case 'signing_keys':
      return { kind }
    default:
      return null
  }
}

function changeOfIds(kind: (Change & { readonly ids: unknown })['kind'], ids: string): Change {
  try {
    return { kind, ids: ids.split(',').map(decodeURIComponent) }
  } catch {
    return { kind: 'unknown' }
  }
}
