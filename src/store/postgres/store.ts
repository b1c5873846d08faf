import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createIds } from '../../lib/ids.ts'
import type { IngestEvents } from '../ingest.ts'
import type { Store } from '../store.ts'
import { createScoreNotifier, type Publisher } from './changes.ts'
import { createConnections } from './connections.ts'
import { createContention } from './contention.ts'
import { nouns } from './nouns.ts'
import { type PostgresStoreOptions, sessionOn } from './open-session.ts'
import { createOptimisticIngest, type ScoreChange } from './optimistic-ingest.ts'
import { createPastIngest } from './past-ingest.ts'
import { createShardedIngest } from './sharded-ingest.ts'
import { sqlOn } from './sql.ts'
import { createStateCache, invalidate, invalidateWritten } from './state-cache.ts'
import { createStatisticsWriter } from './statistics.ts'
import { inTransaction } from './transaction.ts'

/** For a program without caches: its changes are published to the nodes only. */
const NO_SUBSCRIBERS: Publisher = { origin: randomUUID(), publish() {} }

export function createPostgresStore(
  pool: pg.Pool,
  {
    newId = createIds(),
    publisher = NO_SUBSCRIBERS,
    lists = pool,
    replica = null,
    cluster = null,
    statistics = createStatisticsWriter(pool),
    notifies = true,
    scoreNotifier = createScoreNotifier(sqlOn(pool), publisher.origin),
    contention = createContention(),
  }: Partial<PostgresStoreOptions> = {},
): Store {
  const options = {
    newId,
    publisher,
    lists,
    replica,
    notifies,
    scoreNotifier,
    cluster,
    statistics,
    contention,
  }
  const isDistributed = cluster !== null
  const cache = createStateCache()
  const connectionIn = createConnections(options, cache)

  const locking: IngestEvents = async (scope, decide, follow) => {
    try {
      return await inTransaction(
        pool,
        (transaction) => connectionIn(transaction).ingestAll(scope, decide, follow),
        { isDistributed },
      )
    } catch (error) {
      invalidate(cache, scope)
      throw error
    }
  }
  const onCommitted = (change: ScoreChange) => {
    publisher.publish(change)
    scoreNotifier.changed(change.ids)
  }
  const ingest =
    cluster === null
      ? createOptimisticIngest({ pool, cache, contention, newId, locking, onCommitted })
      : createShardedIngest({
          pool,
          cache,
          cluster,
          statistics,
          locking,
          onCommitted: (ids) => onCommitted({ kind: 'scores', ids }),
        })

  const ingestPast = () =>
    createPastIngest({
      pool,
      newId,
      locking,
      isOnlyLocking: isDistributed,
      onCommitted(decided) {
        invalidateWritten(cache, decided)
        onCommitted({ kind: 'scores', ids: decided.agentStates.map(({ agentId }) => agentId) })
      },
    })

  return {
    ...nouns(sessionOn(pool, options, cache), ingest, ingestPast),
    transaction: (work) =>
      inTransaction(pool, (transaction) => work(connectionIn(transaction).store), {
        isDistributed,
      }),
  }
}
