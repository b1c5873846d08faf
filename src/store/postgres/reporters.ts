import type { Endorsement } from '../../fraud/endorsements.ts'
import {
  decodeRecord,
  encodeRecord,
  NO_REPORTS,
  type ReporterStats,
} from '../../fraud/reporter-stats.ts'
import type { IngestResult } from '../ingest.ts'
import type { ReporterStore } from '../reporters.ts'
import { columns, expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  platform_id: string
  stats: string
}

export function reporterStore(sql: Sql): ReporterStore {
  return {
    async findMany(platformIds, { lock } = {}) {
      if (lock) {
        return lockReporters(sql, platformIds)
      }
      const rows = await sql<Row>(
        'select platform_id, stats from reporters where platform_id = any($1::uuid[])',
        [platformIds],
      )
      return byPlatform(rows)
    },
    save: (platformId, stats) => saveReporters(sql, [{ platformId, record: stats }]),
  }
}

/** The statistics, locked in the order of their ids; a row that is missing is inserted. */
export async function lockReporters(
  sql: Sql,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, ReporterStats>> {
  if (platformIds.length === 0) {
    return new Map()
  }
  const lock = () =>
    sql<Row>(
      `select platform_id, stats from reporters
       where platform_id = any($1::uuid[]) order by platform_id for update`,
      [platformIds],
    )
  const rows = await lock()
  if (rows.length === platformIds.length) {
    return byPlatform(rows)
  }
  // A platform without a row cannot be locked: its row is inserted first.
  await sql(
    `insert into reporters (platform_id, stats)
     select id, $2 from unnest($1::uuid[]) as t(id) order by id on conflict do nothing`,
    [platformIds, encodeRecord(NO_REPORTS)],
  )
  return byPlatform(await lock())
}

export async function saveReporters(sql: Sql, reporters: IngestResult['reporters']): Promise<void> {
  if (reporters.length === 0) {
    return
  }
  const written = await sql.written(
    `update reporters r set stats = t.stats
     from unnest($1::uuid[], $2::text[]) as t(platform_id, stats)
     where r.platform_id = t.platform_id`,
    columns(
      reporters,
      (r) => r.platformId,
      (r) => encodeRecord(r.record),
    ),
  )
  expectRows('reporters', written, reporters.length)
}

/** Links read of one owner at most: beyond it a ring may be missed, but no report waits for the search. */
const LINKS_MAX = 64

/** The links of these owners, and those that lead to them through one other owner. */
export async function readEndorsements(
  sql: Sql,
  ownerIds: readonly string[],
): Promise<readonly Endorsement[]> {
  if (ownerIds.length === 0) {
    return []
  }
  const rows = await sql<{ from_owner: string; to_owner: string; good: number; bad: number }>(
    `select distinct v.* from unnest($1::uuid[]) as o(id) cross join lateral (
       with near as (
         select * from endorsements where to_owner = o.id order by good desc limit $2)
       select * from near
       union all (
         select far.* from near cross join lateral (
           select * from endorsements f where f.to_owner = near.from_owner
           order by good desc limit $2) far
         order by far.good desc limit $2)
       union all (select * from endorsements where from_owner = o.id order by good desc limit $2)) v`,
    [ownerIds, LINKS_MAX],
  )
  return rows.map((row) => ({
    fromOwner: row.from_owner,
    toOwner: row.to_owner,
    good: row.good,
    bad: row.bad,
  }))
}

export async function saveEndorsements(
  sql: Sql,
  endorsements: readonly Endorsement[],
): Promise<void> {
  if (endorsements.length === 0) {
    return
  }
  await sql(
    `insert into endorsements as v (from_owner, to_owner, good, bad)
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
       as t(from_owner, to_owner, good, bad) order by 1, 2
     on conflict (from_owner, to_owner)
       do update set good = v.good + excluded.good, bad = v.bad + excluded.bad`,
    columns(
      endorsements,
      (v) => v.fromOwner,
      (v) => v.toOwner,
      (v) => v.good,
      (v) => v.bad,
    ),
  )
}

function byPlatform(rows: readonly Row[]): ReadonlyMap<string, ReporterStats> {
  return new Map(rows.map((row) => [row.platform_id, decodeRecord(row.stats)]))
}
