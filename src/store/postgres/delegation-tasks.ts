import type { ChildReport } from '../../domain/delegation.ts'
import type { DelegationTaskStore } from '../delegation-tasks.ts'
import { columns } from './rows.ts'
import type { Session } from './session.ts'

interface TaskRow {
  id: string
  agent_id: string
  report: ChildReport | null
}

export function delegationTaskStore({ sql, newId }: Session): DelegationTaskStore {
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
  }
}
