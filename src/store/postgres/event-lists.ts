import type { RecordedEvent } from '../../domain/agent.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { EventsOf } from '../events.ts'
import type { Page } from '../types.ts'
import { archivedBefore } from './archived-events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { first, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * The events of an agent, newest first. Of those that a filter compares, a page passes only so many: their
 * numbers leave no gap, so a span of numbers bounds them.
 */
export async function listEvents(
  sql: Sql,
  { agentId, type, reporterId, from, to }: EventsOf,
  before: number | null,
  limit: number,
): Promise<Page<RecordedEvent>> {
  const isFiltered = [type, reporterId, from, to].some((filter) => filter !== undefined)
  const end = isFiltered ? (before ?? (await nextSeq(sql, agentId))) - SCANNED_MAX : 0
  const rows = await sql<EventColumns>(
    `select ${EVENT} from events
     where agent_id = $1 and seq < coalesce($2::bigint, ${NUMBER_MAX}) and seq >= $8
       and ($3::text is null or type = $3) and ($4::uuid is null or reporter_id = $4)
       and ($5::bigint is null or occurred_at >= $5) and ($6::bigint is null or occurred_at <= $6)
     order by seq desc limit $7`,
    [agentId, before, type ?? null, reporterId ?? null, from ?? null, to ?? null, limit + 1, end],
  )
  const matches = (event: RecordedEvent) =>
    (type === undefined || event.type === type) &&
    (reporterId === undefined || event.reporter.id === reporterId) &&
    event.occurredAt >= (from ?? 0) &&
    event.occurredAt <= (to ?? NUMBER_MAX)
  const found = rows.map(toEvent)
  // An event that was archived since the rows were read is among them already.
  const known = new Set(found.map(({ seq }) => seq))
  const span = { from: end, before }
  const missing = limit + 1 - found.length
  for await (const part of missing > 0 ? archivedBefore(sql, agentId, span) : []) {
    found.push(...part.filter((event) => !known.has(event.seq) && matches(event)))
    if (found.length > limit) {
      break
    }
  }
  const listed = page(found, limit)
  const goesOn = !listed.more && end > 1 && !(await isBefore(sql, agentId, end, from))
  return goesOn ? { ...listed, more: true, end: [end] } : listed
}

async function nextSeq(sql: Sql, agentId: string): Promise<number> {
  const row = first(
    await sql<{ seq: number }>('select seq from agent_states where agent_id = $1', [agentId]),
  )
  return (row?.seq ?? 0) + 1
}

/** Events happen at most minutes after they are received, by the clocks of others. */
const AHEAD_MAX_MS = DAY_MS

/** Whether an event, and with it all before it, was received before anything of a span could be. */
async function isBefore(
  sql: Sql,
  agentId: string,
  seq: number,
  from: number | undefined,
): Promise<boolean> {
  if (from === undefined) {
    return false
  }
  const row = first(
    await sql<{ created_at: number }>(
      `select created_at from events where agent_id = $1 and seq = $2
       union all
       (select last_at from archived_events where agent_id = $1 and last_seq >= $2
        order by last_seq limit 1)`,
      [agentId, seq],
    ),
  )
  return row !== null && row.created_at < from - AHEAD_MAX_MS
}
