import type { AgentStatus } from '../../domain/agent.ts'
import { type Evidence, encodeEvidence } from '../../domain/evidence.ts'
import { MODEL_VERSION } from '../../domain/model.ts'
import { decodeProfile, encodeProfile } from '../../fraud/profile-codec.ts'
import type { AgentFilter, AgentState, AgentStateStore } from '../agent-states.ts'
import type { IngestScope, IngestView } from '../ingest.ts'
import { binaryArraysOf } from './binary-arrays.ts'
import { AWAITS_RELEASE } from './reviews.ts'
import { columns, expectRows, first, ID_MIN, locking, type RowsWrite, rowsWrite } from './rows.ts'
import { sampleAgents, sampleSharded } from './sampled-agents.ts'
import type { Session } from './session.ts'
import { byShard, type ShardBounds } from './shards.ts'
import type { Sql } from './sql.ts'
import { newVersion, type Versioned } from './state-cache.ts'
import { refoldedEvidence, storedEvidence } from './stored-evidence.ts'

interface AgentStateColumns {
  agent_id: string
  owner_id: string
  status: AgentStatus
  evidence: Buffer
  profile: string
  score: number
  is_disputed: boolean
  snapshot_count: number
  seq: number
  chain: Buffer
  quarantined_count: number
  corrected_at: number | null
  reporter_hours: string
  credential_floor: number
  model_version: string
  successor_id: string | null
  parent_id: string | null
  is_parent: boolean
  updated_at: number
}

const AGENT_STATE = `agent_id, owner_id, status, evidence, profile, score, is_disputed, snapshot_count,
  seq, chain, quarantined_count, corrected_at, reporter_hours, credential_floor, model_version,
  successor_id, parent_id, is_parent, updated_at`

/** Ids read at a time: callers read the states of a part at once, some megabytes. */
const IDS_PART = 500

