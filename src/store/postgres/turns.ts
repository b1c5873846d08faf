import type { TurnStore } from '../turns.ts'
import { DATABASE_NOW } from './database-clock.ts'
import type { Sql } from './sql.ts'

export function turnStore(sql: Sql): TurnStore {
  return {
    async take(job, forMs) {
      // A turn that ends later than one taken now was taken before the clock of the database was set back.
      const rows = await sql<{ until: number }>(
        `insert into turns as turn (job, until) values ($1, ${DATABASE_NOW} + $2)
         on conflict (job) do update set until = excluded.until
         where turn.until not between excluded.until - $2 and excluded.until
         returning until`,
        [job, forMs],
      )
      return rows[0]?.until ?? null
    },
    async giveBack(job, until) {
      await sql('delete from turns where job = $1 and until = $2', [job, until])
    },
  }
}
