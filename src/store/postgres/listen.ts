import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ChangeFeed, ChangeListener } from '../store.ts'
import { CHANNEL } from './changes.ts'

export interface ListenOptions {
  /** A new connection, not yet connected. */
  readonly newClient: () => pg.Client
  readonly pool: pg.Pool
  readonly onError: (error: Error) => void
}

export interface OpenFeed extends ChangeFeed {
  close(): Promise<void>
}

/**
 * How often the connection shows that it lives. The database sends what there is to tell before it
 * answers, so after each answer all that was committed before the question has been heard.
 */
const BEAT_MS = 1_000

/** An answer older than this may hide a connection that died without a word. */
const BEAT_TRUSTED_MS = 3_000

/** How soon a lost connection is made again. */
const RECONNECT_MS = 500

/**
 * Listens, on a connection of its own, to what nodes tell each other, and makes the connection again
 * whenever it is lost. A feed counts as heard once it has heard itself through the pool: behind a
 * pooler that shares connections out by the transaction, notifications never arrive.
 */
export function listenForChanges(options: ListenOptions): OpenFeed {
  const { newClient, pool, onError } = options
  const listeners: ChangeListener[] = []
  const hello = `hello ${randomUUID()}`
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let saidHello = false
  let beatAt = Number.NEGATIVE_INFINITY
  let closed = false

  function hear(payload: string): void {
    const [kind, list = ''] = payload.split(' ', 2)
    const ids = list.split(',')
    if (payload === hello) {
      saidHello = true
    }
    for (const one of listeners) {
      if (payload === hello) {
        one.missed()
      } else if (kind === 'callers') {
        one.callersChanged(ids)
      } else if (kind === 'scores') {
        one.scoresChanged(ids)
      }
    }
  }

  async function connect(): Promise<void> {
    const fresh = newClient()
    client = fresh
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the connection that listens has ended')))
    fresh.on('notification', ({ payload = '' }) => hear(payload))
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      await pool.query('select pg_notify($1, $2)', [CHANNEL, hello])
      await beat(fresh)
    } catch (error) {
      lose(fresh, error as Error)
    }
  }

  async function beat(on: pg.Client): Promise<void> {
    const askedAt = performance.now()
    try {
      await on.query('select 1')
      if (on !== client) {
        return
      }
      beatAt = askedAt
      timer = setTimeout(() => void beat(on), BEAT_MS).unref()
    } catch (error) {
      lose(on, error as Error)
    }
  }

  function lose(lost: pg.Client, error: Error): void {
    if (lost !== client) {
      return
    }
    client = null
    saidHello = false
    beatAt = Number.NEGATIVE_INFINITY
    clearTimeout(timer)
    lost.end().catch(() => {})
    for (const one of listeners) {
      one.missed()
    }
    if (closed) {
      return
    }
    onError(error)
    timer = setTimeout(() => void connect(), RECONNECT_MS).unref()
  }

  void connect()
  return {
    isConnected: () => saidHello && performance.now() - beatAt < BEAT_TRUSTED_MS,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      closed = true
      clearTimeout(timer)
      const last = client
      client = null
      await last?.end().catch(() => {})
    },
  }
}
