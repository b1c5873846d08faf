import type { RecordedEvent } from '../../domain/agent.ts'
import { decodeArchive } from './archive-codec.ts'
import { first, NUMBER_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

export interface ArchivedColumns {
  agent_id: string
  first_seq: number
  body: Buffer
}

export const ARCHIVED = 'agent_id, first_seq, body'

/** The events of a part. */
export function eventsIn({
  agent_id,
  first_seq,
  body,
}: ArchivedColumns): Promise<readonly RecordedEvent[]> {
  return decodeArchive(agent_id, first_seq, body)
}

/** The archived events of an agent after a number: the rest of the part that has the next one. */
export async function archivedAfter(
  sql: Sql,
  agentId: string,
  after: number,
): Promise<readonly RecordedEvent[]> {
  const [row] = await sql<ArchivedColumns>(
    `select ${ARCHIVED} from archived_events where agent_id = $1 and last_seq > $2
     order by last_seq limit 1`,
    [agentId, after],
  )
  return row ? (await eventsIn(row)).filter(({ seq }) => seq > after) : []
}

/** The archived events of an agent in a span of numbers, the newest first, a part at a time. */
export async function* archivedBefore(
  sql: Sql,
  agentId: string,
  { from, before }: { readonly from: number; readonly before: number | null },
): AsyncGenerator<readonly RecordedEvent[]> {
  let end = before ?? NUMBER_MAX
  while (true) {
    const [row] = await sql<ArchivedColumns>(
      `select ${ARCHIVED} from archived_events
       where agent_id = $1 and first_seq < $2 and last_seq >= $3 order by last_seq desc limit 1`,
      [agentId, end, from],
    )
    if (!row) {
      return
    }
    const events = await eventsIn(row)
    yield events.filter(({ seq }) => seq >= from && seq < end).reverse()
    end = row.first_seq
  }
}

/**
 * An archived event by its id: one of an agent or, where the agent is not known, one that was reviewed. All
 * others could be in any of the parts of all agents.
 */
export async function archivedEvent(
  sql: Sql,
  id: string,
  agentId: string | null,
): Promise<RecordedEvent | null> {
  const rows =
    agentId === null
      ? await sql<ArchivedColumns>(
          `select ${ARCHIVED} from archived_events where reviewed_ids @> $1`,
          [[id]],
        )
      : await sql<ArchivedColumns>(
          `select ${ARCHIVED} from archived_events
           where agent_id = $1 and first_id <= $2 and last_id >= $2`,
          [agentId, id],
        )
  for (const row of rows) {
    const found = (await eventsIn(row)).find((event) => event.id === id)
    if (found) {
      return found
    }
  }
  return null
}

/** When the last archived event of all agents was received; null without an archive. */
export async function archivedUntil(sql: Sql): Promise<number | null> {
  const row = first(
    await sql<{ at: number }>(
      'select last_at as at from archived_events order by last_at desc limit 1',
    ),
  )
  return row?.at ?? null
}
