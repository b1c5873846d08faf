import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { createPool, type PoolOptions } from '../../src/store/postgres/pool.ts'
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
  const engine = inject('engine')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admins = [engine, ...inject('workers')].map((url) => createPool({ url }, { max: 1 }))
  await Promise.all(
    admins.map((admin) =>
      admin.query(`create database ${name} template ${template} strategy file_copy`),
    ),
  )
  return {
    url: databaseUrl(engine, name),
    async drop() {
      for (const admin of admins) {
        await admin.query(`drop database ${name} with (force)`)
        await admin.end()
      }
    },
  }
}

/** A pool on a database of its own. Both end with the test file. */
export async function openPool(options: PoolOptions = {}): Promise<pg.Pool> {
  const database = await createDatabase()
  const pool = createPool({ url: database.url }, options)
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
