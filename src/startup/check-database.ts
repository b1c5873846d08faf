import type pg from 'pg'
import type { Config } from '../config.ts'
import { type DatabaseSetting, readOnly, unreachable } from '../startup-errors.ts'

/** Fails early, with advice, when DATABASE_URL is wrong. */
export async function checkConnection(pool: pg.Pool, { databaseUrl }: Config): Promise<void> {
  if (databaseUrl === null) {
    await pool.query('select 1')
  } else {
    await checkAddress(pool, databaseUrl, 'DATABASE_URL')
  }
}

interface Writability {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** @throws UserError where the database of a setting cannot be reached, or cannot be written to */
export async function checkAddress(
  pool: pg.Pool,
  url: string,
  setting: DatabaseSetting,
): Promise<void> {
  const found = await writability(pool).catch((error: unknown) => {
    throw unreachable(url, error, setting)
  })
  if (found.isStandby || found.isReadOnly) {
    throw readOnly(url, found, setting)
  }
}

export async function writability(pool: pg.Pool): Promise<Writability> {
  const { rows } = await pool.query<Writability>(
    `select pg_is_in_recovery() as "isStandby",
       current_setting('transaction_read_only')::bool as "isReadOnly"`,
  )
  const [found = { isStandby: false, isReadOnly: false }] = rows
  return found
}
