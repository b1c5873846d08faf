import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/embedded/index.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { type Connection, createPool } from '../../src/store/postgres/pool.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: { host: string; port: number; user: string }
  }
}

/** A migrated, empty database: what each test file gets a copy of. */
export const TEMPLATE = 'standing_template'

/** Starts the real engine once for the whole run; an engine that is given is used instead. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'standing-test-'))
  const embedded = await startEmbedded({ dataDir })
  const { host, port, user, database } = embedded.connection
  const engine = { host, port, user }
  await run({ ...engine, database }, `create database ${TEMPLATE}`)
  const pool = createPool({ ...engine, database: TEMPLATE })
  await migrate(pool)
  await pool.end()
  project.provide('engine', engine)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function run(connection: Connection, statement: string): Promise<void> {
  const pool = createPool(connection, { max: 1 })
  await pool.query(statement)
  await pool.end()
}
