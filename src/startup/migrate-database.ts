import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { anotherDatabase, withoutRights } from '../startup-errors.ts'
import { MIGRATIONS, migrate } from '../store/postgres/migrate.ts'
import { type Connection, createPool, endPool } from '../store/postgres/pool.ts'
import { identityOf } from '../store/postgres/replica.ts'
import { sqlOn } from '../store/postgres/sql.ts'
import { checkAddress } from './check-database.ts'

/** A migration takes a lock for its session, and as long as it needs: no pooler stands between. */
export async function migrateAll(
  through: pg.Pool,
  direct: Connection,
  config: Config,
  log: Log,
): Promise<void> {
  const pool = createPool(direct, { max: 1 })
  try {
    await checkDirect(through, pool, config)
    for (const name of await migrated(pool, config, log)) {
      log.info({ migration: name }, 'migrated')
    }
  } finally {
    await endPool(pool)
  }
}

/** Before anything is written: the address beside a pooler may be that of another database. */
async function checkDirect(
  through: pg.Pool,
  direct: pg.Pool,
  { databaseUrl, databaseDirectUrl }: Config,
): Promise<void> {
  if (databaseUrl === null || databaseDirectUrl === null) {
    return
  }
  await checkAddress(direct, databaseDirectUrl, 'DATABASE_DIRECT_URL')
  if ((await identityOf(sqlOn(direct))) !== (await identityOf(sqlOn(through)))) {
    throw anotherDatabase(databaseUrl, databaseDirectUrl)
  }
}

/** Brings the schema up to date. @throws UserError where the user of the database may not */
async function migrated(
  pool: pg.Pool,
  { databaseUrl, databaseDirectUrl }: Config,
  log: Log,
): Promise<readonly string[]> {
  const onWait = () => log.warn('waiting for another node that migrates the database')
  try {
    return await migrate(pool, MIGRATIONS, onWait)
  } catch (error) {
    if (databaseDirectUrl !== null) {
      throw withoutRights(databaseDirectUrl, error, 'DATABASE_DIRECT_URL')
    }
    throw databaseUrl === null ? error : withoutRights(databaseUrl, error)
  }
}
