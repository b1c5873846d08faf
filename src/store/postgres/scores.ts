import { decodeEvidence, encodeEvidence } from '../../core/evidence.ts'
import { MODEL_VERSION } from '../../core/model.ts'
import type { AgentStatus, Trigger } from '../../core/record.ts'
import { decodeHabits, encodeHabits } from '../../fraud/encoding.ts'
import type { IngestView, ScoreStore, Snapshot, Standing } from '../store.ts'
import { tellChange } from './changes.ts'
import { columns, expectRows, first, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface StandingColumns {
  agent_id: string
  owner_id: string
  status: AgentStatus
  evidence: string
  habits: string
  score: number
  snapshots: number
  seq: number
  chain: Buffer
  quarantined: number
  hour_started_at: number
  hour_count: number
  promised: number
  model_version: string
  updated_at: number
}

const STANDING = `agent_id, owner_id, status, evidence, habits, score, snapshots, seq, chain,
  quarantined, hour_started_at, hour_count, promised, model_version, updated_at`

interface SnapshotColumns {
  id: string
  agent_id: string
  number: number
  seq: number
  score: number
  event_count: number
  breakdown: Snapshot['breakdown']
  trigger: Trigger
  model_version: string
  created_at: number
  corrected_at: number | null
}

const SNAPSHOT = `id, agent_id, number, seq, score, event_count, breakdown, trigger, model_version,
  created_at, corrected_at`

/** Ids read at a time: a few hundred kilobytes. */
const IDS_PART = 10_000

export function scoreStore(sql: Sql): ScoreStore {
  const one = async (text: string, agentId: string) => {
    const row = first(await sql<StandingColumns>(text, [agentId]))
    return row && toStanding(row)
  }
  return {
    find: (agentId) => one(`select ${STANDING} from standings where agent_id = $1`, agentId),
    lock: (agentId) =>
      one(`select ${STANDING} from standings where agent_id = $1 for update`, agentId),
    lockIfFree: (agentId) =>
      one(`select ${STANDING} from standings where agent_id = $1 for update skip locked`, agentId),
    async findMany(agentIds) {
      const rows = await sql<StandingColumns>(
        `select ${STANDING} from standings where agent_id = any($1::uuid[])`,
        [agentIds],
      )
      return byAgent(rows)
    },
    async history(agentId, { from, to, before, limit }) {
      const rows = await sql<SnapshotColumns>(
        `select ${SNAPSHOT} from snapshots
         where agent_id = $1 and ($2::bigint is null or number < $2)
           and ($3::bigint is null or created_at >= $3) and ($4::bigint is null or created_at <= $4)
         order by number desc limit $5`,
        [agentId, before, from ?? null, to ?? null, limit + 1],
      )
      return page(rows.map(toSnapshot), limit)
    },
    async save(standing) {
      await saveStandings(sql, [standing])
      await sql('update standings set model_version = $2 where agent_id = $1', [
        standing.agentId,
        MODEL_VERSION,
      ])
      await tellChange(sql, 'scores', [standing.agentId])
    },
    async outdated(after, limit) {
      const rows = await sql<{ agent_id: string }>(
        `select agent_id from standings
         where (model_version < $1 or model_version > $1) and ($2::uuid is null or agent_id > $2)
         order by agent_id limit $3`,
        [MODEL_VERSION, after, limit],
      )
      return rows.map((row) => row.agent_id)
    },
    async snapshot(agentId, id) {
      const row = first(
        await sql<SnapshotColumns>(
          `select ${SNAPSHOT} from snapshots where agent_id = $1 and id = $2`,
          [agentId, id],
        ),
      )
      return row && toSnapshot(row)
    },
    async *agentIds() {
      let after: string | null = null
      while (true) {
        const rows: { agent_id: string }[] = await sql(
          `select agent_id from standings where $1::uuid is null or agent_id > $1
           order by agent_id limit $2`,
          [after, IDS_PART],
        )
        if (rows.length > 0) yield rows.map((row) => row.agent_id)
        if (rows.length < IDS_PART) return
        after = rows.at(-1)?.agent_id ?? after
      }
    },
    async replaceSnapshots(agentId, after, by) {
      await sql('delete from snapshots where agent_id = $1 and number > $2', [agentId, after])
      await insertSnapshots(sql, by)
    },
    addSnapshots: (snapshots) => insertSnapshots(sql, snapshots),
    async snapshotBefore(agentId, seq) {
      const row = first(
        await sql<SnapshotColumns>(
          `select ${SNAPSHOT} from snapshots where agent_id = $1 and seq < $2
           order by number desc limit 1`,
          [agentId, seq],
        ),
      )
      return row && toSnapshot(row)
    },
    async promise(agentId, score) {
      const rows = await sql(
        `update standings set promised = greatest(promised, $2) where agent_id = $1
         returning agent_id`,
        [agentId, score],
      )
      expectRows('promised score', rows.length, 1)
    },
    async promising(after, limit) {
      const rows = await sql<StandingColumns>(
        `select ${STANDING} from standings
         where promised > 0 and ($1::uuid is null or agent_id > $1) order by agent_id limit $2`,
        [after, limit],
      )
      return rows.map(toStanding)
    },
  }
}

/**
 * The standings named, locked in the order of their ids, so that no two writers wait in a ring, and
 * which of their owners have somebody told: mostly none, and then nothing need be written for it.
 */
export async function lockStandings(
  sql: Sql,
  agentIds: readonly string[],
  skipsLocked = false,
): Promise<Pick<IngestView, 'standings' | 'busy' | 'heard'>> {
  const rows = await sql<StandingColumns & { is_heard: boolean }>(
    skipsLocked ? `${LOCK_STANDINGS} skip locked` : LOCK_STANDINGS,
    [agentIds],
  )
  const heard = rows.filter((row) => row.is_heard).map((row) => row.owner_id)
  const standings = byAgent(rows)
  const left = skipsLocked ? agentIds.filter((id) => !standings.has(id)) : []
  return { standings, busy: await existing(sql, left), heard: new Set(heard) }
}

const LOCK_STANDINGS = `select ${STANDING},
    exists (select from webhooks w where w.owner_id = s.owner_id and w.deleted_at is null)
      or exists (select from listeners l where l.owner_id = s.owner_id) as is_heard
  from standings s where agent_id = any($1::uuid[]) order by agent_id for update of s`

/** Those of these agents that there are. */
async function existing(sql: Sql, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (agentIds.length === 0) return new Set()
  const rows = await sql<{ agent_id: string }>(
    'select agent_id from standings where agent_id = any($1::uuid[])',
    [agentIds],
  )
  return new Set(rows.map((row) => row.agent_id))
}

export async function insertStanding(sql: Sql, standing: Standing): Promise<void> {
  await sql(
    `insert into standings (${STANDING})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      standing.agentId,
      standing.ownerId,
      standing.status,
      encodeEvidence(standing.evidence),
      encodeHabits(standing.habits),
      standing.score,
      standing.snapshots,
      standing.seq,
      standing.chain,
      standing.quarantined,
      standing.hour.startedAt,
      standing.hour.count,
      standing.promised,
      standing.modelVersion,
      standing.updatedAt,
    ],
  )
}

/**
 * Writes what folding events changes; whose agent it is, its status and what is promised of
 * its score are others' to change. What another model began is then by more than one.
 */
export async function saveStandings(sql: Sql, standings: readonly Standing[]): Promise<void> {
  const written = await sql.written(
    `update standings s set evidence = t.evidence, habits = t.habits, score = t.score,
       snapshots = t.snapshots, seq = t.seq, chain = t.chain, quarantined = t.quarantined,
       hour_started_at = t.hour_started_at, hour_count = t.hour_count, updated_at = t.updated_at,
       model_version = case when s.model_version = $12 then $12 else '' end
     from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[], $5::bigint[], $6::bigint[],
       $7::bytea[], $8::int[], $9::bigint[], $10::int[], $11::bigint[])
       as t(agent_id, evidence, habits, score, snapshots, seq, chain, quarantined,
         hour_started_at, hour_count, updated_at)
     where s.agent_id = t.agent_id`,
    [
      ...columns(
        standings,
        (s) => s.agentId,
        (s) => encodeEvidence(s.evidence),
        (s) => encodeHabits(s.habits),
        (s) => s.score,
        (s) => s.snapshots,
        (s) => s.seq,
        (s) => s.chain,
        (s) => s.quarantined,
        (s) => s.hour.startedAt,
        (s) => s.hour.count,
        (s) => s.updatedAt,
      ),
      MODEL_VERSION,
    ],
  )
  expectRows('standings', written, standings.length)
}

export async function insertSnapshots(sql: Sql, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return
  const written = await sql.written(
    `insert into snapshots (${SNAPSHOT})
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::smallint[],
       $6::int[], $7::json[], $8::json[], $9::text[], $10::bigint[], $11::bigint[])`,
    columns(
      snapshots,
      (s) => s.id,
      (s) => s.agentId,
      (s) => s.number,
      (s) => s.seq,
      (s) => s.score,
      (s) => s.eventCount,
      (s) => JSON.stringify(s.breakdown),
      (s) => JSON.stringify(s.trigger),
      (s) => s.modelVersion,
      (s) => s.createdAt,
      (s) => s.correctedAt,
    ),
  )
  expectRows('snapshots', written, snapshots.length)
}

function byAgent(rows: readonly StandingColumns[]): ReadonlyMap<string, Standing> {
  return new Map(rows.map((row) => [row.agent_id, toStanding(row)]))
}

function toStanding(row: StandingColumns): Standing {
  return {
    agentId: row.agent_id,
    ownerId: row.owner_id,
    status: row.status,
    evidence: decodeEvidence(row.evidence),
    habits: decodeHabits(row.habits),
    score: row.score,
    snapshots: row.snapshots,
    seq: row.seq,
    chain: row.chain,
    quarantined: row.quarantined,
    hour: { startedAt: row.hour_started_at, count: row.hour_count },
    promised: row.promised,
    modelVersion: row.model_version,
    updatedAt: row.updated_at,
  }
}

function toSnapshot(row: SnapshotColumns): Snapshot {
  return {
    id: row.id,
    agentId: row.agent_id,
    number: row.number,
    seq: row.seq,
    score: row.score,
    eventCount: row.event_count,
    breakdown: row.breakdown,
    trigger: row.trigger,
    modelVersion: row.model_version,
    createdAt: row.created_at,
    correctedAt: row.corrected_at,
  }
}
