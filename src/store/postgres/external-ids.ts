import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/** Removes the names that reporters gave these events; a repeated report of them is then a new event. */
export async function deleteExternalIds(
  sql: Sql,
  events: readonly { readonly agentId: string; readonly seq: number }[],
): Promise<void> {
  await sql(
    `delete from external_ids x using events e, unnest($1::uuid[], $2::bigint[]) as t(agent_id, seq)
     where e.agent_id = t.agent_id and e.seq = t.seq and e.agent_id = any($1::uuid[])
       and x.reporter_id = e.reporter_id and x.agent_id = e.agent_id and x.external_id = e.external_id`,
    columns(
      events,
      (e) => e.agentId,
      (e) => e.seq,
    ),
  )
}
