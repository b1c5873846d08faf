import { DAY_MS } from '../../domain/time.ts'
import type { LoginFailureStore } from '../login-failures.ts'
import { lockKey } from './idempotency.ts'
import type { Sql } from './sql.ts'

/** Longer than any window in which failures are counted. */
const KEPT_MS = DAY_MS

export function loginFailureStore(sql: Sql): LoginFailureStore {
  return {
    async oldestOf(names, { since, max, lock = false }) {
      if (lock) {
        const keys = names.map(lockKey).sort()
        await sql('select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as t(key)', [keys])
      }
      const rows = await sql<{ oldest: number }>(
        `select (array_agg(at order by at desc))[$3] as oldest from login_failures
         where name = any($1::bytea[]) and at > $2 group by name having count(*) >= $3`,
        [names, since, max],
      )
      return rows.length === 0 ? null : Math.max(...rows.map(({ oldest }) => oldest))
    },
    async add(names, at) {
      await sql('delete from login_failures where at < $1', [at - KEPT_MS])
      await sql(
        'insert into login_failures (name, at) select name, $2 from unnest($1::bytea[]) as t(name)',
        [names, at],
      )
    },
    async hasSuccess(name, since) {
      const rows = await sql('select from login_successes where name = $1 and at > $2', [
        name,
        since,
      ])
      return rows.length > 0
    },
    async addSuccess(name, at, since) {
      await sql('delete from login_successes where at < $1', [since])
      await sql(
        `insert into login_successes (name, at) values ($1, $2)
         on conflict (name) do update set at = greatest(login_successes.at, excluded.at)`,
        [name, at],
      )
    },
  }
}
