/** Reads the states of the agents that a batch is about, with or without a lock. */
import { MODEL_VERSION } from '../../domain/model.ts'
import type { AgentState } from '../agent-states.ts'
import type { IngestScope, IngestView } from '../ingest.ts'
import { AGENT_STATE, type AgentStateColumns, byAgent, versioned } from './agent-state-columns.ts'
import { byShard, type ShardBounds } from './shards.ts'
import type { Sql } from './sql.ts'
import type { Versioned } from './state-cache.ts'
import { HAS_SUBSCRIBER, ownersWithSubscribers } from './subscribers.ts'

type LockScope = Pick<IngestScope, 'agentIds' | 'skipsLocked'>

type LockedView = Pick<IngestView, 'agentStates' | 'lockedElsewhere' | 'ownersWithSubscribers'>

/**
 * These agent states, locked in the order of their ids, so that no two writers deadlock, and which of
 * their owners have a webhook or a listener, or watchers: most have none, and then no
 * notification is written.
 */
export async function lockAgentStates(sql: Sql, scope: LockScope): Promise<LockedView> {
  const rows = await sql<AgentStateColumns & { has_subscriber: boolean }>(
    scope.skipsLocked ? `${LOCK_AGENT_STATES} skip locked` : LOCK_AGENT_STATES,
    [scope.agentIds],
  )
  const subscribed = rows.filter((row) => row.has_subscriber).map((row) => row.owner_id)
  return { ...(await lockedView(sql, scope, rows)), ownersWithSubscribers: new Set(subscribed) }
}

const LOCK_AGENT_STATES = `select ${AGENT_STATE}, ${HAS_SUBSCRIBER} as has_subscriber
  from agent_states s where agent_id = any($1::uuid[]) order by agent_id for update of s`

/**
 * Locks agent states that lie on other servers, shard after shard. Subscribers are read after the locks: one
 * who subscribes later gets what is reported later.
 */
export async function lockShardedStates(
  sql: Sql,
  shards: ShardBounds,
  scope: LockScope,
): Promise<LockedView> {
  const rows: AgentStateColumns[] = []
  for (const ids of byShard(shards, scope.agentIds)) {
    const text = scope.skipsLocked ? `${LOCK_OF_SHARD} skip locked` : LOCK_OF_SHARD
    rows.push(...(await sql<AgentStateColumns>(text, [ids])))
  }
  const view = await lockedView(sql, scope, rows)
  return { ...view, ownersWithSubscribers: await ownersWithSubscribers(sql, rows) }
}

const LOCK_OF_SHARD = `select ${AGENT_STATE} from agent_states
  where agent_id = any($1::uuid[]) order by agent_id for update`

async function lockedView(
  sql: Sql,
  { agentIds, skipsLocked }: LockScope,
  rows: readonly AgentStateColumns[],
): Promise<Omit<LockedView, 'ownersWithSubscribers'>> {
  const agentStates = await byAgent(sql, rows)
  const left = skipsLocked ? agentIds.filter((id) => !agentStates.has(id)) : []
  return { agentStates, lockedElsewhere: await existing(sql, left) }
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

/** As `readPlainStates`; agents whose events are notified are found when the events are written. */
export async function readPlainShardedStates(
  sql: Sql,
  agentIds: readonly string[],
): Promise<readonly Versioned<AgentState>[]> {
  const states = await readStates(sql, agentIds)
  return states.filter(({ value }) => value.modelVersion === MODEL_VERSION)
}
