import type { ChildReport } from '../../domain/delegation.ts'
import type { DelegationStore } from '../delegations.ts'
import { columns } from './rows.ts'
import type { Session } from './session.ts'
import { byShard, ONE_SHARD } from './shards.ts'

interface TaskRow {
  id: string
  agent_id: string
  report: ChildReport | null
}

export function delegationStore({ sql, shards, newId, changed }: Session): DelegationStore {
  return {
    async add(tasks) {
      if (tasks.length === 0) {
        return
      }
      await sql(
        `insert into delegation_tasks (id, agent_id, report)
         select * from unnest($1::uuid[], $2::uuid[], $3::json[])`,
        columns(
          tasks,
          () => newId(),
          ({ agentId }) => agentId,
          ({ report }) => (report ? JSON.stringify(report) : null),
        ),
      )
    },
    async list(limit) {
      const rows = await sql<TaskRow>(
        'select id, agent_id, report from delegation_tasks order by id limit $1',
        [limit],
      )
      return rows.map(({ id, agent_id: agentId, report }) => ({ id, agentId, report }))
    },
    async take(id) {
      return (await sql.written('delete from delegation_tasks where id = $1', [id])) > 0
    },
    async children(parentId) {
      const rows = await sql<{ agent_id: string }>(
        `select agent_id from agent_states where parent_id = $1 and status <> 'deactivated'
         order by agent_id`,
        [parentId],
      )
      return rows.map((row) => row.agent_id)
    },
    async setParent(agentId) {
      await sql(
        `update agent_states set is_parent = true, version = version + 1
         where agent_id = $1 and not is_parent`,
        [agentId],
      )
    },
    async moveChildren(fromId, toId) {
      const children = await sql<{ agent_id: string }>(
        'select agent_id from agent_states where parent_id = $1 order by agent_id',
        [fromId],
      )
      const ids = children.map((row) => row.agent_id)
      // Locked in the order of all transactions before they are written.
      for (const part of byShard(shards ?? ONE_SHARD, ids)) {
        await sql(
          `with children as (
             select agent_id from agent_states
             where agent_id = any($3::uuid[]) and parent_id = $1 order by agent_id for update)
           update agent_states s set parent_id = $2, version = version + 1
           from children c where s.agent_id = c.agent_id and s.agent_id = any($3::uuid[])`,
          [fromId, toId, part],
        )
      }
      await changed({ kind: 'callers', ids })
    },
  }
}
