import type pg from 'pg'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { sendTogether } from './pool.ts'
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
      const shared = current ?? {
        connecting: connect(),
        users: 0,
        isBroken: false,
        timer: undefined,
      }
      current = shared
      shared.users += 1
      let hasFailed = true
      try {
        const { sql } = await shared.connecting
        const result = await work(sql)
        hasFailed = false
        return result
      } catch (error) {
        // A lock that was not available in time is no fault of the connection.
        if (error instanceof StoreUnavailable && !(error instanceof StoreBusy)) {
          shared.isBroken = true
          // Later statements do not wait for a connection that is lost.
          current = current === shared ? null : current
        }
        throw error
      } finally {
        endUse(shared, hasFailed)
      }
    },
  }
}
