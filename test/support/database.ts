import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { TEMPLATE } from './engine.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A copy of the template, which takes some tens of milliseconds, for one test file alone. */
export async function createDatabase(): Promise<TestDatabase> {
  const engine = inject('engine')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = createPool({ ...engine, database: 'postgres' }, { max: 1 })
  await admin.query(`create database ${name} template ${TEMPLATE}`)
  const { host, port, user } = engine
  return {
    url: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    async drop() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
