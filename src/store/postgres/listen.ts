import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { closeSilent, endClient, receivedBy } from './pool.ts'

/** `hello`: what a listener sends itself. `changes`: see changes.ts. `deliveries`: something was queued. */
export const CHANNELS = {
  hello: 'standing_hello',
  changes: 'standing_changes',
  deliveries: 'standing_deliveries',
} as const

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS]

export interface ListenOptions {
  /** A new connection, not yet connected. */
  readonly newClient: () => pg.Client
  readonly pool: pg.Pool
  readonly onError: (error: Error) => void
}

export interface ChannelHandler {
  notified(payload: string): void
  /** Notifications may have been missed: the connection was lost, or is new. */
  missed(): void
}

/** The one connection on which a node listens for notifications of PostgreSQL. */
export interface Listener {
  /** Handles the notifications of a channel until the function returned is called. */
  subscribe(channel: Channel, handler: ChannelHandler): () => void
  /** Whether notifications arrive. */
  isConnected(): boolean
  /** How many other connections listen; infinite while nothing is known. */
  others(): number
  close(): Promise<void>
}

/**
 * How often the connection is checked. The database sends pending notifications before it answers a
 * query, so after each answer everything committed before the query has arrived.
 */
const HEARTBEAT_MS = 1_000

/** After this long without an answer the connection may be dead without an error. */
const HEARTBEAT_MAX_AGE_MS = 3_000

/** The pause before a lost connection is made again. */
const RECONNECT_MS = 500

/** How the connections of listeners are named. */
export const LISTENER_NAME = 'standing listener'

/** Listeners of this database, this one aside. Those of another role are not seen. */
const OTHERS = `select count(*)::int as others from pg_stat_activity
  where datname = current_database() and application_name = '${LISTENER_NAME}'
    and pid <> pg_backend_pid()`

/** How `pg` reports that a statement had no answer in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * Listens on a connection of its own, and connects again whenever it is lost. It counts as connected
 * once a notification that it sent through the pool has arrived: behind a pooler that shares
 * connections by the transaction, notifications never arrive.
 */
export function listen({ newClient, pool, onError }: ListenOptions): Listener {
  const subscriptions = new Set<{ readonly channel: string; readonly handler: ChannelHandler }>()
  const hello = randomUUID()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isGreeted = false
  let others = Number.POSITIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  function handle(channel: string, payload: string): void {
    if (channel === CHANNELS.hello && payload === hello) {
      isGreeted = true
      miss()
    } else if (channel === CHANNELS.hello) {
      others = Number.POSITIVE_INFINITY
    }
    for (const one of subscriptions) {
      if (one.channel === channel) {
        one.handler.notified(payload)
      }
    }
  }

  function miss(): void {
    for (const { handler } of subscriptions) {
      handler.missed()
    }
  }

  async function connect(): Promise<void> {
    const fresh = newClient()
    client = fresh
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the connection that listens has ended')))
    fresh.on('notification', ({ channel, payload = '' }) => handle(channel, payload))
    try {
      await fresh.connect()
      for (const channel of Object.values(CHANNELS)) {
        await fresh.query(`listen ${channel}`)
      }
      await pool.query('select pg_notify($1, $2)', [CHANNELS.hello, hello])
      await check(fresh)
    } catch (error) {
      lose(fresh, error as Error)
    }
  }

  async function check(on: pg.Client): Promise<void> {
    const askedAt = performance.now()
    const received = receivedBy(pool)
    try {
      const { rows } = await on.query<{ others: number }>(OTHERS)
      if (on !== client) {
        return
      }
      others = rows[0]?.others ?? 0
      answeredAt = askedAt
      timer = setTimeout(() => void check(on), HEARTBEAT_MS).unref()
    } catch (error) {
      if (isTimeout(error)) {
        // The network has dropped this connection, and most likely others: a statement on one of
        // them would wait until its timeout.
        closeSilent(pool, received)
      }
      lose(on, error as Error)
    }
  }

  function lose(lost: pg.Client, error: Error): void {
    if (lost !== client) {
      return
    }
    client = null
    isGreeted = false
    others = Number.POSITIVE_INFINITY
    answeredAt = Number.NEGATIVE_INFINITY
    clearTimeout(timer)
    lost.end().catch(() => {})
    miss()
    if (!isClosed) {
      onError(error)
      timer = setTimeout(() => void connect(), RECONNECT_MS).unref()
    }
  }

  void connect()
  return {
    subscribe(channel, handler) {
      const subscription = { channel, handler }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    others: () => others,
    isConnected: () => isGreeted && performance.now() - answeredAt < HEARTBEAT_MAX_AGE_MS,
    async close() {
      isClosed = true
      clearTimeout(timer)
      const last = client
      client = null
      await (last && endClient(last))
    },
  }
}