export function agentStateStore({ sql, lists, changed, shards }: Session): AgentStateStore {
  return {
    async find(agentId, options) {
      const row = first(
        await sql<AgentStateColumns>(
          `select ${AGENT_STATE} from agent_states where agent_id = $1 ${locking(options)}`,
          [agentId],
        ),
      )
      return row && (await agentStateIn(sql, row))
    },
    async findMany(agentIds) {
      const rows = await sql<AgentStateColumns>(
        `select ${AGENT_STATE} from agent_states where agent_id = any($1::uuid[])`,
        [agentIds],
      )
      return byAgent(sql, rows)
    },
    sample: (limit, seed) =>
      shards === null ? sampleAgents(lists, limit, seed) : sampleSharded(lists, limit, seed),
    async save(agentState) {
      await saveAgentStates(sql, [agentState], newVersion())
      await sql('update agent_states set model_version = $2 where agent_id = $1', [
        agentState.agentId,
        MODEL_VERSION,
      ])
      await changed({ kind: 'scores', ids: [agentState.agentId] })
    },
    async reserve(agentId, work) {
      const [row] = await sql<{ is_reserved: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended($2 || ' ' || $1, 0)) as is_reserved`,
        [agentId, work],
      )
      return row?.is_reserved ?? false
    },
    agentIds: (filter, after) => agentIds(sql, filter, after),
    async count() {
      const [row] = await lists<{ count: number }>(
        'select count(*)::int as count from agent_states',
      )
      return row?.count ?? 0
    },
  }
}

async function* agentIds(
  sql: Sql,
  filter?: AgentFilter,
  start: string | null = null,
): AsyncIterable<readonly string[]> {
  const { from, where, values = [] } = selectionOf(filter)
  let after = start
  while (true) {
    const rows: { agent_id: string }[] = await sql(
      `${from} where agent_id > coalesce($1::uuid, '${ID_MIN}') and ${where}
       order by agent_id limit $2`,
      [after, IDS_PART, ...values],
    )
    if (rows.length > 0) {
      yield rows.map((row) => row.agent_id)
    }
    if (rows.length < IDS_PART) {
      return
    }
    after = rows.at(-1)?.agent_id ?? after
  }
}

interface Selection {
  readonly from: string
  readonly where: string
  /** From $3 on. */
  readonly values?: readonly (string | number)[]
}

const OF_STATES = 'select agent_id from agent_states'

function selectionOf(filter?: AgentFilter): Selection {
  if (!filter) {
    return { from: OF_STATES, where: 'true' }
  }
  if ('notFoldedBy' in filter) {
    const where = '(model_version < $3 or model_version > $3)'
    return { from: OF_STATES, where, values: [filter.notFoldedBy] }
  }
  if ('ownerId' in filter) {
    const where = `owner_id = $3 and score <= $4 and status <> 'deactivated'`
    return { from: OF_STATES, where, values: [filter.ownerId, filter.scoreMax] }
  }
  // Few agents wait, and a partial index lists them: it is read rather than all agent states.
  if ('awaitingRelease' in filter) {
    return { from: 'select distinct agent_id from events', where: AWAITS_RELEASE }
  }
  if ('unattributed' in filter) {
    const where = 'attribution is null and model_version = $3'
    return { from: 'select distinct agent_id from checkpoints', where, values: [MODEL_VERSION] }
  }
  return { from: OF_STATES, where: 'isParent' in filter ? 'is_parent' : 'credential_floor > 0' }
}

/**
 * These agent states, locked in the order of their ids, so that no two writers deadlock, and which of
 * their owners have a webhook or a listener, or watchers: most have none, and then no
 * notification is written.
 */
export async function lockAgentStates(
  sql: Sql,
  agentIds: readonly string[],
  skipsLocked = false,
): Promise<Pick<IngestView, 'agentStates' | 'lockedElsewhere' | 'ownersWithSubscribers'>> {
  const rows = await sql<AgentStateColumns & { has_subscriber: boolean }>(
    skipsLocked ? `${LOCK_AGENT_STATES} skip locked` : LOCK_AGENT_STATES,
    [agentIds],
  )
  const subscribed = rows.filter((row) => row.has_subscriber).map((row) => row.owner_id)
  const agentStates = await byAgent(sql, rows)
  const left = skipsLocked ? agentIds.filter((id) => !agentStates.has(id)) : []
  return {
    agentStates,
    lockedElsewhere: await existing(sql, left),
    ownersWithSubscribers: new Set(subscribed),
  }
}

/** Of a row `s` of `agent_states`. */
export const HAS_SUBSCRIBER = `exists (
      select from webhooks w where w.owner_id = s.owner_id and w.deleted_at is null)
    or exists (select from listeners l where l.owner_id = s.owner_id)
    or exists (select from watches h where h.agent_id = s.agent_id)`

const LOCK_AGENT_STATES = `select ${AGENT_STATE}, ${HAS_SUBSCRIBER} as has_subscriber
  from agent_states s where agent_id = any($1::uuid[]) order by agent_id for update of s`

/**
 * Locks agent states that lie on other servers, shard after shard. Subscribers are read after the locks: one
 * who subscribes later gets what is reported later.
 */
export async function lockShardedStates(
  sql: Sql,
  shards: ShardBounds,
  { agentIds, skipsLocked }: Pick<IngestScope, 'agentIds' | 'skipsLocked'>,
): Promise<Pick<IngestView, 'agentStates' | 'lockedElsewhere' | 'ownersWithSubscribers'>> {
  const rows: AgentStateColumns[] = []
  for (const ids of byShard(shards, agentIds)) {
    const text = skipsLocked ? `${LOCK_OF_SHARD} skip locked` : LOCK_OF_SHARD
    rows.push(...(await sql<AgentStateColumns>(text, [ids])))
  }
  const agentStates = await byAgent(sql, rows)
  const left = skipsLocked ? agentIds.filter((id) => !agentStates.has(id)) : []
  return {
    agentStates,
    lockedElsewhere: await existing(sql, left),
    ownersWithSubscribers: await ownersWithSubscribers(sql, rows),
  }
}

const LOCK_OF_SHARD = `select ${AGENT_STATE} from agent_states
  where agent_id = any($1::uuid[]) order by agent_id for update`

/** As `readPlainStates`; agents whose events are notified are found when the events are written. */
export async function readPlainShardedStates(
  sql: Sql,
  agentIds: readonly string[],
): Promise<readonly Versioned<AgentState>[]> {
  const states = await readStates(sql, agentIds)
  return states.filter(({ value }) => value.modelVersion === MODEL_VERSION)
}

/** These agent states without a lock. */
export async function readStates(
  sql: Sql,
  agentIds: readonly string[],
): Promise<readonly Versioned<AgentState>[]> {
  const rows = await sql<AgentStateColumns & { version: number }>(
    `select ${AGENT_STATE}, version from agent_states where agent_id = any($1::uuid[])`,
    [agentIds],
  )
  return versioned(sql, rows)
}

async function ownersWithSubscribers(
  sql: Sql,
  agents: readonly { readonly agent_id: string; readonly owner_id: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ owner_id: string }>(
    `select distinct owner_id from unnest($1::uuid[], $2::uuid[]) as s(agent_id, owner_id)
     where ${HAS_SUBSCRIBER}`,
    columns(
      agents,
      (agent) => agent.agent_id,
      (agent) => agent.owner_id,
    ),
  )
  return new Set(rows.map((row) => row.owner_id))
}

/** Which of these agents exist. */
async function existing(sql: Sql, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (agentIds.length === 0) {
    return new Set()
  }
  const rows = await sql<{ agent_id: string }>(
    'select agent_id from agent_states where agent_id = any($1::uuid[])',
    [agentIds],
  )
  return new Set(rows.map((row) => row.agent_id))
}

/**
 * These agent states without a lock, but for those of agents whose events are notified or that another
 * model folded.
 */
export async function readPlainStates(
  sql: Sql,
  agentIds: readonly string[],
): Promise<readonly Versioned<AgentState>[]> {
  const rows = await sql<AgentStateColumns & { version: number }>(
    `select ${AGENT_STATE}, version from agent_states s
     where agent_id = any($1::uuid[]) and model_version = $2 and not (${HAS_SUBSCRIBER})`,
    [agentIds, MODEL_VERSION],
  )
  return versioned(sql, rows)
}

async function versioned(
  sql: Sql,
  rows: readonly (AgentStateColumns & { version: number })[],
): Promise<readonly Versioned<AgentState>[]> {
  const states: Versioned<AgentState>[] = []
  for (const row of rows) {
    states.push({ value: await agentStateIn(sql, row), version: row.version })
  }
  return states
}

export async function insertAgentState(sql: Sql, agentState: AgentState): Promise<void> {
  await sql(
    `insert into agent_states (${AGENT_STATE})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      agentState.agentId,
      agentState.ownerId,
      agentState.status,
      encodeEvidence(agentState.evidence),
      encodeProfile(agentState.profile),
      agentState.score,
      agentState.isDisputed,
      agentState.snapshots,
      agentState.seq,
      agentState.chain,
      agentState.quarantinedCount,
      agentState.correctedAt,
      JSON.stringify(agentState.reporterHours),
      agentState.credentialFloor,
      agentState.modelVersion,
      agentState.successorId,
      agentState.parentId,
      agentState.isParent,
      agentState.updatedAt,
    ],
  )
}

