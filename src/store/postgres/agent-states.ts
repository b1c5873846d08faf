import { MODEL_VERSION } from '../../domain/model.ts'
import type { AgentFilter, AgentStateStore } from '../agent-states.ts'
import {
  AGENT_STATE,
  type AgentStateColumns,
  agentStateIn,
  byAgent,
} from './agent-state-columns.ts'
import { saveAgentStates } from './agent-state-writes.ts'
import { AWAITS_RELEASE } from './reviews.ts'
import { countOf, first, ID_MIN, locking } from './rows.ts'
import { sampleAgents, sampleSharded } from './sampled-agents.ts'
import type { Session } from './session.ts'
import { shardedWrites } from './sharded-writes.ts'
import type { Sql } from './sql.ts'
import { newVersion } from './state-cache.ts'

/** Ids read at a time: callers read the states of a part at once, some megabytes. */
const IDS_PART = 500

export function agentStateStore({ sql, lists, changed, shards }: Session): AgentStateStore {
  return {
    async find({ agentId }, options) {
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
      const writes = shards === null ? sql : shardedWrites(sql)
      await saveAgentStates(writes, [agentState], newVersion())
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
    count: () => countOf(lists, 'select count(*)::int as count from agent_states', []),
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
  if ('parentId' in filter) {
    const where = `parent_id = $3 and status <> 'deactivated'`
    return { from: OF_STATES, where, values: [filter.parentId] }
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
