import { isUndefined, type Sql } from './sql.ts'

/** The id of an installation, among its facts. */
const ID = 'id'

const READ = `select value as id from installation where name = '${ID}'`

/** The id of the installation in this database. The first call gives it one. */
export async function installationId(sql: Sql): Promise<string> {
  const [known] = await sql<{ id: string }>(READ)
  if (known) {
    return known.id
  }
  await sql(
    `insert into installation (name, value) values ('${ID}', gen_random_uuid()) on conflict do nothing`,
  )
  return installationId(sql)
}

/**
 * Whether this database is a copy of the installation with this id. A standby that has not received the id yet may
 * be one.
 */
export async function isCopy(sql: Sql, installation: string): Promise<boolean> {
  const id = await sql<{ id: string }>(READ).then(
    ([row]) => row?.id ?? null,
    (error: unknown) => {
      if (isUndefined(error)) {
        return null
      }
      throw error
    },
  )
  if (id !== null) {
    return id === installation
  }
  const [row] = await sql<{ receives: boolean }>('select pg_is_in_recovery() as receives')
  return row?.receives === true
}
