import type pg from 'pg'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { type Sql, sqlOn, unavailable } from './sql.ts'

/** One connection of a pool, on which statements of many run one after the other. */
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
  /** Gives it back if it is unused then. */
  timer: NodeJS.Timeout | undefined
}

interface Connected {
  readonly client: pg.PoolClient
  readonly sql: Sql
}

/** It is taken from the pool when it is first used, and given back soon after it was used last. */
export function createSharedConnection(pool: pg.Pool): SharedConnection {
  const statements = new WeakMap<pg.PoolClient, Sql>()
  let current: Shared | null = null

  async function connect(): Promise<Connected> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error)
    })
    const sql = statements.get(client) ?? sqlOn(client)
    statements.set(client, sql)
    return { client, sql }
  }

  function leave(shared: Shared, hasFailed: boolean): void {
    shared.users -= 1
    if (shared.users > 0) {
      return
    }
    if (hasFailed) {
      // What runs instead takes the same one from the pool, so the database has ended what failed before it.
      giveBack(shared)
    } else {
      shared.timer ??= setTimeout(giveBackUnused, KEPT_MS, shared)
    }
  }

  function giveBackUnused(shared: Shared): void {
    shared.timer = undefined
    if (shared.users === 0) {
      giveBack(shared)
    }
  }

  function giveBack(shared: Shared): void {
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
          // Those who come now do not wait for one that is lost.
          current = current === shared ? null : current
        }
        throw error
      } finally {
        leave(shared, hasFailed)
      }
    },
  }
}
