import type { Snapshot } from '../../domain/snapshot.ts'
import type { SnapshotsOf } from '../snapshots.ts'
import type { Page } from '../types.ts'
import { columns, first, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import { SNAPSHOTS } from './snapshot-rows.ts'
import type { Sql } from './sql.ts'
import { readerOf } from './table.ts'

/**
 * The snapshots of an agent, newest first. Their times rise with their numbers: a page that a filter bounds
 * passes so many of them, and ends where they are too old.
 */
export async function listSnapshots(
  sql: Sql,
  { agentId, from, to }: SnapshotsOf,
  before: number | null,
  limit: number,
): Promise<Page<Snapshot>> {
  const isFiltered = from !== undefined || to !== undefined
  const start = before ?? NUMBER_MAX
  const end = isFiltered ? await endOf(sql, agentId, start) : null
  const rows = await readerOf(sql, SNAPSHOTS).all(
    `select ${SNAPSHOTS.columns} from snapshots
     where agent_id = $1 and number < $2 and number >= $6
       and ($3::bigint is null or created_at >= $3) and ($4::bigint is null or created_at <= $4)
     order by number desc limit $5`,
    [agentId, start, from ?? null, to ?? null, limit + 1, end?.number ?? 0],
  )
  const found = page(rows, limit)
  const goesOn = !found.more && end !== null && end.created_at >= (from ?? 0)
  return goesOn ? { ...found, more: true, end: [end.number] } : found
}

interface Place {
  readonly number: number
  readonly created_at: number
}

/** The last snapshot that a page passes; null where it passes all. */
async function endOf(sql: Sql, agentId: string, before: number): Promise<Place | null> {
  return first(
    await sql<Place>(
      `select number, created_at from snapshots where agent_id = $1 and number < $2
       order by number desc offset $3 limit 1`,
      [agentId, before, SCANNED_MAX - 1],
    ),
  )
}

/** Of each agent the last one before a time, and those from then on up to another time. */
export async function* snapshotsWithin(
  sql: Sql,
  agentIds: readonly string[],
  from: number,
  to: number,
): AsyncIterable<readonly Snapshot[]> {
  const numbers = await sql<{ agent_id: string; first: number; last: number }>(
    `select agent_id, max(number) as last,
       coalesce(max(number) filter (where created_at < $2), min(number)) as first
     from snapshots where agent_id = any($1::uuid[]) and created_at <= $3
     group by agent_id`,
    [agentIds, from, to],
  )
  const ranges = numbers.map(({ agent_id: agentId, first, last }) => ({ agentId, first, last }))
  for (const part of partsOf(ranges)) {
    yield await readerOf(sql, SNAPSHOTS).all(
      `select ${SNAPSHOTS.columns} from snapshots
       join unnest($1::uuid[], $2::bigint[], $3::bigint[]) as n (of_agent, first, last)
         on agent_id = of_agent and number between first and last
       order by agent_id, number`,
      columns(
        part,
        (n) => n.agentId,
        (n) => n.first,
        (n) => n.last,
      ),
    )
  }
}

/** Some snapshots of an agent; some of the numbers may be missing. */
interface SnapshotNumbers {
  readonly agentId: string
  readonly first: number
  readonly last: number
}

/** Snapshots read at a time: an agent that many report about may have a million. */
const PART = 5_000

/** Divides the numbers into parts that are read at a time. */
function* partsOf(numbers: readonly SnapshotNumbers[]): Generator<readonly SnapshotNumbers[]> {
  let part: SnapshotNumbers[] = []
  let left = PART
  for (const { agentId, first, last } of numbers) {
    for (let next = first; next <= last; ) {
      const end = Math.min(last, next + left - 1)
      part.push({ agentId, first: next, last: end })
      left -= end - next + 1
      next = end + 1
      if (left === 0) {
        yield part
        part = []
        left = PART
      }
    }
  }
  if (part.length > 0) {
    yield part
  }
}
