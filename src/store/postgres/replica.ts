import { isForbidden, isUndefined, type Sql } from './sql.ts'

/** The id of an installation, among its facts. */
const ID = 'id'

const READ = `select value as id from installation where name = '${ID}'`

/** The id of the installation in this database; null before the service has started on it. */
export async function installationIn(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ id: string }>(READ).catch((error: unknown) => {
    if (isUndefined(error)) {
      return []
    }
    throw error
  })
  return row?.id ?? null
}

/** The id of the installation in this database. The first call gives it one. */
export async function installationId(sql: Sql): Promise<string> {
  const known = await installationIn(sql)
  if (known !== null) {
    return known
  }
  await sql(
    `insert into installation (name, value) values ('${ID}', gen_random_uuid()) on conflict do nothing`,
  )
  return installationId(sql)
}

/** Which database this is, however it was reached. A standby and its primary are the same one. */
const IDENTITY =
  "select system_identifier || ' ' || current_database() as identity from pg_control_system()"

/** Null where this user may not ask. */
export async function identityOf(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ identity: string }>(IDENTITY).catch((error: unknown) => {
    if (isUndefined(error) || isForbidden(error)) {
      return [null]
    }
    throw error
  })
  return row?.identity ?? null
}

/** The installation that a replica is a copy of, and the database that it is in. */
export interface Original {
  readonly installation: string | null
  readonly identity: string | null
}

/**
 * Whether this database is a copy of the installation. A standby that has not received the id yet may be one, if it
 * has the database.
 */
export async function isCopy(sql: Sql, { installation, identity }: Original): Promise<boolean> {
  const id = await installationIn(sql)
  if (id !== null) {
    return id === installation
  }
  const [row] = await sql<{ receives: boolean }>('select pg_is_in_recovery() as receives')
  return row?.receives === true && (await identityOf(sql)) === identity
}
