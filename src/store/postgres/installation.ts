import type { InstallationStore } from '../installation.ts'
import { locking } from './rows.ts'
import type { Sql } from './sql.ts'

export function installationStore(sql: Sql): InstallationStore {
  return {
    async get(name, options) {
      const [row] = await sql<{ value: string }>(
        `select value from installation where name = $1 ${locking(options)}`,
        [name],
      )
      return row?.value ?? null
    },
    async claim(name, value) {
      const rows = await sql(
        'insert into installation (name, value) values ($1, $2) on conflict do nothing returning name',
        [name, value],
      )
      return rows.length === 1
    },
    async put(name, value) {
      await sql(
        `insert into installation (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value`,
        [name, value],
      )
    },
  }
}
