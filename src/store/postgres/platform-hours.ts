import type { HourCount } from '../../domain/limits.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { columns, type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Sql } from './sql.ts'

/** The hours of these platforms, locked in the order of their ids; one that is missing is inserted. */
export async function lockPlatformHours(
  sql: Sql,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, HourCount>> {
  if (platformIds.length === 0) {
    return new Map()
  }
  const lock = () =>
    sql<{ platform_id: string; started_at: number; count: number }>(
      `select platform_id, started_at, count from platform_hours
       where platform_id = any($1::uuid[]) order by platform_id for update`,
      [platformIds],
    )
  let rows = await lock()
  if (rows.length < platformIds.length) {
    // Those of platforms that an older release created, which have not reported yet.
    await insertPlatformHours(sql, platformIds)
    rows = await lock()
  }
  return new Map(
    rows.map((row) => [row.platform_id, { startedAt: row.started_at, count: row.count }]),
  )
}

/** The hours of platforms that have none. */
export async function insertPlatformHours(sql: Sql, platformIds: readonly string[]): Promise<void> {
  await sql(
    `insert into platform_hours (platform_id, started_at, count)
     select id, 0, 0 from unnest($1::uuid[]) as t(id) order by id on conflict do nothing`,
    [platformIds],
  )
}

export async function savePlatformHours(sql: Sql, hours: readonly PlatformHour[]): Promise<void> {
  await writeRows(sql, 'platform hours', rowsWrite(SAVE_HOURS, hours, HOUR_VALUES))
}

type PlatformHour = IngestResult['platformHours'][number]

const HOUR_VALUES = [
  (h: PlatformHour) => h.platformId,
  (h: PlatformHour) => h.hour.startedAt,
  (h: PlatformHour) => h.hour.count,
]

const SAVE_HOURS = `update platform_hours p set started_at = t.started_at, count = t.count
  from unnest($1::uuid[], $2::bigint[], $3::int[]) as t(platform_id, started_at, count)
  where p.platform_id = t.platform_id`

/** Only where they are as before. */
export function currentHourRows(
  hours: readonly PlatformHour[],
  before: IngestView['platformHours'],
): RowsWrite {
  return rowsWrite(SAVE_CURRENT_HOURS, hours, [
    ...HOUR_VALUES,
    (h) => before.get(h.platformId)?.startedAt,
    (h) => before.get(h.platformId)?.count,
  ])
}

const SAVE_CURRENT_HOURS = `update platform_hours p set started_at = t.started_at, count = t.count
  from unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[], $5::int[])
    as t(platform_id, started_at, count, expected_start, expected_count)
  where p.platform_id = t.platform_id and p.started_at = t.expected_start
    and p.count = t.expected_count`

/** Without a lock, the hours of those of these platforms that have one. */
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
