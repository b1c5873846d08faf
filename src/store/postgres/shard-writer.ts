import type pg from 'pg'
import { ESTABLISHED } from '../../fraud/establishment.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import type { Cluster } from './cluster.ts'
import { releaseHours, takeHours, takenHours } from './platform-hours.ts'
import { establishedCount } from './reporters.ts'
import { columns } from './rows.ts'
import { forwardToShard, type ShardWrites, writeInShards } from './shard-function.ts'
import { createSharedConnection } from './shared-connection.ts'
import { isRefused, isUndefined, mayLock, type Sql, sqlOn, unknownOutcome } from './sql.ts'
import { HAVE_SUBSCRIBER } from './subscribers.ts'
import type { Address } from './workers.ts'

/** A batch that was decided by what this node has cached. */
export interface ShardedBatch {
  /** Of one server. */
  readonly shards: readonly number[]
  readonly view: IngestView
  readonly decided: IngestResult
  readonly writes: readonly ShardWrites[]
  /** The cached number of established platforms of the installation; null where nothing depends on it. */
  readonly established: number | null
}

/** Writes batches to the servers that have their shards. */
export interface ShardWriter {
  /** Whether one transaction may write to all of these shards. */
  areTogether(shards: readonly number[]): boolean
  /**
   * Counts the events, then stores them; releases what was counted where they are not stored. Answers
   * whether they were.
   */
  write(batch: ShardedBatch): Promise<boolean>
}

export function createShardWriter(pool: pg.Pool, cluster: Cluster): ShardWriter {
  const sql = sqlOn(pool)
  // Hours are taken in the order in which batches were decided.
  const hours = createSharedConnection(pool)
  /** By the group of a server, where it was when a batch was last written there. */
  const addresses = new Map<number, Address>()
  const groupOf = ([shard = 0]: readonly number[]) => cluster.groupOf(shard)

  async function writeCounted(batch: ShardedBatch, address: Address | null): Promise<boolean> {
    const taken = takenHours(batch.view, batch.decided)
    if (taken.length === 0) {
      return writeBatch(sql, cluster, batch, address)
    }
    await hours.run((own) => takeHours(own, taken))
    const release = () => hours.run((own) => releaseHours(own, taken))
    try {
      const isWritten = await writeBatch(sql, cluster, batch, address)
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

  return {
    areTogether(shards) {
      const group = groupOf(shards)
      const address = addresses.get(group)
      return (
        shards.length === 1 ||
        (shards.every((shard) => cluster.groupOf(shard) === group) &&
          (address === undefined || cluster.workers.isReached(address)))
      )
    },
    async write(batch) {
      const group = groupOf(batch.shards)
      const { isFree, address } = await beforeWrite(sql, group, batch)
      if (!isFree) {
        return false
      }
      if (address) {
        addresses.set(group, address)
      }
      return writeCounted(batch, address)
    },
  }
}

/** Nothing was written, and with locks it may be: the server may have other shards than were known, too. */
export function mayLockShards(error: unknown): boolean {
  return mayLock(error) || isUndefined(error)
}

/** Whether anything was written. */
async function writeBatch(
  sql: Sql,
  { workers }: Cluster,
  { shards, writes }: ShardedBatch,
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
  { decided, established }: ShardedBatch,
): Promise<BeforeWrite> {
  const agents = columns(
    decided.agentStates,
    (state) => state.agentId,
    (state) => state.ownerId,
  )
  const counted = established === null ? [] : [established, ESTABLISHED.installationMin]
  const [row] = await sql<{ is_free: boolean; host: string | null; port: number | null }>(
    established === null ? BEFORE_WRITE : BEFORE_COUNTED_WRITE,
    [...agents, group, ...counted],
  )
  const { is_free: isFree = false, host = null, port = null } = row ?? {}
  return { isFree, address: host === null || port === null ? null : { host, port } }
}

/**
 * PostgreSQL keeps the plan of such a statement only if it costs no more than one for the given values. With the count
 * as a part that a value turns off, or a filter of the rows of arrays, it planned the statement for each batch, which
 * took ten times as long as to run it.
 */
const statementFor = (
  condition: string,
) => `select not (${HAVE_SUBSCRIBER}) and ${condition} as is_free,
    n.nodename as host, n.nodeport as port
  from (select) f
  left join pg_dist_node n on n.groupid = $3::int and n.noderole = 'primary' and n.isactive
    and n.metadatasynced`

const BEFORE_WRITE = statementFor('true')
const BEFORE_COUNTED_WRITE = statementFor(
  `least((${establishedCount('$5::int')}), $5::int) = $4::int`,
)
