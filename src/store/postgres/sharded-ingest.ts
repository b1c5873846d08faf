import type pg from 'pg'
import { ESTABLISHED } from '../../fraud/establishment.ts'
import type { IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { HAS_SUBSCRIBER, readPlainShardedStates } from './agent-states.ts'
import { dependsOnEstablished, guardedInShard, isPlain } from './guard.ts'
import { type GuardedWrites, guardedStatement } from './guarded-writes.ts'
import { readPlatformHours, releaseHours, takeHours, takenHours } from './platform-hours.ts'
import { establishedCount } from './reporters.ts'
import { arraysOf, columns } from './rows.ts'
import { writeInShard } from './shard-function.ts'
import { byShard, type ShardBounds } from './shards.ts'
import { createSharedConnection } from './shared-connection.ts'
import { isRefused, isUndefined, mayLock, type Sql, sqlOn, unknownOutcome } from './sql.ts'
import { cacheResult, invalidate, newVersion, type StateCache, viewOf } from './state-cache.ts'
import type { StatisticsWriter } from './statistics.ts'

export interface ShardedIngestOptions {
  readonly pool: pg.Pool
  readonly cache: StateCache
  readonly shards: ShardBounds
  readonly statistics: StatisticsWriter
  /** Ingests in a transaction that locks what it reads. */
  readonly locking: IngestEvents
  readonly onCommitted: (agentIds: readonly string[]) => void
}

/** A batch that was decided by what this node has cached. */
interface Batch {
  readonly scope: IngestScope
  readonly decided: IngestResult
  readonly writes: GuardedWrites
  /** The cached number of established platforms of the installation; null where nothing depends on it. */
  readonly established: number | null
}

/**
 * Stores events on a cluster by one statement on the server that has their agents: decides by what this node
 * has cached, and writes if the agents have not changed since. What takes more than that is done by a
 * transaction that locks.
 */
export function createShardedIngest(options: ShardedIngestOptions): IngestEvents {
  const { pool, cache, shards, statistics, locking, onCommitted } = options
  const sql = sqlOn(pool)
  // Hours are taken in the order in which batches were decided.
  const hours = createSharedConnection(pool)
  statistics.subscribe((platformId, before, after) => {
    if (cache.reporters.get(platformId)?.value === before) {
      cache.reporters.set(platformId, { value: after, version: 0 })
    }
  })

  /** Reads what is missing without a lock: the writes fail where it is no longer so. */
  async function prepare({ agentIds, platformIds }: IngestScope): Promise<void> {
    const missing = agentIds.filter((id) => cache.agents.get(id) === undefined)
    for (const one of missing.length > 0 ? await readPlainShardedStates(sql, missing) : []) {
      cache.agents.set(one.value.agentId, one)
    }
    const uncounted = platformIds.filter((id) => cache.platformHours.get(id) === undefined)
    for (const one of uncounted.length > 0 ? await readPlatformHours(sql, uncounted) : []) {
      cache.platformHours.set(one.platformId, one.hour)
    }
  }

  /**
   * Counts the events, then stores them; releases what was counted where they are not stored. Answers
   * whether they were.
   */
  async function store(view: IngestView, batch: Batch): Promise<boolean> {
    if (!(await isFree(sql, batch))) {
      return false
    }
    const taken = takenHours(view, batch.decided)
    if (taken.length === 0) {
      return write(sql, batch)
    }
    await hours.run((own) => takeHours(own, taken))
    const release = () => hours.run((own) => releaseHours(own, taken))
    try {
      const isWritten = await write(sql, batch)
      if (!isWritten) {
        await release()
      }
      return isWritten
    } catch (error) {
      // Where the outcome is unknown they may be stored.
      if (!(error instanceof StoreUnavailable)) {
        await release()
      }
      throw error
    }
  }

  async function tryOnce<R extends IngestResult>(
    ...[scope, decide, follow]: Parameters<typeof locking<R>>
  ): Promise<R | null> {
    await prepare(scope)
    const view = viewOf(cache, scope)
    if (view === null) {
      return null
    }
    const decided = decide(view)
    if (!isOnOneServer(decided, view) || follow?.isNeeded(decided)) {
      return null
    }
    const version = newVersion()
    const established = dependsOnEstablished(decided) ? view.establishedPlatforms : null
    const writes = guardedInShard(cache, scope, view, decided, version)
    cacheResult(cache, scope, view, decided, version)
    try {
      if (!(await store(view, { scope, decided, writes, established }))) {
        invalidate(cache, scope)
        return null
      }
    } catch (error) {
      invalidate(cache, scope)
      if (error instanceof StoreUnavailable) {
        onCommitted(scope.agentIds)
      }
      if (mayLockShards(error)) {
        return null
      }
      throw error
    }
    statistics.add(view, decided)
    onCommitted(decided.agentStates.map(({ agentId }) => agentId))
    return decided
  }

  return async (scope, decide, follow) => {
    const isAlone = byShard(shards, scope.agentIds).length === 1
    const done = scope.skipsLocked && isAlone ? await tryOnce(scope, decide, follow) : null
    if (done) {
      return done
    }
    await statistics.written()
    return locking(scope, decide, follow)
  }
}

/** Whether everything is written on one server. */
function isOnOneServer(decided: IngestResult, view: IngestView): boolean {
  return decided.agentStates.length > 0 && isPlain(decided, view)
}

/** Nothing was written, and with locks it may be: the server may have other shards than were known, too. */
function mayLockShards(error: unknown): boolean {
  return mayLock(error) || isUndefined(error)
}

/** Whether anything was written. */
async function write(sql: Sql, { scope, writes }: Batch): Promise<boolean> {
  const [agentId = ''] = scope.agentIds
  try {
    return (await writeInShard(sql, agentId, guardedStatement(writes, arraysOf))) === 1
  } catch (error) {
    // A worker may have committed what the coordinator was cancelled in.
    const isRefusal = isRefused(error) && !(error instanceof StoreBusy)
    if (mayLockShards(error) || isRefusal) {
      throw error
    }
    throw unknownOutcome(error)
  }
}

/**
 * Whether no owner is to be notified, and as many platforms are established as when the batch was decided. One
 * who subscribes while the batch is written gets what is reported later.
 */
async function isFree(sql: Sql, { decided, established }: Batch): Promise<boolean> {
  const owners = columns(
    decided.agentStates,
    (state) => state.agentId,
    (state) => state.ownerId,
  )
  const [row] = await sql<{ is_free: boolean }>(IS_FREE, [
    ...owners,
    established,
    ESTABLISHED.installationMin,
  ])
  return row?.is_free ?? false
}

const IS_FREE = `select not exists (
      select from unnest($1::uuid[], $2::uuid[]) as s(agent_id, owner_id) where ${HAS_SUBSCRIBER})
    and ($3::int is null
      or least((${establishedCount('$4::int')}), $4::int) = $3::int) as is_free`
