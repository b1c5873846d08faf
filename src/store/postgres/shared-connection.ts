import type pg from 'pg'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { isLost, sendTogether } from './pool.ts'
import { type Sql, sqlOn, unavailable } from './sql.ts'

/** One connection of a pool, on which the statements of many requests run one after the other. */
export interface SharedConnection {
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/**
 * How long it is kept while it is unused: to take one from the pool for each event starts and ends two timers.
 * A shutdown waits for it.
 */
const KEPT_MS = 50

interface Shared {
  readonly connecting: Promise<Connected>
  /** Once something has been run on it. */
  client: pg.PoolClient | null
  users: number
  isBroken: boolean
  /** Releases it if it is unused then. */
  timer: NodeJS.Timeout | undefined
}

interface Connected {
  readonly client: pg.PoolClient
  readonly sql: Sql
}

/** The connection is taken from the pool at its first use, and released soon after its last use. */
export function createSharedConnection(pool: pg.Pool): SharedConnection {
  const statements = new WeakMap<pg.PoolClient, Sql>()
  let current: Shared | null = null

  function take(): Shared {
    if (current?.client && isLost(current.client)) {
      leave(current)
    }
    current ??= {
      connecting: connect(),
      client: null,
      users: 0,
      isBroken: false,
      timer: undefined,
    }
    return current
  }

  /** Later statements do not wait for a connection that is lost. */
  function leave(shared: Shared): void {
    shared.isBroken = true
    current = current === shared ? null : current
  }

  async function connect(): Promise<Connected> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error)
    })
    const sql = statements.get(client) ?? sqlOn(client, () => sendTogether(client))
    statements.set(client, sql)
    return { client, sql }
  }

  function endUse(shared: Shared, hasFailed: boolean): void {
    shared.users -= 1
    if (shared.users > 0) {
      return
    }
    if (hasFailed) {
      // The statement that runs instead gets the same connection from the pool, after the failed one has ended.
      release(shared)
    } else {
      shared.timer ??= setTimeout(releaseUnused, KEPT_MS, shared)
    }
  }

  function releaseUnused(shared: Shared): void {
    shared.timer = undefined
    if (shared.users === 0) {
      release(shared)
    }
  }

  function release(shared: Shared): void {
    clearTimeout(shared.timer)
    if (current === shared) {
      current = null
    }
    shared.connecting.then(
      ({ client }) => client.release(shared.isBroken),
      () => {},
    )
  }

  return {
    async run(work) {
      const shared = take()
      shared.users += 1
      let hasFailed = true
      try {
        const { client, sql } = await shared.connecting
        shared.client = client
        const result = await work(sql)
        hasFailed = false
        return result
      } catch (error) {
        // A lock that was not available in time is no fault of the connection.
        if (error instanceof StoreUnavailable && !(error instanceof StoreBusy)) {
          leave(shared)
        }
        throw error
      } finally {
        endUse(shared, hasFailed)
      }
    },
  }
}
