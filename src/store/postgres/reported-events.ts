import type { RecordedEvent } from '../../domain/agent.ts'
import type { ReportedQuery } from '../events.ts'
import type { Page } from '../types.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { countOf, ID_MAX, ID_MIN, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

/** The length of the first part of the time, read backwards from its end: at most some thousand events. */
const FIRST_MS = 1_000

/** The next part is at most this many times longer. Seven parts reach back for a month. */
const LONGER = 16

/** Parts that one page reads: if the busy hours are far apart, some of them are empty. */
const PARTS_MAX = 16

/**
 * What a reporter reported about any agent, newest first. No index has events by reporter: one would cost
 * every report. A page passes a bounded number of events of all reporters, in parts of the time, and then
 * says where the next page begins.
 */
export async function listReported(
  sql: Sql,
  reporterId: string,
  query: ReportedQuery,
): Promise<Page<RecordedEvent>> {
  const { from, to, position, limit } = query
  const found: EventColumns[] = []
  let below = position ?? { createdAt: NUMBER_MAX, agentId: ID_MAX, seq: NUMBER_MAX }
  let end = position?.createdAt ?? to
  let widthMs = FIRST_MS
  let passed = 0
  for (let parts = 0; end >= from; parts++) {
    if (passed >= SCANNED_MAX || parts === PARTS_MAX) {
      const next = [end + 1, ID_MIN, 0]
      return { ...page(found.map(toEvent), limit), more: true, end: next }
    }
    const start = Math.max(from, end - widthMs)
    const count = await countBetween(sql, start, end)
    if (count > SCANNED_MAX && start < end) {
      widthMs = Math.floor(widthMs / LONGER)
      continue
    }
    const missing = limit + 1 - found.length
    found.push(...(await readPart(sql, reporterId, query, { start, end, below, missing })))
    if (found.length > limit) {
      break
    }
    passed += count
    end = start - 1
    below = { createdAt: NUMBER_MAX, agentId: ID_MAX, seq: NUMBER_MAX }
    const room = SCANNED_MAX / Math.max(1, count)
    widthMs = Math.ceil((widthMs + 1) * Math.min(LONGER, room))
  }
  return page(found.map(toEvent), limit)
}

/** The events of all reporters between two times, counted up to one more than a page may pass. */
function countBetween(sql: Sql, start: number, end: number): Promise<number> {
  return countOf(
    sql,
    `select count(*)::int as count from
       (select 1 as one from events where created_at between $1::bigint and $2::bigint limit $3) as passed`,
    [start, end, SCANNED_MAX + 1],
  )
}

interface Part {
  readonly start: number
  readonly end: number
  readonly below: NonNullable<ReportedQuery['position']>
  readonly missing: number
}

function readPart(
  sql: Sql,
  reporterId: string,
  { type, agentId, isQuarantined }: ReportedQuery,
  { start, end, below, missing }: Part,
): Promise<readonly EventColumns[]> {
  return sql<EventColumns>(
    `select ${EVENT} from events
     where reporter_id = $1 and created_at between $2::bigint and $3::bigint
       and reporter_kind <> 'system' and (created_at, agent_id, seq) < ($4::bigint, $5::uuid, $6::bigint)
       and ($7::text is null or type = $7) and ($8::uuid is null or agent_id = $8)
       and ($9::boolean is null or is_quarantined = $9)
     order by created_at desc, agent_id desc, seq desc limit $10`,
    [
      reporterId,
      start,
      end,
      below.createdAt,
      below.agentId,
      below.seq,
      type ?? null,
      agentId ?? null,
      isQuarantined ?? null,
      missing,
    ],
  )
}
