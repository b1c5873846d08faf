import type { QuotaKind, QuotaWindow } from '../../domain/limits.ts'
import { hexOf } from '../../lib/hex.ts'
import type { QuotaGrant, QuotaRequest, QuotaStore } from '../quotas.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

interface GrantColumns {
  account: Buffer
  started_at: number
  used: number
  granted: number
}

/** Days are in the table of months, under names of their own: what both count survives a crash. */
const TABLES: Record<QuotaKind, string> = {
  requests: 'quota_requests',
  lookups: 'quota_lookups',
  storedResponses: 'quota_lookups',
}

export function quotaStore(sql: Sql): QuotaStore {
  const grant = async (kind: QuotaKind, window: QuotaWindow, requests: readonly QuotaRequest[]) =>
    sql<GrantColumns>(GRANT[kind], [
      ...columns(
        requests,
        (r) => r.account,
        (r) => r.quota,
        (r) => r.need,
        (r) => r.want,
      ),
      window.endedIfSince,
      window.startsAt,
      window.beginsBy,
    ])
  return {
    async reserve(kind, window, requests) {
      const rows = await grant(kind, window, requests)
      if (rows.length === requests.length) {
        return rows.map(toGrant)
      }
      // An account without a row cannot be locked: its window is opened first.
      const found = new Set(rows.map(({ account }) => hexOf(account)))
      const missing = requests.filter(({ account }) => !found.has(hexOf(account)))
      await sql(OPEN[kind], [missing.map(({ account }) => account), window.startsAt])
      return [...rows, ...(await grant(kind, window, missing))].map(toGrant)
    },
    async release(kind, units) {
      if (units.length === 0) {
        return
      }
      await sql(
        RELEASE[kind],
        columns(
          units,
          (u) => u.account,
          (u) => u.startedAt,
          (u) => u.units,
        ),
      )
    },
  }
}

function forEachKind(text: (table: string) => string): Record<QuotaKind, string> {
  return {
    requests: text(TABLES.requests),
    lookups: text(TABLES.lookups),
    storedResponses: text(TABLES.storedResponses),
  }
}

/** The rows are locked in the order of their accounts, so that nodes never deadlock. */
const GRANT = forEachKind(
  (table) => `
  with locked as materialized (
    select q.account, a.quota, a.need, a.want,
      case when q.started_at > $5 and q.started_at <= $7 then q.started_at else $6 end as started_at,
      case when q.started_at > $5 and q.started_at <= $7 then q.used else 0 end as used
    from unnest($1::bytea[], $2::int[], $3::int[], $4::int[]) as a(account, quota, need, want)
    join ${table} q using (account)
    order by q.account for update of q
  ), granted as (
    select *, case when quota - used >= need then least(want, quota - used) else 0 end as granted
    from locked
  )
  update ${table} q set started_at = g.started_at, used = g.used + g.granted
  from granted g where q.account = g.account
  returning q.account, q.started_at, q.used, g.granted`,
)

const OPEN = forEachKind(
  (table) => `
  insert into ${table} (account, started_at, used)
  select account, $2, 0 from unnest($1::bytea[]) as t(account) order by account
  on conflict do nothing`,
)

const RELEASE = forEachKind(
  (table) => `
  with locked as materialized (
    select q.account, u.units
    from unnest($1::bytea[], $2::bigint[], $3::int[]) as u(account, started_at, units)
    join ${table} q on q.account = u.account and q.started_at = u.started_at
    order by q.account for update of q
  )
  update ${table} q set used = greatest(0, q.used - l.units)
  from locked l where q.account = l.account`,
)

function toGrant(row: GrantColumns): QuotaGrant {
  return {
    account: row.account,
    startedAt: row.started_at,
    used: row.used,
    granted: row.granted,
  }
}
