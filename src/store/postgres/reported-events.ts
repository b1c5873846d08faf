import type { RecordedEvent } from '../../domain/agent.ts'
import { DAY_MS, HOUR_MS } from '../../domain/time.ts'
import type { ReportedQuery } from '../events.ts'
import type { Page } from '../types.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { ID_MAX, NUMBER_MAX, page } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * Parts of the time that are read one after the other, from the end back. No index has events by reporter:
 * one would cost every report. So a platform that reports often finds a page in the first part.
 */
const PARTS_MS = [HOUR_MS, 12 * HOUR_MS, 7 * DAY_MS]

/** What a reporter reported about any agent, newest first. */
export async function listReported(
  sql: Sql,
  reporterId: string,
  { from, to, type, agentId, isQuarantined, position, limit }: ReportedQuery,
): Promise<Page<RecordedEvent>> {
  const found: EventColumns[] = []
  let end = position?.createdAt ?? to
  let below = position ?? { createdAt: NUMBER_MAX, agentId: ID_MAX, seq: NUMBER_MAX }
  for (const part of [...PARTS_MS, Number.POSITIVE_INFINITY]) {
    const start = Math.max(from, end - part)
    const rows = await sql<EventColumns>(
      `select ${EVENT} from events
       where reporter_id = $1 and created_at between $2::bigint and $3::bigint
         and (created_at, agent_id, seq) < ($4::bigint, $5::uuid, $6::bigint)
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
        limit + 1 - found.length,
      ],
    )
    found.push(...rows)
    if (found.length > limit || start <= from) {
      break
    }
    end = start - 1
    below = { createdAt: NUMBER_MAX, agentId: ID_MAX, seq: NUMBER_MAX }
  }
  return page(found.map(toEvent), limit)
}
