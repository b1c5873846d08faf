import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { anotherDatabase, noReplica, unreachable } from '../../../src/startup-errors.ts'
import { createPool, endPool, LIMITS } from '../../../src/store/postgres/pool.ts'
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
    return await on(databaseUrl, async (through) =>
      (await identityOf(through)) === direct
        ? limitsOf(through)
        : fails(anotherDatabase(databaseUrl, databaseDirectUrl).message, 'Correct one of them.'),
    )
  } catch (error) {
    return fails(
      unreachable(databaseUrl, error).message,
      'Start the pooler, or correct DATABASE_URL.',
    )
  }
}

/** What the service sets for its connections, where no pooler is between. */
const TIME_LIMITS: Readonly<Record<string, number>> = {
  statement_timeout: LIMITS.statementMs,
  lock_timeout: LIMITS.lockMs,
  idle_in_transaction_session_timeout: LIMITS.idleMs,
}

/** A pooler takes no time limits from the service: without those of the role, a statement may run for ever. */
async function limitsOf(through: Sql): Promise<Finding> {
  const missing = await through<{ name: string; role: string }>(
    `select name, quote_ident(current_user) as role from unnest($1::text[]) as name
     where current_setting(name) = '0'`,
    [Object.keys(TIME_LIMITS)],
  )
  const [first] = missing
  if (first === undefined) {
    return fine('leads to the database of DATABASE_DIRECT_URL')
  }
  const set = missing.map(
    ({ name, role }) => `alter role ${role} set ${name} = '${TIME_LIMITS[name]}ms';`,
  )
  return note(`the user ${first.role} has no time limits, and a pooler takes none`, set.join(' '))
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
