import type { RecordedEvent } from '../../domain/agent.ts'
import type { ArchiveStore } from '../archive.ts'
import { encodeArchive } from './archive-codec.ts'
import { ARCHIVED, type ArchivedColumns, eventsIn } from './archived-events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { deleteArchivedIds, deleteSignatures } from './external-ids.ts'
import { expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * Events of a part: compressed they are some tens of kilobytes, and an agent waits for some hundredths of a
 * second while they are moved.
 */
const PART_MAX = 1_024

/** A review that may still change, or is not carried out: the events from there on are not archived. */
const IS_OPEN = `review is not null and ((review ->> 'status') in ('pending', 'appealed')
  or (is_quarantined and (review ->> 'status') = 'released')
  or ((review ->> 'status') = 'upheld' and (review ->> 'appeal') is null
    and (review -> 'decisions' -> -1 ->> 'decidedAt')::bigint > $4))`

export function archiveStore(sql: Sql): ArchiveStore {
  return {
    async due(agentIds, before) {
      const rows = await sql<{ id: string }>(
        // Citus refuses the limit in a join with an array, and not in one with a table that lies beside the events.
        `select a.agent_id as id from agent_states a cross join lateral (
           select created_at from events where agent_id = a.agent_id order by seq limit 1) as first
         where a.agent_id = any($1::uuid[]) and first.created_at < $2`,
        [agentIds, before],
      )
      return rows.map(({ id }) => id)
    },
    async addNext(agentId, { before, appealableSince, partMin, overdueBefore }) {
      const locked = await sql(
        'select from agent_states where agent_id = $1 for update skip locked',
        [agentId],
      )
      if (locked.length === 0) {
        return 0
      }
      const begun = await begunPart(sql, agentId)
      const room = PART_MAX - begun.length
      const rows = await sql<EventColumns>(
        `with part as (
           select ${EVENT} from events where agent_id = $1 order by seq limit $3
         ), kept as (
           select min(seq) as seq from part where created_at >= $2 or (${IS_OPEN})
         )
         select part.* from part, kept where part.seq < coalesce(kept.seq, part.seq + 1)
         order by part.seq`,
        [agentId, before, room, appealableSince],
      )
      const isDue =
        rows.length >= Math.min(partMin, room) || (rows[0]?.created_at ?? Infinity) < overdueBefore
      if (!isDue) {
        return 0
      }
      const moved = rows.map(toEvent)
      const span = { first: moved[0]?.seq ?? 0, last: moved.at(-1)?.seq ?? 0 }
      await write(sql, [...begun, ...moved])
      const deleted = await sql.written(
        'delete from events where agent_id = $1 and seq >= $2 and seq <= $3',
        [agentId, span.first, span.last],
      )
      expectRows('archived events', deleted, moved.length)
      await deleteSignatures(sql, agentId, span)
      return moved.length
    },
  }
}

/** Replaces a whole part by the same events, and removes the reporters' names for them that are gone. */
export async function replaceArchived(
  sql: Sql,
  before: readonly RecordedEvent[],
  after: readonly RecordedEvent[],
): Promise<void> {
  await deleteArchivedIds(
    sql,
    before.filter((_, i) => after[i]?.externalId === null),
  )
  await write(sql, after)
}

/** Adds a part; one that begins with the same event is replaced. */
async function write(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
  const [start, end] = [events[0], events.at(-1)]
  if (!start || !end || end.seq - start.seq !== events.length - 1) {
    throw new Error('archived events must follow each other without a gap')
  }
  const ids = events.map(({ id }) => id).sort()
  await sql('delete from archived_events where agent_id = $1 and first_seq = $2', [
    start.agentId,
    start.seq,
  ])
  await sql(
    `insert into archived_events
       (agent_id, first_seq, last_seq, first_at, last_at, first_id, last_id, has_text, has_findings,
        reviewed_ids, body)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      start.agentId,
      start.seq,
      end.seq,
      start.createdAt,
      end.createdAt,
      ids[0],
      ids.at(-1),
      events.some(({ salt, externalId }) => salt !== null || externalId !== null),
      events.some(({ findings }) => findings.length > 0),
      events.filter(({ review }) => review !== null).map(({ id }) => id),
      await encodeArchive(events),
    ],
  )
}

/** The last part, where it is not full: it is filled before another one is begun. */
async function begunPart(sql: Sql, agentId: string): Promise<readonly RecordedEvent[]> {
  const [row] = await sql<ArchivedColumns>(
    `select ${ARCHIVED} from (
       select ${ARCHIVED}, last_seq from archived_events where agent_id = $1
       order by last_seq desc limit 1) as last
     where last_seq - first_seq + 1 < $2`,
    [agentId, PART_MAX],
  )
  return row ? eventsIn(row) : []
}
