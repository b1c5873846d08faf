import type pg from 'pg'
import { type EventStore, type IngestResult, type Store, StoreUnavailable } from '../store.ts'
import { agentStore } from './agents.ts'
import { auditStore } from './audit.ts'
import { tellChange, tellChanged } from './changes.ts'
import { credentialStore } from './credentials.ts'
import { deliveryLogStore } from './deliveries.ts'
import { eventStore } from './events.ts'
import { idempotencyStore } from './idempotency.ts'
import { readIngest, writeIngest } from './ingest.ts'
import { installationStore } from './installation.ts'
import { keyStore } from './keys.ts'
import { listenerStore } from './listeners.ts'
import { insertNotifications } from './notifications.ts'
import { ownerStore } from './owners.ts'
import { platformStore } from './platforms.ts'
import { quotaStore } from './quotas.ts'
import { reporterStore } from './reporters.ts'
import { ruleStore } from './rules.ts'
import { scoreStore } from './scores.ts'
import { signingKeyStore } from './signing-keys.ts'
import { mayRunAgain, type Sql, sqlOn, translate } from './sql.ts'
import { webhookStore } from './webhooks.ts'

/** How often work that lost to another transaction runs again before it is given up. */
const RUNS_MAX = 6

export function createPostgresStore(pool: pg.Pool): Store {
  const transaction = <T>(work: (sql: Sql) => Promise<T>) => inTransaction(pool, work)
  const ingest: EventStore['ingest'] = async (scope, decide, follow) => {
    const work = async (sql: Sql) => {
      const view = await readIngest(sql, scope)
      const result = decide(view)
      await writeIngest(sql, result, view)
      await follow?.(storeWithin(sql), result)
      return result
    }
    // Before anyone is answered. Should it fail, what others remember grows old by itself.
    return inTransaction(pool, work, (sql, result) =>
      tellChanged(sql, 'scores', agentIdsOf(result)).catch(() => {}),
    )
  }
  return {
    ...nouns(sqlOn(pool), ingest),
    transaction: (work) => transaction((sql) => work(storeWithin(sql))),
    attempt: () => Promise.reject(new Error('attempt needs a transaction around it')),
  }
}

function agentIdsOf({ agentStates }: IngestResult): readonly string[] {
  return agentStates.map(({ agentId }) => agentId)
}

/** The store as a transaction sees it. */
function storeWithin(sql: Sql): Store {
  const within: Store = {
    ...nouns(sql, async (scope, decide, follow) => {
      const view = await readIngest(sql, scope)
      const result = decide(view)
      await writeIngest(sql, result, view)
      await follow?.(within, result)
      await tellChange(sql, 'scores', agentIdsOf(result))
      return result
    }),
    transaction: (work) => work(within),
    async attempt(work) {
      await sql('savepoint attempt')
      try {
        return await work()
      } catch (error) {
        await sql('rollback to savepoint attempt')
        throw error
      }
    },
  }
  return within
}

function nouns(sql: Sql, ingest: EventStore['ingest']): Omit<Store, 'transaction' | 'attempt'> {
  return {
    owners: ownerStore(sql),
    agents: agentStore(sql),
    keys: keyStore(sql),
    platforms: platformStore(sql),
    reporters: reporterStore(sql),
    rules: ruleStore(sql),
    events: { ...eventStore(sql), ingest },
    scores: scoreStore(sql),
    credentials: credentialStore(sql),
    signingKeys: signingKeyStore(sql),
    notifications: { insert: (notifications) => insertNotifications(sql, notifications) },
    webhooks: webhookStore(sql),
    deliveries: deliveryLogStore(sql),
    listeners: listenerStore(sql),
    audit: auditStore(sql),
    installation: installationStore(sql),
    idempotency: idempotencyStore(sql),
    quotas: quotaStore(sql),
  }
}

/**
 * Commits what `work` did, or leaves no trace of it; runs it again when another stood in the way.
 * What comes `after` is sent right behind the commit, and is no part of it.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<T>,
  after?: (sql: Sql, result: T) => Promise<void>,
): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await once(pool, work, after)
    } catch (error) {
      if (run === RUNS_MAX || !mayRunAgain(error)) {
        throw error
      }
    }
  }
}

async function once<T>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<T>,
  after?: (sql: Sql, result: T) => Promise<void>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  let broken = true
  try {
    const sql = sqlOn(client)
    // Goes out with the first statement of the work, which fails if it does.
    sql('begin').catch(() => {})
    try {
      const result = await work(sql)
      const committed = commit(sql)
      const done = after?.(sql, result)
      await committed
      await done
      broken = false
      return result
    } catch (error) {
      broken = !(await rolledBack(sql))
      throw error
    }
  } finally {
    client.release(broken)
  }
}

/** A commit that fails may still have gone through: the caller has to ask again, by the same key. */
async function commit(sql: Sql): Promise<void> {
  try {
    await sql('commit')
  } catch (error) {
    if (mayRunAgain(error)) {
      throw error
    }
    throw new StoreUnavailable('the outcome of a commit is unknown', { cause: error })
  }
}

async function rolledBack(sql: Sql): Promise<boolean> {
  try {
    await sql('rollback')
    return true
  } catch {
    return false
  }
}

function unavailable(error: unknown): unknown {
  const translated = translate(error)
  if (translated instanceof StoreUnavailable || !(error instanceof Error)) {
    return translated
  }
  return new StoreUnavailable(error.message, { cause: error })
}
