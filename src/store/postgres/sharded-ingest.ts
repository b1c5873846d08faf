import type pg from 'pg'
import { ESTABLISHED } from '../../fraud/establishment.ts'
import type { IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { StoreUnavailable } from '../types.ts'
import { isCheckpointDue } from './checkpoints.ts'
import { insertEvents } from './events.ts'
import { insertReportResponses, lockKey } from './idempotency.ts'
import { insertExternalIds } from './ingest.ts'
import { ESTABLISHED_COUNT } from './reporters.ts'
import { columns } from './rows.ts'
import { HAS_SUBSCRIBER, readPlainShardedStates, SAVE_AGENT_STATES, savedValues } from './scores.ts'
import { shardedWrites } from './sharded-writes.ts'
import { byShard, type ShardBounds } from './shards.ts'
import { createSharedConnection } from './shared-connection.ts'
import { insertSnapshots } from './snapshots.ts'
import { isDivisionByZero, mayRunAgain, type Sql, sqlOn } from './sql.ts'
import { forget, newVersion, remember, type StateCache, viewOf } from './state-cache.ts'
import type { StatisticsWriter } from './statistics.ts'
import { giveBackHours, readPlatformHours, takeHours, takenHours } from './taken-hours.ts'
import { inTransaction } from './transaction.ts'

export interface ShardedIngestOptions {
  readonly pool: pg.Pool
  readonly cache: StateCache
  readonly shards: ShardBounds
  readonly statistics: StatisticsWriter
  /** The same in a transaction that locks what it reads. */
  readonly locking: IngestEvents
  readonly onCommitted: (agentIds: readonly string[]) => void
}

/** A batch that was decided by what this node remembers. */
interface Batch {
  readonly scope: IngestScope
  readonly decided: IngestResult
  /** Of the agents of the scope, as they were remembered. */
  readonly expected: readonly number[]
  /** Established platforms of the installation, as they were remembered; null where none reports. */
  readonly established: number | null
  readonly version: number
}

/**
 * Stores events on a cluster by one transaction on the server that has their agents: decides by what this
 * node remembers, and sends the writes and the commit together. One of them fails where an agent has changed
 * since, and with it all. What takes more than that is done by a transaction that locks.
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

  /** Counts the events, then stores them; gives back what was counted where they are not stored. */
  async function store(view: IngestView, batch: Batch): Promise<void> {
    const taken = takenHours(view, batch.decided)
    if (taken.length === 0) {
      return write(pool, batch)
    }
    await hours.run((own) => takeHours(own, taken))
    try {
      await write(pool, batch)
    } catch (error) {
      // Where the outcome is unknown they may be stored.
      if (!(error instanceof StoreUnavailable)) {
        await hours.run((own) => giveBackHours(own, taken))
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
    if (!isPlain(decided, view) || follow?.isNeeded(decided)) {
      return null
    }
    const expected = scope.agentIds.map((id) => cache.agents.get(id)?.version ?? -1)
    const established = scope.reporterIds.length > 0 ? view.establishedPlatforms : null
    const batch = { scope, decided, expected, established, version: newVersion() }
    remember(cache, scope, view, decided, batch.version)
    try {
      await store(view, batch)
    } catch (error) {
      forget(cache, scope)
      if (error instanceof StoreUnavailable) {
        onCommitted(scope.agentIds)
      }
      if (isDivisionByZero(error) || mayRunAgain(error)) {
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

/** Whether writes on one server are all of it. */
function isPlain(
  { agentStates, notifications, works }: IngestResult,
  { agentStates: before, works: known }: IngestView,
): boolean {
  return (
    agentStates.length > 0 &&
    notifications.length === 0 &&
    works.every(({ kind }) => known.has(kind)) &&
    !agentStates.some((state) => isCheckpointDue(state, before))
  )
}

/** All statements and the commit are sent at once. A report that is there already fails by its key. */
async function write(pool: pg.Pool, batch: Batch): Promise<void> {
  const { decided } = batch
  await inTransaction(
    pool,
    async ({ sql, sent }) => {
      const inserts = shardedWrites(sql)
      const writing = [
        saveIfUnchanged(sql, batch),
        checkFree(sql, batch),
        insertEvents(
          inserts,
          decided.events.map(({ event }) => event),
        ),
        insertSnapshots(inserts, decided.snapshots),
        insertExternalIds(inserts, decided.events),
        insertReportResponses(inserts, decided.storedResponses, { replaces: false }),
      ]
      for (const one of writing) {
        // The commit reports its failure.
        one.catch(() => {})
        sent.push(one)
      }
    },
    { runsMax: 1 },
  )
}

/**
 * Saves the states if all agents are as they were remembered, and fails otherwise. A row that another
 * transaction has locked is not waited for.
 */
async function saveIfUnchanged(sql: Sql, { scope, decided, expected, version }: Batch) {
  const values = savedValues(decided.agentStates, version)
  const versions = columns(
    scope.agentIds.map((id, i) => ({ id, version: expected[i] })),
    (agent) => agent.id,
    (agent) => agent.version,
  )
  await sql(SAVE_IF_UNCHANGED, [
    ...values,
    ...versions,
    scope.agentIds.length,
    decided.agentStates.length,
  ])
}

/** A division by zero ends the transaction: nothing that follows needs to wait for the outcome. */
const SAVE_IF_UNCHANGED = `with locked as materialized (
    select from unnest($15::uuid[], $16::bigint[]) as e(agent_id, version)
    join agent_states s on s.agent_id = e.agent_id and s.version = e.version
    where s.agent_id = any($15::uuid[]) order by s.agent_id for update of s skip locked),
  guard as materialized (select 1 / ((select count(*) from locked) = $17::int)::int as held),
  saved as (
    ${SAVE_AGENT_STATES} and s.agent_id = any($1::uuid[]) and (select held from guard) = 1 returning 1)
  select 1 / ((select count(*) from saved) = $18::int)::int as held`

/**
 * Fails where somebody is to be notified, where a request with one of the keys is being carried out, or where
 * a platform was established, or is no longer, since the batch was decided.
 */
async function checkFree(sql: Sql, { scope, decided, established }: Batch) {
  const owners = columns(
    decided.agentStates,
    (state) => state.agentId,
    (state) => state.ownerId,
  )
  const keys = columns(scope.reportKeys, (key) => lockKey(key.scope))
  await sql(CHECK_FREE, [...owners, ...keys, established, ESTABLISHED.installationMin])
}

const CHECK_FREE = `select 1 / (not exists (
      select from unnest($1::uuid[], $2::uuid[]) as s(agent_id, owner_id) where ${HAS_SUBSCRIBER})
    and coalesce((select bool_and(pg_try_advisory_xact_lock(key)) from unnest($3::bigint[]) as t(key)),
      true)
    and ($4::int is null
      or least((${ESTABLISHED_COUNT.replaceAll('$2', '$5::int')}), $5::int) = $4::int))::int as held`
