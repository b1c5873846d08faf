import { decodeWork, encodeWork, WORK_KINDS_MAX, type WorkStats } from '../../fraud/work-stats.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { columns, type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Sql } from './sql.ts'

/** A kind begins with the id of its platform, and a space. */
const ID_LENGTH = 36

const platformOf = (kind: string) => kind.slice(0, ID_LENGTH)
const nameOf = (kind: string) => kind.slice(ID_LENGTH + 1)

/**
 * The statistics. No other transaction writes those of a platform: its statistics as a reporter were locked
 * before. Of two transactions that write shared statistics at the same time, the outcomes of one may be missing:
 * an event keeps the figures that it was decided by, so no score depends on them. A kind without outcomes has
 * no row.
 */
export async function readWorkStats(
  sql: Sql,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, WorkStats>> {
  if (kinds.length === 0) {
    return new Map()
  }
  const rows = await sql<{ platform_id: string; name: string; stats: string }>(
    `select platform_id, name, stats from work_stats
     where (platform_id, name) in (select * from unnest($1::uuid[], $2::text[]))`,
    columns(kinds, platformOf, nameOf),
  )
  return new Map(
    rows.map(({ platform_id, name, stats }) => [`${platform_id} ${name}`, decodeWork(stats)]),
  )
}

/** Saves statistics. A platform with a new kind may lose its least used ones. */
export async function saveWorkStats(
  sql: Sql,
  works: IngestResult['works'],
  known: IngestView['works'],
): Promise<void> {
  if (works.length === 0) {
    return
  }
  await writeRows(sql, 'work statistics', workRows(works))
  const begun = works.flatMap(({ kind }) => (known.has(kind) ? [] : [kind]))
  for (const platformId of [...new Set(begun.map(platformOf))].sort()) {
    const names = begun.filter((kind) => platformOf(kind) === platformId).map(nameOf)
    await removeLeastUsed(sql, platformId, names)
  }
}

export function workRows(works: IngestResult['works']): RowsWrite {
  return rowsWrite(SAVE_WORKS, works, [
    ({ kind }) => platformOf(kind),
    ({ kind }) => nameOf(kind),
    ({ stats }) => encodeWork(stats),
    ({ stats }) => stats.seen,
  ])
}

const SAVE_WORKS = `insert into work_stats (platform_id, name, stats, seen)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
    as t(platform_id, name, stats, seen) order by platform_id, name
  on conflict (platform_id, name) do update set stats = excluded.stats, seen = excluded.seen`

/** If a platform has too many kinds, removes those with the fewest reports, except for the new ones. */
async function removeLeastUsed(
  sql: Sql,
  platformId: string,
  kept: readonly string[],
): Promise<void> {
  await sql(
    `delete from work_stats where platform_id = $1 and name in (
       select name from work_stats where platform_id = $1 and name <> all($2::text[])
       order by seen
       limit greatest(0, (select count(*) from work_stats where platform_id = $1) - $3)
       for update skip locked)`,
    [platformId, kept, WORK_KINDS_MAX],
  )
}
