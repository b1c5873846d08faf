import { decodeWork, encodeWork, NO_WORK, type WorkStats } from '../../fraud/work-stats.ts'
import type { IngestResult } from '../ingest.ts'
import { columns, expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

/** A task class is free text, so the kinds are limited: at 3 kB each this is 12 MB. */
const KINDS_MAX = 4_096

interface Row {
  kind: string
  stats: string
}

/** The statistics, locked in the order of their kinds; a row that is missing is inserted. */
export async function lockWorkStats(
  sql: Sql,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, WorkStats>> {
  if (kinds.length === 0) {
    return new Map()
  }
  const lock = () =>
    sql<Row>(
      'select kind, stats from work_stats where kind = any($1::text[]) order by kind for update',
      [kinds],
    )
  const rows = await lock()
  if (rows.length === kinds.length) {
    return byKind(rows)
  }
  await sql(
    `insert into work_stats (kind, stats, seen)
     select kind, $2, 0 from unnest($1::text[]) as t(kind) order by kind on conflict do nothing`,
    [kinds, encodeWork(NO_WORK)],
  )
  await removeLeastUsed(sql, kinds)
  return byKind(await lock())
}

/** Those in use by another transaction, or by this one, stay. */
async function removeLeastUsed(sql: Sql, kept: readonly string[]): Promise<void> {
  await sql(
    `delete from work_stats where kind in (
       select kind from work_stats where kind <> all($2::text[])
       order by seen limit greatest(0, (select count(*) from work_stats) - $1)
       for update skip locked)`,
    [KINDS_MAX, kept],
  )
}

export async function saveWorkStats(sql: Sql, works: IngestResult['works']): Promise<void> {
  if (works.length === 0) {
    return
  }
  const written = await sql.written(
    `update work_stats w set stats = t.stats, seen = t.seen
     from unnest($1::text[], $2::text[], $3::bigint[]) as t(kind, stats, seen)
     where w.kind = t.kind`,
    columns(
      works,
      (w) => w.kind,
      (w) => encodeWork(w.stats),
      (w) => w.stats.seen,
    ),
  )
  expectRows('work statistics', written, works.length)
}

function byKind(rows: readonly Row[]): ReadonlyMap<string, WorkStats> {
  return new Map(rows.map(({ kind, stats }) => [kind, decodeWork(stats)]))
}
