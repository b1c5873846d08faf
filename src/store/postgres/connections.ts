import type pg from 'pg'
import type { Store } from '../store.ts'
import { ingestWithin } from './ingest.ts'
import { nouns } from './nouns.ts'
import { type PostgresStoreOptions, sessionWithin } from './open-session.ts'
import { cacheDecided, type StateCache } from './state-cache.ts'
import type { Transaction } from './transaction.ts'

interface Connection {
  readonly store: Store
  /** Stores events that are all of the transaction: the commit follows the writes at once. */
  readonly ingestAll: Store['events']['ingest']
  begin(transaction: Transaction): void
}

/** A store on each connection, made once: a transaction costs no objects of its own. */
export function createConnections(
  options: PostgresStoreOptions,
  cache: StateCache,
): (transaction: Transaction) => Connection {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  return (transaction) => {
    const known = connections.get(transaction.client)
    const connection = known ?? createConnection(transaction, options, cache)
    connection.begin(transaction)
    connections.set(transaction.client, connection)
    return connection
  }
}

/** A store that runs everything in the current transaction of one connection. */
function createConnection(
  first: Transaction,
  options: PostgresStoreOptions,
  cache: StateCache,
): Connection {
  const { sql } = first
  let current = first
  let depth = 0
  const session = sessionWithin(sql, options, cache, (work) => current.onCommitted.push(work))
  const store: Store = {
    ...nouns(
      session,
      ingestWithin(session, () => store),
    ),
    async transaction(work) {
      const savepoint = `depth_${depth++}`
      // Sent together with the first statement of the work, which fails if this one does.
      sql(`savepoint ${savepoint}`).catch(() => {})
      try {
        const result = await work(store)
        sql(`release savepoint ${savepoint}`).catch(() => {})
        return result
      } catch (error) {
        await sql(`rollback to savepoint ${savepoint}`)
        throw error
      } finally {
        depth--
      }
    },
  }
  const ingestAll = ingestWithin(session, () => store, {
    onSent(writing) {
      // The commit reports its failure.
      writing.catch(() => {})
      current.sent.push(writing)
    },
    onDecided: (batch) => cacheDecided(cache, batch),
  })
  return {
    store,
    ingestAll,
    begin(transaction) {
      current = transaction
      depth = 0
    },
  }
}
