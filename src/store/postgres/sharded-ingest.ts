import type pg from 'pg'
import type {
  FollowUpWrites,
  IngestEvents,
  IngestResult,
  IngestScope,
  IngestView,
} from '../ingest.ts'
import { NotTogether, StoreUnavailable } from '../types.ts'
import { readPlainShardedStates } from './agent-state-reads.ts'
import type { Cluster } from './cluster.ts'
import { dependsOnEstablished, guardedInShard, isPlain } from './guard.ts'
import { readPlatformHours } from './platform-hours.ts'
import type { ShardWrites } from './shard-function.ts'
import { partsOf, shardsOf } from './shard-parts.ts'
import { createShardWriter, mayLockShards } from './shard-writer.ts'
import { type Sql, sqlOn } from './sql.ts'
import {
  cacheDecided,
  type DecidedBatch,
  invalidate,
  newVersion,
  type StateCache,
  viewOf,
} from './state-cache.ts'
import type { StatisticsWriter } from './statistics.ts'

export interface ShardedIngestOptions {
  readonly pool: pg.Pool
  readonly cache: StateCache
  readonly cluster: Cluster
  readonly statistics: StatisticsWriter
  /** Ingests in a transaction that locks what it reads. */
  readonly locking: IngestEvents
  readonly onCommitted: (agentIds: readonly string[]) => void
}

/**
 * Stores events on a cluster by one statement for each shard, in one transaction of the server that has their
 * agents: decides by what this node has cached, and writes if the agents have not changed since. What takes more than
 * that is done shard by shard, by a transaction that locks.
 */
export function createShardedIngest(options: ShardedIngestOptions): IngestEvents {
  const { pool, cache, cluster, statistics, locking, onCommitted } = options
  const sql = sqlOn(pool)
  const writer = createShardWriter(pool, cluster)
  statistics.subscribe((platformId, before, after) => {
    if (cache.reporters.get(platformId)?.value === before) {
      cache.reporters.set(platformId, { value: after, version: 0 })
    }
  })

  /** Caches what was decided as if it were written; false where it was not. */
  async function write(shards: readonly number[], batch: DecidedBatch): Promise<boolean> {
    const { scope, view, decided } = batch
    const established = dependsOnEstablished(scope, decided) ? view.establishedPlatforms : null
    const writes = writesOf(options, shards, batch)
    cacheDecided(cache, batch)
    try {
      const isWritten = await writer.write({ shards, view, decided, writes, established })
      if (!isWritten) {
        invalidate(cache, scope)
      }
      return isWritten
    } catch (error) {
      invalidate(cache, scope)
      if (error instanceof StoreUnavailable) {
        onCommitted(scope.agentIds)
      }
      if (mayLockShards(error)) {
        // If the coordinator cannot answer now, the shards are looked for where they were.
        await cluster.locate().catch(() => {})
        return false
      }
      throw error
    }
  }

  /** Null where nothing was written. */
  async function tryOnce<R extends IngestResult>(
    shards: readonly number[],
    ...[scope, decide, follow]: Parameters<typeof locking<R>>
  ): Promise<R | null> {
    await readMissing(sql, cache, scope)
    const view = viewOf(cache, scope)
    if (view === null) {
      return null
    }
    const decided = decide(view)
    if (!isOnOneServer(decided, view) || follow?.isNeeded(decided)) {
      return null
    }
    if (!(await write(shards, { scope, view, decided, version: newVersion() }))) {
      return null
    }
    statistics.add(view, decided)
    onCommitted(decided.agentStates.map(({ agentId }) => agentId))
    return decided
  }

  return async (scope, decide, follow) => {
    if (scope.skipsLocked) {
      const shards = shardsOf(cluster.bounds, scope.agentIds)
      const done = writer.areTogether(shards) ? await tryOnce(shards, scope, decide, follow) : null
      if (done) {
        return done
      }
      if (shards.length > 1) {
        throw new NotTogether('each shard is written by itself')
      }
    }
    await statistics.written()
    return locking(scope, decide, follow)
  }
}

/** Reads what is not cached without a lock: the writes fail where it is no longer so. */
async function readMissing(
  sql: Sql,
  cache: StateCache,
  { agentIds, platformIds }: IngestScope,
): Promise<void> {
  const missing = agentIds.filter((id) => cache.agents.get(id) === undefined)
  for (const one of missing.length > 0 ? await readPlainShardedStates(sql, missing) : []) {
    cache.agents.set(one.value.agentId, one)
  }
  const uncounted = platformIds.filter((id) => cache.platformHours.get(id) === undefined)
  for (const one of uncounted.length > 0 ? await readPlatformHours(sql, uncounted) : []) {
    cache.platformHours.set(one.platformId, one.hour)
  }
}

/** What is to be written in each of these shards. */
function writesOf(
  { cache, cluster }: Pick<ShardedIngestOptions, 'cache' | 'cluster'>,
  shards: readonly number[],
  batch: DecidedBatch,
): readonly ShardWrites[] {
  return partsOf(cluster.bounds, shards, batch).flatMap((part, i) => {
    const shard = cluster.shards[shards[i] ?? 0]
    const [agentId] = part.agentIds
    const writes = guardedInShard(cache, part, batch)
    return shard === undefined || agentId === undefined ? [] : [{ shard, agentId, writes }]
  })
}

/** Whether all that is not written afterwards is written on one server: what follows is on the coordinator. */
function isOnOneServer(decided: IngestResult, view: IngestView): boolean {
  const { agentStates, notifications, delegated } = decided
  const followUps: FollowUpWrites = { notifications, delegated }
  return (
    agentStates.length > 0 &&
    Object.values(followUps).every(({ length }) => length === 0) &&
    isPlain(decided, view)
  )
}
