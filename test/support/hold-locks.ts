import type pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { isCluster } from './cluster.ts'
import { eventually } from './eventually.ts'

/**
 * Takes locks from a connection of the pool: each statement runs in one transaction, which lasts until
 * the function returned is called, or the test is done. A test that fails would otherwise leave them to
 * those that follow, and the pool could not end.
 */
export async function holdLocks(
  pool: pg.Pool,
  ...statements: readonly pg.QueryConfig[]
): Promise<() => Promise<void>> {
  const client = await pool.connect()
  let isHeld = true
  const letGo = async () => {
    if (isHeld) {
      isHeld = false
      await client.query('rollback').finally(() => client.release())
    }
  }
  onTestFinished(letGo)
  // The test decides how long, which on a busy machine is longer than a service may.
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  for (const statement of statements) {
    await client.query(statement)
  }
  return letGo
}

/**
 * For tests of what waits for such a lock. On a machine that stops for longer than a lock is waited for, requests come
 * in another order.
 */
export const RETRIED = { retry: 3 }

/** Locks the row that every report about an agent locks. */
export function lockAgent(pool: pg.Pool, agentId: string): Promise<() => Promise<void>> {
  return holdLocks(pool, {
    text: 'select from agent_states where agent_id = $1 for update',
    values: [agentId],
  })
}

/** Where statements are listed that wait: on a cluster, those of its workers too. */
const ACTIVITY = isCluster ? 'citus_stat_activity' : 'pg_stat_activity'

/** Resolves when this many statements wait for a lock, or when one of those that should wait has ended. */
export async function waitForLocks(
  pool: pg.Pool,
  count: number,
  ...waiting: readonly Promise<unknown>[]
): Promise<void> {
  const ended = Promise.race(waiting.map((one) => one.catch(() => {})))
  const blocked = eventually(async () =>
    expect(await waitingForLocks(pool)).toBeGreaterThanOrEqual(count),
  )
  await Promise.race([blocked, ended])
}

/** How many statements wait for a lock. */
export async function waitingForLocks(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ${ACTIVITY}
     where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}
