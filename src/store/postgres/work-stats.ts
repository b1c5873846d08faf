import { decodeWork, encodeWork, WORK_KINDS_MAX, type WorkStats } from '../../fraud/work-stats.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { columns, expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

/** The statistics, locked in the order of their kinds. A kind that nothing was learnt of has no row. */
export async function lockWorkStats(
  sql: Sql,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, WorkStats>> {
  if (kinds.length === 0) {
    return new Map()
  }
  const rows = await sql<{ kind: string; stats: string }>(
    'select kind, stats from work_stats where kind = any($1::text[]) order by kind for update',
    [kinds],
  )
  return new Map(rows.map(({ kind, stats }) => [kind, decodeWork(stats)]))
}

/**
 * Writes what was learnt. Of a new kind that two transactions begin at once, the outcomes of one may
 * be missing: an event keeps what it was decided by, so no score depends on it.
 */
export async function saveWorkStats(
  sql: Sql,
  works: IngestResult['works'],
  known: IngestView['works'],
): Promise<void> {
  if (works.length === 0) {
    return
  }
  const written = await sql.written(
    `insert into work_stats (kind, stats, seen)
     select * from unnest($1::text[], $2::text[], $3::bigint[]) as t(kind, stats, seen) order by kind
     on conflict (kind) do update set stats = excluded.stats, seen = excluded.seen`,
    columns(
      works,
      (w) => w.kind,
      (w) => encodeWork(w.stats),
      (w) => w.stats.seen,
    ),
  )
  expectRows('work statistics', written, works.length)
  if (works.some(({ kind }) => !known.has(kind))) {
    await removeLeastUsed(
      sql,
      works.map(({ kind }) => kind),
    )
  }
}

/** Those that another transaction uses stay, and those just written: a new kind has to begin somewhere. */
async function removeLeastUsed(sql: Sql, kept: readonly string[]): Promise<void> {
  await sql(
    `delete from work_stats where kind in (
       select kind from work_stats where kind <> all($2::text[])
       order by seen limit greatest(0, (select count(*) from work_stats) - $1)
       for update skip locked)`,
    [WORK_KINDS_MAX, kept],
  )
}
