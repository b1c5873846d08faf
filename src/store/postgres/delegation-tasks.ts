import type { DelegationTask, DelegationTaskStore, NewDelegationTask } from '../delegation-tasks.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { json, tableOf } from './table.ts'

const TASKS = tableOf<DelegationTask>('delegation_tasks', {
  id: 'id',
  agentId: 'agent_id',
  report: json('report'),
})

const rowsIn = rowStore<DelegationTask, ById>(TASKS, {
  waits: { id: 'id', order: 'id' },
})

export function delegationTaskStore(session: Session): DelegationTaskStore {
  const { sql, newId } = session
  return {
    ...rowsIn(session),
    insertAll: (tasks) => insertDelegationTasks(sql, tasks, newId),
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
