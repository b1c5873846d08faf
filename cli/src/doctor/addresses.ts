import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { anotherDatabase, noReplica, unreachable } from '../../../src/startup-errors.ts'
import { createPool, endPool } from '../../../src/store/postgres/pool.ts'
import { identityOf, installationIn, isCopy } from '../../../src/store/postgres/replica.ts'
import { type Sql, sqlOn } from '../../../src/store/postgres/sql.ts'
import { type Finding, fails, fine, note } from './check.ts'

/** Whether the pooler that DATABASE_URL names leads to the database of DATABASE_DIRECT_URL. */
export async function pooler(
  pool: pg.Pool,
  { databaseUrl, databaseDirectUrl }: Config,
): Promise<Finding> {
  if (databaseUrl === null || databaseDirectUrl === null) {
    return fine('none')
  }
  try {
    const direct = await identityOf(sqlOn(pool))
    const isSame = (await on(databaseUrl, identityOf)) === direct
    return isSame
      ? fine('leads to the database of DATABASE_DIRECT_URL')
      : fails(anotherDatabase(databaseUrl, databaseDirectUrl).message, 'Correct one of them.')
  } catch (error) {
    return fails(
      unreachable(databaseUrl, error).message,
      'Start the pooler, or correct DATABASE_URL.',
    )
  }
}

/** Whether lists can be read from the replica. Without it they are read from the primary. */
export async function replica(
  pool: pg.Pool,
  { databaseReplicaUrl: url }: Config,
): Promise<Finding> {
  if (url === null) {
    return fine('none: lists are read from the primary')
  }
  const sql = sqlOn(pool)
  const original = { installation: await installationIn(sql), identity: await identityOf(sql) }
  try {
    return (await on(url, (there) => isCopy(there, original)))
      ? fine('is one of this database')
      : fails(noReplica(url).message, 'The service does not start with it.')
  } catch (error) {
    const { message } = unreachable(url, error, 'DATABASE_REPLICA_URL')
    return note(message, 'Until then lists are read from the primary.')
  }
}

async function on<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const pool = createPool({ url }, { max: 1, isPooled: true })
  try {
    return await work(sqlOn(pool))
  } finally {
    await endPool(pool)
  }
}
