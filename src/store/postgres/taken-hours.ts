import type { HourCount } from '../../domain/limits.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/** What a batch takes of the hour of a platform. */
interface TakenHour {
  readonly platformId: string
  /** The hour that the batch was decided by. */
  readonly before: HourCount
  readonly startedAt: number
  readonly count: number
}

/** Of every platform of the batch, also where all of its events were refused: then nothing is taken. */
export function takenHours(view: IngestView, result: IngestResult): readonly TakenHour[] {
  const counted = new Map(result.platformHours.map(({ platformId, hour }) => [platformId, hour]))
  return [...view.platformHours].map(([platformId, before]) => {
    const { startedAt, count } = counted.get(platformId) ?? before
    const isSameHour = startedAt === before.startedAt
    return { platformId, before, startedAt, count: isSameHour ? count - before.count : count }
  })
}

/** The hours of those of the platforms that have one. */
export async function readPlatformHours(
  sql: Sql,
  platformIds: readonly string[],
): Promise<readonly { readonly platformId: string; readonly hour: HourCount }[]> {
  const rows = await sql<{ platform_id: string; started_at: number; count: number }>(
    'select platform_id, started_at, count from platform_hours where platform_id = any($1::uuid[])',
    [platformIds],
  )
  return rows.map(({ platform_id: platformId, started_at: startedAt, count }) => ({
    platformId,
    hour: { startedAt, count },
  }))
}

/**
 * Counts the events of a batch before they are stored: no platform ever gets more than its limit. Fails where
 * the hour is no longer what the batch was decided by. What is taken and not used is to be released; a
 * node that is killed in between leaves it counted until the hour ends.
 */
export async function takeHours(sql: Sql, taken: readonly TakenHour[]): Promise<void> {
  const values = columns(
    taken,
    (one) => one.platformId,
    (one) => one.before.startedAt,
    (one) => one.before.count,
    (one) => one.startedAt,
    (one) => one.count,
  )
  await sql(TAKE, [...values, taken.length])
}

/** A division by zero undoes the whole statement. An hour that another transaction has locked is not waited for. */
const TAKE = `with locked as materialized (
    select h.platform_id, t.started_at, t.taken
    from unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[], $5::int[])
      as t(platform_id, decided_at, decided_by, started_at, taken)
    join platform_hours h on h.platform_id = t.platform_id and h.started_at = t.decided_at
      and h.count = t.decided_by
    order by h.platform_id for update of h skip locked),
  taken as (
    update platform_hours h set started_at = l.started_at,
      count = case when h.started_at = l.started_at then h.count else 0 end + l.taken
    from locked l where h.platform_id = l.platform_id returning 1)
  select 1 / ((select count(*) from taken) = $6::int)::int as taken`

/** In the hour in which it was taken; in a later one there is nothing to release. */
export async function releaseHours(sql: Sql, taken: readonly TakenHour[]): Promise<void> {
  await sql(
    `with locked as materialized (
       select h.platform_id, t.taken from unnest($1::uuid[], $2::bigint[], $3::int[])
         as t(platform_id, started_at, taken)
       join platform_hours h on h.platform_id = t.platform_id and h.started_at = t.started_at
       order by h.platform_id for update of h)
     update platform_hours h set count = greatest(h.count - l.taken, 0)
     from locked l where h.platform_id = l.platform_id`,
    columns(
      taken,
      (one) => one.platformId,
      (one) => one.startedAt,
      (one) => one.count,
    ),
  )
}
