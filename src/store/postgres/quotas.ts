import type { QuotaKind, QuotaWindow } from '../../domain/limits.ts'
import type { QuotaGrant, QuotaRequest, QuotaStore } from '../store.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

interface GrantColumns {
  account: Buffer
  started_at: number
  used: number
  granted: number
}

const TABLES: Record<QuotaKind, string> = { requests: 'quota_requests', lookups: 'quota_lookups' }

export function quotaStore(sql: Sql): QuotaStore {
  const grant = async (kind: QuotaKind, window: QuotaWindow, asks: readonly QuotaRequest[]) =>
    sql<GrantColumns>(GRANT[kind], [
      ...columns(
        asks,
        (a) => a.account,
        (a) => a.quota,
        (a) => a.need,
        (a) => a.want,
      ),
      window.endedIfSince,
      window.startsAt,
      window.beginsBy,
    ])
  return {
    async reserve(kind, window, asks) {
      const rows = await grant(kind, window, asks)
      if (rows.length === asks.length) {
        return rows.map(toGrant)
      }
      // An account that asks for the first time has no row that could be locked.
      const found = new Set(rows.map(({ account }) => account.toString('hex')))
      const missing = asks.filter(({ account }) => !found.has(Buffer.from(account).toString('hex')))
      await sql(OPEN[kind], [missing.map(({ account }) => account), window.startsAt])
      return [...rows, ...(await grant(kind, window, missing))].map(toGrant)
    },
    async release(kind, units) {
      if (units.length === 0) {
        return
      }
      await sql(
        GIVE_BACK[kind],
        columns(
          units,
          (u) => u.account,
          (u) => u.startedAt,
          (u) => u.units,
        ),
      )
    },
    async sweep(kind, before) {
      await sql(SWEEP[kind], [before])
    },
  }
}

function forEachKind(text: (table: string) => string): Record<QuotaKind, string> {
  return { requests: text(TABLES.requests), lookups: text(TABLES.lookups) }
}

/** The rows are locked in the order of their accounts, so that nodes queue and never wait in a ring. */
const GRANT = forEachKind(
  (table) => `
  with held as materialized (
    select q.account, a.quota, a.need, a.want,
      case when q.started_at > $5 and q.started_at <= $7 then q.started_at else $6 end as started_at,
      case when q.started_at > $5 and q.started_at <= $7 then q.used else 0 end as used
    from unnest($1::bytea[], $2::int[], $3::int[], $4::int[]) as a(account, quota, need, want)
    join ${table} q using (account)
    order by q.account for update of q
  ), granted as (
    select *, case when quota - used >= need then least(want, quota - used) else 0 end as granted
    from held
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

const GIVE_BACK = forEachKind(
  (table) => `
  with held as materialized (
    select q.account, u.units
    from unnest($1::bytea[], $2::bigint[], $3::int[]) as u(account, started_at, units)
    join ${table} q on q.account = u.account and q.started_at = u.started_at
    order by q.account for update of q
  )
  update ${table} q set used = greatest(0, q.used - h.units)
  from held h where q.account = h.account`,
)

const SWEEP = forEachKind((table) => `delete from ${table} where started_at < $1`)

function toGrant(row: GrantColumns): QuotaGrant {
  return {
    account: row.account,
    startedAt: row.started_at,
    used: row.used,
    granted: row.granted,
  }
}
