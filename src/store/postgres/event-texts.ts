import type { RecordedEvent } from '../../domain/agent.ts'
import type { Removal, Rewritten } from '../events.ts'
import { replaceArchived } from './archive.ts'
import { ARCHIVED, type ArchivedColumns, eventsIn } from './archived-events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { deleteExternalIds } from './external-ids.ts'
import { columns, expectRows, NUMBER_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

/** Events of one transaction that are not archived: an agent's reports wait for some tens of milliseconds at most. */
const REWRITTEN_MAX = 1_000

type Without = (event: RecordedEvent) => RecordedEvent

interface Rewrite {
  readonly agentId: string
  readonly after: number
  readonly removal: Removal
  readonly without: Without
}

/** As in `src/store/events.ts`. Archived events come first: their numbers are lower. */
export async function rewriteNext(sql: Sql, rewrite: Rewrite): Promise<Rewritten | null> {
  const { agentId, after, removal, without } = rewrite
  // A review that runs reads and writes the same events, and another node may archive them.
  await sql('select from agent_states where agent_id = $1 for update', [agentId])
  return (
    (await rewriteArchived(sql, rewrite)) ??
    (removal.what === 'texts'
      ? rewriteAged(sql, agentId, removal.before, without)
      : rewriteStored(sql, agentId, { what: 'all', after, last: NUMBER_MAX }, without))
  )
}

/** The next part of the archive that has something to remove. */
async function rewriteArchived(
  sql: Sql,
  { agentId, after, removal, without }: Rewrite,
): Promise<Rewritten | null> {
  const isAll = removal.what === 'all'
  const before = isAll ? NUMBER_MAX : removal.before
  const [row] = await sql<ArchivedColumns>(
    `select ${ARCHIVED} from archived_events
     where agent_id = $1 and last_seq > $2 and first_at < $3
       and (has_text or ($4 and (has_findings or reviewed_ids <> '{}')))
     order by last_seq limit 1`,
    [agentId, after, before, isAll],
  )
  const events = row ? await eventsIn(row) : []
  const end = events.at(-1)
  if (!end) {
    return null
  }
  const isMeant = (event: RecordedEvent) => isAll || (event.createdAt < before && hasText(event))
  const count = events.filter(isMeant).length
  if (count > 0) {
    const rewritten = events.map((event) => (isMeant(event) ? without(event) : event))
    await replaceArchived(sql, events, rewritten)
  }
  return { last: end.seq, count }
}

function hasText({ salt, externalId }: RecordedEvent): boolean {
  return salt !== null || externalId !== null
}

/** The next events from before a time whose texts are not marked as removed. */
async function rewriteAged(
  sql: Sql,
  agentId: string,
  before: number,
  without: Without,
): Promise<Rewritten | null> {
  // The times of an agent's events never decrease: behind the first one that is newer none is old.
  const [aged] = await sql<{ after: number; last: number | null }>(
    `select s.texts_removed_seq as after, (
       select max(seq) filter (where created_at < $2) from (
         select seq, created_at from events
         where agent_id = $1 and seq > s.texts_removed_seq order by seq limit $3) as next) as last
     from agent_states s cross join lateral (
       select created_at from events where agent_id = $1 and seq > s.texts_removed_seq
       order by seq limit 1) as first
     where s.agent_id = $1 and first.created_at < $2`,
    [agentId, before, REWRITTEN_MAX],
  )
  if (!aged?.last) {
    return null
  }
  const { after, last } = aged
  const rewritten = await rewriteStored(sql, agentId, { what: 'texts', after, last }, without)
  await sql('update agent_states set texts_removed_seq = $2 where agent_id = $1', [agentId, last])
  return { last, count: rewritten?.count ?? 0 }
}

interface Span extends Pick<Removal, 'what'> {
  readonly after: number
  readonly last: number
}

async function rewriteStored(
  sql: Sql,
  agentId: string,
  { what, after, last }: Span,
  without: Without,
): Promise<Rewritten | null> {
  const rows = await sql<EventColumns>(
    `select ${EVENT} from events
     where agent_id = $1 and seq > $2 and seq <= $3
       and (salt is not null or external_id is not null
         or ($4 and (findings is not null or review is not null)))
     order by seq limit $5`,
    [agentId, after, last, what === 'all', REWRITTEN_MAX],
  )
  const end = rows.at(-1)
  if (!end) {
    return null
  }
  const events = rows.map((row) => without(toEvent(row)))
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
  return { last: end.seq, count: events.length }
}
