import type pg from 'pg'
import { ESTABLISHED } from '../../fraud/establishment.ts'
import type { IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { NotTogether, StoreBusy, StoreUnavailable } from '../types.ts'
import { HAS_SUBSCRIBER, readPlainShardedStates } from './agent-states.ts'
import type { Cluster } from './cluster.ts'
import { dependsOnEstablished, guardedInShard, isPlain } from './guard.ts'
import { readPlatformHours, releaseHours, takeHours, takenHours } from './platform-hours.ts'
import { establishedCount } from './reporters.ts'
import { columns } from './rows.ts'
import { forwardToShard, type ShardWrites, writeInShards } from './shard-function.ts'
import { partsOf, shardsOf } from './shard-parts.ts'
import { createSharedConnection } from './shared-connection.ts'
import { isRefused, isUndefined, mayLock, type Sql, sqlOn, unknownOutcome } from './sql.ts'
import {
  cacheDecided,
  type DecidedBatch,
  invalidate,
  newVersion,
  type StateCache,
  viewOf,
} from './state-cache.ts'
import type { StatisticsWriter } from './statistics.ts'
import type { Address } from './workers.ts'

export interface ShardedIngestOptions {
  readonly pool: pg.Pool
  readonly cache: StateCache
  readonly cluster: Cluster
  readonly statistics: StatisticsWriter
  /** Ingests in a transaction that locks what it reads. */
  readonly locking: IngestEvents
  readonly onCommitted: (agentIds: readonly string[]) => void
}

/** A batch that was decided by what this node has cached. */
interface Batch {
  /** Of one server. */
  readonly shards: readonly number[]
  readonly decided: IngestResult
  readonly writes: readonly ShardWrites[]
  /** The cached number of established platforms of the installation; null where nothing depends on it. */
  readonly established: number | null
}

/**
 * Stores events on a cluster by one statement for each shard, in one transaction of the server that has their
 * agents: decides by what this node has cached, and writes if the agents have not changed since. What takes more than
 * that is done shard by shard, by a transaction that locks.
 */
export function createShardedIngest(options: ShardedIngestOptions): IngestEvents {
  const { pool, cache, cluster, statistics, locking, onCommitted } = options
  const sql = sqlOn(pool)
  // Hours are taken in the order in which batches were decided.
  const hours = createSharedConnection(pool)
  /** By the group of a server, where it was when a batch was last written there. */
  const addresses = new Map<number, Address>()
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

  function writesOf(shards: readonly number[], batch: DecidedBatch): readonly ShardWrites[] {
    return partsOf(cluster.bounds, shards, batch).flatMap((part, i) => {
      const shard = cluster.shards[shards[i] ?? 0]
      const [agentId] = part.agentIds
      const writes = guardedInShard(cache, part, batch)
      return shard === undefined || agentId === undefined ? [] : [{ shard, agentId, writes }]
    })
  }

  /**
   * Counts the events, then stores them; releases what was counted where they are not stored. Answers
   * whether they were.
   */
  async function store(view: IngestView, batch: Batch): Promise<boolean> {
    const group = groupOf(batch.shards)
    const { isFree, address } = await beforeWrite(sql, group, batch)
    if (!isFree) {
      return false
    }
    if (address) {
      addresses.set(group, address)
    }
    const write = () => writeBatch(sql, cluster, batch, address)
    const taken = takenHours(view, batch.decided)
    if (taken.length === 0) {
      return write()
    }
    await hours.run((own) => takeHours(own, taken))
    const release = () => hours.run((own) => releaseHours(own, taken))
    try {
      const isWritten = await write()
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

  function groupOf([shard = 0]: readonly number[]): number {
    return cluster.groupOf(shard)
  }

  /** Whether one transaction may write to all of these shards. */
  function areTogether(shards: readonly number[]): boolean {
    const group = groupOf(shards)
    const address = addresses.get(group)
    return (
      shards.length === 1 ||
      (shards.every((shard) => cluster.groupOf(shard) === group) &&
        (address === undefined || cluster.workers.isReached(address)))
    )
  }

  async function tryOnce<R extends IngestResult>(
    shards: readonly number[],
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
    const batch = { scope, view, decided, version: newVersion() }
    const established = dependsOnEstablished(decided) ? view.establishedPlatforms : null
    const writes = writesOf(shards, batch)
    cacheDecided(cache, batch)
    try {
      if (!(await store(view, { shards, decided, writes, established }))) {
        invalidate(cache, scope)
        return null
      }
    } catch (error) {
      invalidate(cache, scope)
      if (error instanceof StoreUnavailable) {
        onCommitted(scope.agentIds)
      }
      if (mayLockShards(error)) {
        // If the coordinator cannot answer now, the shards are looked for where they were.
        await cluster.locate().catch(() => {})
        return null
      }
      throw error
    }
    statistics.add(view, decided)
    onCommitted(decided.agentStates.map(({ agentId }) => agentId))
    return decided
  }

  return async (scope, decide, follow) => {
    if (scope.skipsLocked) {
      const shards = shardsOf(cluster.bounds, scope.agentIds)
      const done = areTogether(shards) ? await tryOnce(shards, scope, decide, follow) : null
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

/** Whether everything is written on one server. */
function isOnOneServer(decided: IngestResult, view: IngestView): boolean {
  return decided.agentStates.length > 0 && isPlain(decided, view)
}

/** Nothing was written, and with locks it may be: the server may have other shards than were known, too. */
function mayLockShards(error: unknown): boolean {
  return mayLock(error) || isUndefined(error)
}

/** Whether anything was written. */
async function writeBatch(
  sql: Sql,
  { workers }: Cluster,
  { shards, writes }: Batch,
  address: Address | null,
): Promise<boolean> {
  const [first, ...others] = writes
  const shard = others.length === 0 ? (shards[0] ?? null) : null
  try {
    const direct = address && workers.run(address, shard, (own) => writeInShards(own, writes))
    const isWritten = await direct
    if (isWritten !== null) {
      return isWritten
    }
    return first !== undefined && others.length === 0 && (await forwardToShard(sql, first))
  } catch (error) {
    // A worker may have committed what the coordinator was cancelled in.
    const isRefusal = isRefused(error) && !(error instanceof StoreBusy)
    if (mayLockShards(error) || isRefusal) {
      throw error
    }
    throw unknownOutcome(error)
  }
}

interface BeforeWrite {
  /**
   * Whether no owner is to be notified, and as many platforms are established as when the batch was decided.
   * One who subscribes while the batch is written gets what is reported later.
   */
  readonly isFree: boolean
  /** Of the server that the group has now; null where it does not know where shards are. */
  readonly address: Address | null
}

async function beforeWrite(
  sql: Sql,
  group: number,
  { decided, established }: Batch,
): Promise<BeforeWrite> {
  const owners = columns(
    decided.agentStates,
    (state) => state.agentId,
    (state) => state.ownerId,
  )
  const [row] = await sql<{ is_free: boolean; host: string | null; port: number | null }>(
    BEFORE_WRITE,
    [...owners, established, ESTABLISHED.installationMin, group],
  )
  const { is_free: isFree = false, host = null, port = null } = row ?? {}
  return { isFree, address: host === null || port === null ? null : { host, port } }
}

const BEFORE_WRITE = `select f.is_free, n.nodename as host, n.nodeport as port
  from (select not exists (
      select from unnest($1::uuid[], $2::uuid[]) as s(agent_id, owner_id) where ${HAS_SUBSCRIBER})
    and ($3::int is null
      or least((${establishedCount('$4::int')}), $4::int) = $3::int) as is_free) f
  left join pg_dist_node n on n.groupid = $5::int and n.noderole = 'primary' and n.isactive
    and n.metadatasynced`
