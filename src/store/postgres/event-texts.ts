import type { RecordedEvent } from '../../domain/agent.ts'
import type { AgedTexts, EventSpan } from '../events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { deleteExternalIds } from './external-ids.ts'
import { columns, expectRows, NUMBER_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

export async function listWith(
  sql: Sql,
  what: 'texts' | 'all',
  agentId: string,
  { after, last = NUMBER_MAX, limit }: EventSpan,
): Promise<readonly RecordedEvent[]> {
  const rows = await sql<EventColumns>(
    `select ${EVENT} from events
     where agent_id = $1 and seq > $2 and seq <= $3
       and (salt is not null or external_id is not null
         or ($4 and (findings is not null or review is not null)))
     order by seq limit $5`,
    [agentId, after, last, what === 'all', limit],
  )
  return rows.map(toEvent)
}

/** The times of an agent's events never decrease: behind the first one that is newer none is old. */
export async function agedTexts(
  sql: Sql,
  agentId: string,
  before: number,
  limit: number,
): Promise<AgedTexts | null> {
  const [row] = await sql<{ after: number; last: number | null }>(
    `select s.texts_removed_seq as after, (
       select max(seq) filter (where created_at < $2) from (
         select seq, created_at from events
         where agent_id = $1 and seq > s.texts_removed_seq order by seq limit $3) as next) as last
     from agent_states s cross join lateral (
       select created_at from events where agent_id = $1 and seq > s.texts_removed_seq
       order by seq limit 1) as first
     where s.agent_id = $1 and first.created_at < $2`,
    [agentId, before, limit],
  )
  return row?.last ? { after: row.after, last: row.last } : null
}

export async function markTextsRemoved(sql: Sql, agentId: string, last: number): Promise<void> {
  await sql('update agent_states set texts_removed_seq = $2 where agent_id = $1', [agentId, last])
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
