import { isTestId } from '../../domain/mode.ts'
import { ESTABLISHED, isProven, reportsOnlyProblems } from '../../fraud/establishment.ts'
import {
  decodeStats,
  encodeStats,
  NO_REPORTS,
  type ReporterStats,
} from '../../fraud/reporter-stats.ts'
import type { IngestResult, IngestScope, IngestView } from '../ingest.ts'
import type { ReporterStore } from '../reporters.ts'
import { type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { newVersion, type Versioned } from './state-cache.ts'

interface Row {
  platform_id: string
  stats: string
}

export function reporterStore({ sql, statisticsWritten, reporterChanged }: Session): ReporterStore {
  return {
    async findMany(platformIds) {
      await statisticsWritten()
      const rows = await sql<Row>(
        'select platform_id, stats from reporters where platform_id = any($1::uuid[])',
        [platformIds],
      )
      return byPlatform(rows)
    },
    async change(platformIds, by) {
      await statisticsWritten()
      const locked = [...(await lockReporters(sql, platformIds))]
      const changed = locked.map(([platformId, stats]) => ({
        platformId,
        record: by(stats, platformId),
      }))
      await saveReporters(sql, changed, newVersion())
      platformIds.forEach(reporterChanged)
    },
  }
}

/** The statistics, locked in the order of their ids; a row that is missing is inserted. */
export async function lockReporters(
  sql: Sql,
  platformIds: readonly string[],
): Promise<IngestView['reporters']> {
  return byPlatform(await lockedRows<Row>(sql, platformIds, LOCK))
}

/** The same, and in the same statement how many platforms of the installation are established, where that is needed. */
export async function lockReporting(
  sql: Sql,
  { reporterIds, needsEstablished }: Pick<IngestScope, 'reporterIds' | 'needsEstablished'>,
): Promise<Pick<IngestView, 'reporters' | 'establishedPlatforms'>> {
  if (!needsEstablished) {
    return { reporters: await lockReporters(sql, reporterIds), establishedPlatforms: 0 }
  }
  const limit = [ESTABLISHED.installationMin]
  const rows = await lockedRows<LockedRow>(sql, reporterIds, LOCK_AND_COUNT, limit)
  const established = rows[0]?.established ?? 0
  const establishedPlatforms = Math.min(established, ESTABLISHED.installationMin)
  return { reporters: byPlatform(rows), establishedPlatforms }
}

/** A platform without a row cannot be locked: its row is inserted first. */
async function lockedRows<R extends Row>(
  sql: Sql,
  platformIds: readonly string[],
  text: string,
  more: readonly number[] = [],
): Promise<readonly R[]> {
  if (platformIds.length === 0) {
    return []
  }
  const lock = () => sql<R>(text, [platformIds, ...more])
  const rows = await lock()
  if (rows.length === platformIds.length) {
    return rows
  }
  await sql(
    `insert into reporters (platform_id, stats, is_proven)
     select id, $2, false from unnest($1::uuid[]) as t(id) order by id on conflict do nothing`,
    [platformIds, encodeStats(NO_REPORTS)],
  )
  return lock()
}

/** The statistics without a lock, by platform. */
export async function readReporters(
  sql: Sql,
  platformIds: readonly string[],
): Promise<readonly (readonly [string, Versioned<ReporterStats>])[]> {
  const rows = await sql<Row & { version: number }>(
    'select platform_id, stats, version from reporters where platform_id = any($1::uuid[])',
    [platformIds],
  )
  return rows.map(({ platform_id, stats, version }) => [
    platform_id,
    { value: decodeStats(stats), version },
  ])
}

/** Established platforms of the installation, all of one owner as one, counted up to `ESTABLISHED.installationMin`. */
export async function countEstablished(sql: Sql): Promise<number> {
  const [row] = await sql<{ established: number }>(
    `select (${establishedCount('$1::int')}) as established`,
    [ESTABLISHED.installationMin],
  )
  return Math.min(row?.established ?? 0, ESTABLISHED.installationMin)
}

export async function saveReporters(
  sql: Sql,
  reporters: IngestResult['reporters'],
  version: number,
): Promise<void> {
  const write = rowsWrite(SAVE_REPORTERS, reporters, REPORTER_VALUES, [version])
  await writeRows(sql, 'reporters', write)
}

type Reporter = IngestResult['reporters'][number]

const REPORTER_VALUES = [
  (r: Reporter) => r.platformId,
  (r: Reporter) => encodeStats(r.record),
  // Those proven count for the installation: test platforms do not.
  (r: Reporter) => isProven(r.record) && !isTestId(r.platformId),
  (r: Reporter) => reportsOnlyProblems(r.record),
]

const CHANGED = 'stats = t.stats, is_proven = t.is_proven, only_problems = t.only_problems'

const GIVEN = '$1::uuid[], $2::text[], $3::boolean[], $4::boolean[]'

const GIVEN_NAMES = 'platform_id, stats, is_proven, only_problems'

const SAVE_REPORTERS = `update reporters r set ${CHANGED}, version = $5
  from unnest(${GIVEN}) as t(${GIVEN_NAMES})
  where r.platform_id = t.platform_id`

/** Only where their version is still the expected one. */
export function currentReporterRows(
  reporters: readonly Reporter[],
  version: number,
  expected: (platformId: string) => number | undefined,
): RowsWrite {
  const values = [...REPORTER_VALUES, (r: Reporter) => expected(r.platformId)]
  return rowsWrite(SAVE_CURRENT_REPORTERS, reporters, values, [version])
}

const SAVE_CURRENT_REPORTERS = `update reporters r set ${CHANGED}, version = $6
  from unnest(${GIVEN}, $5::bigint[]) as t(${GIVEN_NAMES}, expected)
  where r.platform_id = t.platform_id and r.version = t.expected`

interface LockedRow extends Row {
  established: number
}

/**
 * Counts the established platforms up to `max`, all of one owner as one. It looks for one after the other that is of
 * none of the owners before, so hardly more rows are read than are counted. `max` is the placeholder of the value, with
 * its type where it has no other.
 */
export function establishedCount(max: string): string {
  return `with recursive voters as (
      select array[]::uuid[] as known
      union all
      select v.known || next.voter from voters v cross join lateral (
        select voter from (${ESTABLISHED_VOTERS}) established where voter <> all(v.known) limit 1) next
      where cardinality(v.known) < ${max})
    select max(cardinality(known)) from voters`
}

/** As `isEstablished`: neither a verified platform nor a proven one while it reports only problems. */
const ESTABLISHED_VOTERS = `
  select coalesce(p.owner_id, p.id) as voter from platforms p where p.verified and p.status = 'active'
    and not exists (select from reporters r where r.platform_id = p.id and r.only_problems)
  union all
  select coalesce(p.owner_id, p.id) from reporters r join platforms p on p.id = r.platform_id
  where r.is_proven and not r.only_problems and p.status = 'active' and not p.verified`

const lockRows = (more = '') => `select platform_id, stats${more} from reporters
  where platform_id = any($1::uuid[]) order by platform_id for update`

const LOCK = lockRows()
const LOCK_AND_COUNT = lockRows(`, (${establishedCount('$2')}) as established`)

function byPlatform(rows: readonly Row[]): ReadonlyMap<string, ReporterStats> {
  return new Map(rows.map((row) => [row.platform_id, decodeStats(row.stats)]))
}
