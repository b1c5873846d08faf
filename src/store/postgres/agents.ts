import type { Agent, AgentStatus } from '../../domain/agent.ts'
import { inParts } from '../../lib/parts.ts'
import type { AgentChange, AgentStore } from '../agents.ts'
import type { ById } from '../rows.ts'
import { insertAgentState } from './agent-state-writes.ts'
import { rowStore } from './row-store.ts'
import { byId, columns, countOf, expectRows, ID_MAX, page } from './rows.ts'
import type { Session } from './session.ts'
import { byShard, ONE_SHARD, type ShardBounds } from './shards.ts'
import type { Sql } from './sql.ts'
import { computed, json, readerOf, tableOf } from './table.ts'

/** As in the index of low snapshots: no caller asks for more. */
const START_SCORE = 100

/** What reports read and write lies in the agent's state, `s`. */
const AGENTS = tableOf<Agent>('agents', {
  id: 'id',
  ownerId: 'owner_id',
  displayName: 'display_name',
  metadata: json('metadata'),
  hasPublicProfile: 'has_public_profile',
  predecessorId: 'predecessor_id',
  successorId: computed('successor_id', 's.successor_id'),
  parentId: computed('parent_id', 's.parent_id'),
  status: computed('status', 's.status'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

const SELECT = `select ${AGENTS.columnsOf('a')} from agents a join agent_states s on s.agent_id = a.id`

const rowsIn = rowStore<Agent, ById>(AGENTS, {})

export function agentStore(session: Session): AgentStore {
  const { sql, lists, shards, changed } = session
  const rows = rowsIn(session)
  const { one, all } = readerOf(sql, AGENTS)
  const find = ({ id }: ById) => one(`${SELECT} where a.id = $1`, [id])
  return {
    find,
    async insert(agent, agentState) {
      await rows.insert(agent)
      await insertAgentState(sql, agentState)
      if (agent.parentId !== null) {
        await setParent(sql, agent.parentId)
      }
    },
    // Said of both: Citus then asks only the servers with these agents.
    async findMany(ids) {
      return byId(
        await all(`${SELECT} where a.id = any($1::uuid[]) and s.agent_id = any($1::uuid[])`, [ids]),
      )
    },
    async list({ ownerId, parentId }, before, limit) {
      const values: (string | number | null)[] = [ownerId, before, limit + 1]
      const rows = await all(
        `${SELECT} where a.owner_id = $1 and a.id < coalesce($2::uuid, '${ID_MAX}')
           ${parentId === undefined ? '' : 'and s.parent_id = $4'}
         order by a.id desc limit $3`,
        parentId === undefined ? values : [...values, parentId],
      )
      return page(rows, limit)
    },
    leaders: (eventsMin, limit) =>
      readerOf(lists, AGENTS).all(
        `${SELECT} where a.has_public_profile and s.status = 'active'
           and s.seq - s.quarantined_count >= $1
         order by s.score desc, a.id limit $2`,
        [eventsMin, limit],
      ),
    count(of) {
      const [column, id] = 'ownerId' in of ? ['owner_id', of.ownerId] : ['parent_id', of.parentId]
      return countOf(
        sql,
        `select count(*)::int as count from agent_states
         where ${column} = $1 and status <> 'deactivated'`,
        [id],
      )
    },
    // The latest ids are those registered last: older ones, of which there may be many, are not read.
    countRegistered: (ownerId, since, max) =>
      countOf(
        sql,
        `select count(*)::int as count from (
           select created_at from agents where owner_id = $1 order by id desc limit $3
         ) as latest where created_at >= $2`,
        [ownerId, since, max],
      ),
    async succeed({ agentId, isParent }, successorId) {
      const both = [agentId, successorId]
      await sql(
        'update agent_states set successor_id = $2, version = version + 1 where agent_id = $1',
        both,
      )
      const children = isParent
        ? await moveChildren(sql, shards ?? ONE_SHARD, agentId, successorId)
        : []
      const names = await sql<{ value: string }>(
        'update identifiers set agent_id = $2 where agent_id = $1 returning value',
        both,
      )
      await sql('update watches set agent_id = $2 where agent_id = $1', both)
      await changed({ kind: 'callers', ids: [agentId, ...children] })
      await changed({ kind: 'identifiers', ids: names.map(({ value }) => value) })
    },
    async update(id, change, now) {
      await updateAgent(sql, id, change, now)
      await changed({ kind: 'callers', ids: [id] })
      return find({ id })
    },
    async statusAt(id, at) {
      const [row] = await sql<{ status: AgentStatus }>(
        `select status from agent_status_changes where agent_id = $1 and changed_at <= $2
         order by changed_at desc limit 1`,
        [id, at],
      )
      return row?.status ?? 'active'
    },
    lowScore: (ownerId, below, since) => lowScore(sql, ownerId, below, since),
  }
}

/** Returns the ids of the children. */
async function moveChildren(
  sql: Sql,
  bounds: ShardBounds,
  fromParentId: string,
  toParentId: string,
): Promise<readonly string[]> {
  const children = await sql<{ agent_id: string }>(
    'select agent_id from agent_states where parent_id = $1 order by agent_id',
    [fromParentId],
  )
  const ids = children.map((row) => row.agent_id)
  // Locked in the order of all transactions before they are written.
  for (const part of byShard(bounds, ids)) {
    await sql(
      `with children as (
         select agent_id from agent_states
         where agent_id = any($3::uuid[]) and parent_id = $1 order by agent_id for update)
       update agent_states s set parent_id = $2, version = version + 1
       from children c where s.agent_id = c.agent_id and s.agent_id = any($3::uuid[])`,
      [fromParentId, toParentId, part],
    )
  }
  await setParent(sql, toParentId)
  return ids
}

async function updateAgent(sql: Sql, id: string, change: AgentChange, now: number): Promise<void> {
  if ('status' in change) {
    return setStatus(sql, id, change.status, now)
  }
  if ('ownerId' in change) {
    return setOwner(sql, id, change.ownerId, now)
  }
  await sql(
    `update agents set display_name = $2, metadata = $3, has_public_profile = $4,
       updated_at = greatest($5, updated_at)
     where id = $1`,
    [id, change.displayName, JSON.stringify(change.metadata), change.hasPublicProfile, now],
  )
}

/** Agents that an owner gave away, asked about in one statement: some tens of milliseconds. */
const GIVEN_PART = 100

/** In statements that a cluster of servers answers too, of which each has some of the agents. */
async function lowScore(
  sql: Sql,
  ownerId: string,
  below: number,
  since: number,
): Promise<number | null> {
  const [owned, given] = await Promise.all([
    sql<{ lowest: number | null }>(
      `select min(least(
         case when a.status <> 'deactivated' or a.updated_at >= $2 then a.score end, s.score))::int as lowest
       from agent_states a left join snapshots s
         on s.agent_id = a.agent_id and s.score < ${START_SCORE} and s.created_at >= $2
       where a.owner_id = $1 and a.was_low`,
      [ownerId, since],
    ),
    sql<Given>(
      `select agent_id, ended_at from transfers
       where from_owner_id = $1 and status = 'accepted' and ended_at >= $2`,
      [ownerId, since],
    ),
  ])
  let lowest = owned[0]?.lowest ?? below
  for (const part of inParts(given, GIVEN_PART)) {
    lowest = Math.min(lowest, (await lowScoreBefore(sql, part, since)) ?? below)
  }
  return lowest < below ? lowest : null
}

/** An agent, and when it was given away. */
interface Given {
  readonly agent_id: string
  readonly ended_at: number
}

/** The lowest score of these agents until each was given away. */
async function lowScoreBefore(
  sql: Sql,
  given: readonly Given[],
  since: number,
): Promise<number | null> {
  const [row] = await sql<{ lowest: number | null }>(
    `select min(score)::int as lowest from snapshots
     join unnest($1::uuid[], $2::bigint[]) as given (of_agent, until) on agent_id = of_agent
     where score < ${START_SCORE} and created_at between $3 and until`,
    [
      ...columns(
        given,
        (one) => one.agent_id,
        (one) => one.ended_at,
      ),
      since,
    ],
  )
  return row?.lowest ?? null
}

/** Notes that an agent has children. */
async function setParent(sql: Sql, agentId: string): Promise<void> {
  await sql(
    `update agent_states set is_parent = true, version = version + 1
     where agent_id = $1 and not is_parent`,
    [agentId],
  )
}

async function setStatus(sql: Sql, id: string, status: AgentStatus, now: number): Promise<void> {
  const rows = await sql(
    `with state as (
       update agent_states set status = $2, updated_at = greatest($3, updated_at), version = version + 1
       where agent_id = $1 returning agent_id, updated_at),
     change as (
       insert into agent_status_changes (agent_id, changed_at, status)
       select agent_id, updated_at, $2 from state)
     update agents set updated_at = greatest($3, agents.updated_at)
     from state where id = agent_id returning id`,
    [id, status, now],
  )
  expectRows('agent status', rows.length, 1)
}

async function setOwner(sql: Sql, id: string, ownerId: string, now: number): Promise<void> {
  const rows = await sql(
    `with state as (
       update agent_states set owner_id = $2, parent_id = null,
         updated_at = greatest($3, updated_at), version = version + 1
       where agent_id = $1 returning agent_id)
     update agents set owner_id = $2, updated_at = greatest($3, agents.updated_at)
     from state where id = agent_id returning id`,
    [id, ownerId, now],
  )
  expectRows('agent owner', rows.length, 1)
}