/**
 * Writes what folding events changes: not the owner, the status or the credential floor. Evidence that
 * another model folded so far is then folded by more than one.
 */
export async function saveAgentStates(
  sql: Sql,
  agentStates: readonly AgentState[],
  version: number,
): Promise<void> {
  if (agentStates.length === 0) {
    return
  }
  const write = rowsWrite(SAVE_AGENT_STATES, agentStates, STATE_VALUES, [MODEL_VERSION, version])
  const written = await sql.written(write.text, binaryArraysOf(write))
  expectRows('agent states', written, agentStates.length)
}

const CHANGED = `evidence = t.evidence, profile = t.profile, score = t.score,
    is_disputed = t.is_disputed, snapshot_count = t.snapshot_count, seq = t.seq, chain = t.chain,
    quarantined_count = t.quarantined_count, corrected_at = t.corrected_at,
    reporter_hours = t.reporter_hours, updated_at = t.updated_at`

const GIVEN = `$1::uuid[], $2::bytea[], $3::text[], $4::smallint[], $5::boolean[],
    $6::bigint[], $7::bigint[], $8::bytea[], $9::int[], $10::bigint[], $11::text[], $12::bigint[]`

const GIVEN_NAMES = `agent_id, evidence, profile, score, is_disputed, snapshot_count, seq, chain,
    quarantined_count, corrected_at, reporter_hours, updated_at`

