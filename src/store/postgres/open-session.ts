import type pg from 'pg'
import { batchingOf } from './batching.ts'
import { notify, type Publisher, type ScoreNotifier } from './changes.ts'
import type { Cluster } from './cluster.ts'
import type { Contention } from './contention.ts'
import type { Session } from './session.ts'
import { type Sql, sqlOn, sqlWithFallback } from './sql.ts'
import type { StateCache } from './state-cache.ts'
import type { StatisticsWriter } from './statistics.ts'

export interface PostgresStoreOptions {
  readonly newId: () => string
  readonly publisher: Publisher
  /** Whether other nodes are notified of changes. */
  readonly notifies: boolean
  readonly scoreNotifier: ScoreNotifier
  /** Where lists and logs are read; on the same connections as all else by default. */
  readonly lists: pg.Pool
  /** Where lists are read that may lag; with the others by default. */
  readonly replica: pg.Pool | null
  /** Where the rows of agents are; null on a single server. */
  readonly cluster: Cluster | null
  readonly statistics: StatisticsWriter
  readonly contention: Contention
}

/** Each statement on its own, on any connection of the pool. */
export function sessionOn(
  pool: pg.Pool,
  options: PostgresStoreOptions,
  cache: StateCache,
): Session {
  const { publisher, notifies, lists: listPool, replica } = options
  const sql = sqlOn(pool)
  const lists = sqlOn(listPool)
  return {
    ...commonParts(options),
    sql,
    lists,
    lagging: replica ? sqlWithFallback(sqlOn(replica), lists) : lists,
    reporterChanged: (platformId) => void cache.reporters.delete(platformId),
    async changed(change) {
      publisher.publish(change)
      if (notifies) {
        await notify(sql, publisher.origin, change)
      }
    },
  }
}

/** All statements in one transaction. What follows its commit is given to `onCommitted`. */
export function sessionWithin(
  sql: Sql,
  options: PostgresStoreOptions,
  cache: StateCache,
  onCommitted: (work: () => void) => void,
): Session {
  const { publisher, notifies, scoreNotifier } = options
  return {
    ...commonParts(options),
    sql,
    lists: sql,
    lagging: sql,
    reporterChanged: (platformId) => onCommitted(() => cache.reporters.delete(platformId)),
    async changed(change) {
      onCommitted(() => publisher.publish(change))
      if (change.kind === 'scores') {
        onCommitted(() => scoreNotifier.changed(change.ids))
      } else if (notifies) {
        await notify(sql, publisher.origin, change)
      }
    },
  }
}

function commonParts({ newId, cluster, statistics, contention }: PostgresStoreOptions) {
  return {
    newId,
    shards: cluster?.bounds ?? null,
    batching: batchingOf(cluster, contention),
    statisticsWritten: statistics.written,
  }
}
