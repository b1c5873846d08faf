import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { once } from '../../src/lib/once.ts'
import { MIGRATIONS, migrate } from '../../src/store/postgres/migrate.ts'
import { createPool, type DatabaseLimits, type PoolOptions } from '../../src/store/postgres/pool.ts'
import { atEnd } from './at-end.ts'
import { databaseUrl, TEMPLATE } from './engine.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * A database for one test file alone: a copy of the template, made in some tens of milliseconds. Copying
 * its files takes half of what writing its pages to the log takes. On a cluster every node has its part
 * of it.
 */
export async function createDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await Promise.all(
    admins().map((admin) =>
      admin.query(`create database ${name} template ${template} strategy file_copy`),
    ),
  )
  return {
    url: databaseUrl(inject('engine'), name),
    async drop() {
      for (const admin of admins()) {
        await admin.query(`drop database ${name} with (force)`)
      }
    },
  }
}

/**
 * Pools on the server, or on each node of the cluster, for all test files of this worker: a connection
 * of its own for each database took a quarter of the time of creating and dropping it.
 */
const admins = once((): readonly pg.Pool[] =>
  [inject('engine'), ...inject('workers')].map((url) => createPool({ url })),
)

/**
 * For tests of anything but these limits: a busy machine stops a process, or the server, for longer than a node
 * waits. What hangs is ended by the test's own limit, which is longer.
 */
export const PATIENT: DatabaseLimits = {
  connectMs: 60_000,
  answerMs: 60_000,
  statementMs: 60_000,
  lockMs: 60_000,
  idleMs: 60_000,
}

/**
 * A replica that lags behind by all there is: of the installation in this database it has the id, and nothing that
 * was written since. A service must have opened that database.
 */
export async function createReplica(of: Pick<TestDatabase, 'url'>): Promise<TestDatabase> {
  const replica = await createDatabase()
  const [from, to] = [of, replica].map(({ url }) => createPool({ url }, { max: 1 }))
  const facts = await from?.query("select name, value from installation where name = 'id'")
  for (const { name, value } of facts?.rows ?? []) {
    await to?.query('insert into installation (name, value) values ($1, $2)', [name, value])
  }
  await Promise.all([from?.end(), to?.end()])
  return replica
}

/** A pool on a database of its own. Both end with the test file. */
export function openPool(options: PoolOptions = {}): Promise<pg.Pool> {
  return openPoolOn(TEMPLATE, options)
}

/** A pool of one connection on a database as it was before the migration with this number. Both end with the test file. */
export async function openOldPool(number: string): Promise<pg.Pool> {
  const pool = await openPoolOn('template0', { max: 1 })
  const index = MIGRATIONS.findIndex(({ name }) => name.startsWith(number))
  await migrate(pool, MIGRATIONS.slice(0, index))
  return pool
}

async function openPoolOn(template: string, options: PoolOptions): Promise<pg.Pool> {
  const database = await createDatabase(template)
  const pool = createPool({ url: database.url }, { limits: PATIENT, ...options })
  atEnd(async () => {
    await pool.end()
    await database.drop()
  })
  return pool
}

/** A database in which nothing has been made yet. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0')
}
