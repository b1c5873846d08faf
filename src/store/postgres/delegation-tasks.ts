import type { ChildReport } from '../../domain/delegation.ts'
import type { DelegationTaskStore, NewDelegationTask } from '../delegation-tasks.ts'
import { type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'

interface TaskRow {
  id: string
  agent_id: string
  report: ChildReport | null
}

export function delegationTaskStore({ sql, newId }: Session): DelegationTaskStore {
  return {
    add: (tasks) => insertDelegationTasks(sql, tasks, newId),
    async list(without, limit) {
      const rows = await sql<TaskRow>(
        `select id, agent_id, report from delegation_tasks where id <> all($1::uuid[])
         order by id limit $2`,
        [without, limit],
      )
      return rows.map(({ id, agent_id: agentId, report }) => ({ id, agentId, report }))
    },
    async take(id) {
      return (await sql.written('delete from delegation_tasks where id = $1', [id])) > 0
    },
  }
}

export function insertDelegationTasks(
  sql: Sql,
  tasks: readonly NewDelegationTask[],
  newId: () => string,
): Promise<void> {
  return writeRows(sql, 'delegation tasks', delegationTaskRows(tasks, newId))
}

export function delegationTaskRows(
  tasks: readonly NewDelegationTask[],
  newId: () => string,
): RowsWrite {
  return rowsWrite(INSERT_TASKS, tasks, [
    () => newId(),
    ({ agentId }) => agentId,
    ({ report }) => report && JSON.stringify(report),
  ])
}

const INSERT_TASKS = `insert into delegation_tasks (id, agent_id, report)
  select id, agent_id, report from unnest($1::uuid[], $2::uuid[], $3::json[])
    as t(id, agent_id, report)`
