import type { LoginFailureStore } from '../login-failures.ts'
import { lockKey } from './idempotency.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

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
    async insertAll(failures) {
      await sql(
        'insert into login_failures (name, at) select * from unnest($1::bytea[], $2::bigint[])',
        columns(
          failures,
          ({ name }) => name,
          ({ at }) => at,
        ),
      )
    },
  }
}
