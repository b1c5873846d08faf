import type pg from 'pg'
import { DELIVERIES_CHANNEL } from './notifications.ts'

export interface DeliveryListenOptions {
  /** A new connection, not yet connected. */
  readonly newClient: () => pg.Client
  readonly wake: () => void
  readonly onError: (error: unknown) => void
}

/** Before a connection that was lost is made again. Meanwhile the timer of the pump finds what waits. */
const RECONNECT_MS = 1_000

/**
 * Calls `wake` when a transaction that queued something has committed, and whenever the connection
 * was made: what was missed without it is found then.
 */
export function listenForDeliveries({ newClient, wake, onError }: DeliveryListenOptions): {
  close(): Promise<void>
} {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function connect() {
    const fresh = newClient()
    client = fresh
    fresh.on('notification', wake)
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the connection that listens has ended')))
    try {
      await fresh.connect()
      await fresh.query(`listen ${DELIVERIES_CHANNEL}`)
      wake()
    } catch (error) {
      lose(fresh, error)
    }
  }

  function lose(lost: pg.Client, error: unknown) {
    if (client !== lost || closed) {
      return
    }
    client = null
    onError(error)
    void lost.end().catch(() => {})
    timer = setTimeout(connect, RECONNECT_MS).unref()
  }

  void connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
