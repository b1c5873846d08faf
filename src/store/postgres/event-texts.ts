import type { RecordedEvent } from '../../domain/agent.ts'
import type { EventSpan } from '../events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { deleteExternalIds } from './external-ids.ts'
import { columns, expectRows, NUMBER_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

export async function listWith(
  sql: Sql,
  what: 'texts' | 'all',
  agentId: string,
  { after, before = NUMBER_MAX, limit }: EventSpan,
): Promise<readonly RecordedEvent[]> {
  const rows = await sql<EventColumns>(
    `select ${EVENT} from events
     where agent_id = $1 and seq > $2 and created_at < $3
       and (salt is not null or external_id is not null
         or ($4 and (findings is not null or review is not null)))
     order by seq limit $5`,
    [agentId, after, before, what === 'all', limit],
  )
  return rows.map(toEvent)
}

export async function saveWithoutTexts(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) {
    return
  }
  await deleteExternalIds(sql, events)
  const written = await sql.written(
    `update events e set data = t.data, review = t.review, findings = t.findings, salt = null,
       external_id = null
     from unnest($1::uuid[], $2::bigint[], $3::json[], $4::json[], $5::json[])
       as t(agent_id, seq, data, review, findings)
     where e.agent_id = t.agent_id and e.seq = t.seq and e.agent_id = any($1::uuid[])`,
    columns(
      events,
      (e) => e.agentId,
      (e) => e.seq,
      (e) => JSON.stringify(e.data),
      (e) => e.review && JSON.stringify(e.review),
      (e) => (e.findings.length > 0 ? JSON.stringify(e.findings) : null),
    ),
  )
  expectRows('events without texts', written, events.length)
}