const SAVE_AGENT_STATES = `update agent_states s set ${CHANGED},
    model_version = case when s.model_version = $13 then $13 else '' end, version = $14
  from unnest(${GIVEN}) as t(${GIVEN_NAMES})
  where s.agent_id = t.agent_id`

const SAVE_CURRENT_STATES = `update agent_states s set ${CHANGED},
    model_version = case when s.model_version = $14 then $14 else '' end, version = $15::bigint
  from unnest(${GIVEN}, $13::bigint[]) as t(${GIVEN_NAMES}, expected)
  where s.agent_id = t.agent_id and s.version = t.expected`

const SAVE_PLAIN_STATES = `${SAVE_CURRENT_STATES} and not (${HAS_SUBSCRIBER})`

const STATE_VALUES = [
  (s: AgentState) => s.agentId,
  (s: AgentState) => encodeEvidence(s.evidence),
  (s: AgentState) => encodeProfile(s.profile),
  (s: AgentState) => s.score,
  (s: AgentState) => s.isDisputed,
  (s: AgentState) => s.snapshots,
  (s: AgentState) => s.seq,
  (s: AgentState) => s.chain,
  (s: AgentState) => s.quarantinedCount,
  (s: AgentState) => s.correctedAt,
  (s: AgentState) => JSON.stringify(s.reporterHours),
  (s: AgentState) => s.updatedAt,
]

/**
 * Only where their version is still the expected one and, with `isNotified`, they have no subscriber.
 */
export function currentStateRows(
  agentStates: readonly AgentState[],
  version: number,
  expected: (agentId: string) => number | undefined,
  { isNotified }: { readonly isNotified: boolean },
): RowsWrite {
  const text = isNotified ? SAVE_PLAIN_STATES : SAVE_CURRENT_STATES
  const values = [...STATE_VALUES, (s: AgentState) => expected(s.agentId)]
  return rowsWrite(text, agentStates, values, [MODEL_VERSION, version])
}

async function byAgent(
  sql: Sql,
  rows: readonly AgentStateColumns[],
): Promise<ReadonlyMap<string, AgentState>> {
  const agentStates = new Map<string, AgentState>()
  for (const row of rows) {
    agentStates.set(row.agent_id, await agentStateIn(sql, row))
  }
  return agentStates
}

function agentStateIn(sql: Sql, row: AgentStateColumns): AgentState | Promise<AgentState> {
  const evidence = storedEvidence(row.evidence)
  return evidence
    ? toAgentState(row, evidence)
    : refoldedEvidence(sql, row.agent_id, row.evidence).then((own) => toAgentState(row, own))
}

function toAgentState(row: AgentStateColumns, evidence: Evidence): AgentState {
  return {
    agentId: row.agent_id,
    ownerId: row.owner_id,
    status: row.status,
    evidence,
    profile: decodeProfile(row.profile),
    score: row.score,
    isDisputed: row.is_disputed,
    snapshots: row.snapshot_count,
    seq: row.seq,
    chain: row.chain,
    quarantinedCount: row.quarantined_count,
    correctedAt: row.corrected_at,
    reporterHours: JSON.parse(row.reporter_hours) as AgentState['reporterHours'],
    credentialFloor: row.credential_floor,
    modelVersion: row.model_version,
    successorId: row.successor_id,
    parentId: row.parent_id,
    isParent: row.is_parent,
    updatedAt: row.updated_at,
  }
}
