import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import {
  EmbeddedError,
  findRunning,
  startEmbedded,
} from '../../packages/embedded-postgres/src/index.ts'
import type { Config } from '../../src/config.ts'
import { migrationState } from '../../src/store/postgres/migrate.ts'
import { type Connection, createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { Problem } from './problem.ts'

/** The service's database, as a command reads it: beside a service that runs, or without one. */
export interface Database {
  readonly pool: pg.Pool
  readonly store: Store
  close(): Promise<void>
}

/** A command's few queries follow each other; two leave the rest to the service. */
const CONNECTIONS_MAX = 2

/** Opens the database of these settings; of one that this release does not fit, says so. */
export async function openDatabase(config: Config): Promise<Database> {
  const { connection, stop } = await reach(config)
  const pool = createPool(connection, { max: CONNECTIONS_MAX })
  const close = async () => {
    await pool.end()
    await stop()
  }
  try {
    await checkMigrations(pool)
  } catch (error) {
    await close()
    throw error
  }
  return { pool, store: createPostgresStore(pool), close }
}

interface Reached {
  readonly connection: Connection
  readonly stop: () => Promise<void>
}

/** The one named, else the one that runs, else the one that comes along, started for this command. */
export async function reach({ databaseUrl, dataDir }: Config): Promise<Reached> {
  const nothing = async () => {}
  if (databaseUrl !== null) {
    return { connection: { url: databaseUrl }, stop: nothing }
  }
  const running = await findRunning(dataDir)
  if (running) {
    return { connection: running, stop: nothing }
  }
  if (!hasData(dataDir)) {
    throw new Problem(
      `There is no data in ${dataDir}. Set STANDING_DATA_DIR (or --data-dir) to the service's ` +
        'directory, or DATABASE_URL to its database.',
    )
  }
  try {
    const embedded = await startEmbedded({ dataDir })
    return { connection: embedded.connection, stop: () => embedded.stop() }
  } catch (error) {
    throw error instanceof EmbeddedError ? new Problem(error.message) : error
  }
}

export function hasData(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
}

async function checkMigrations(pool: pg.Pool): Promise<void> {
  const { missing, unknown } = await migrationState(pool)
  if (unknown.length > 0) {
    throw new Problem(`The database is of a newer release (${unknown.join(', ')}); use that one.`)
  }
  if (missing.length > 0) {
    throw new Problem(
      `The database lacks ${missing.join(', ')}. Start this release of the service once: it migrates.`,
    )
  }
}
