import { randomBytes } from 'node:crypto'
import { Standing } from '@standing/sdk'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openService } from '../src/service.ts'
import { MIGRATIONS, migrate } from '../src/store/postgres/migrate.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createEmptyDatabase } from './support/database.ts'
import { holdLocks, waitForLocks } from './support/hold-locks.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

test('nodes that start together on an empty database migrate it once and serve as one', async () => {
  const database = await createEmptyDatabase()
  const env = {
    PORT: '0',
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    LOG_LEVEL: 'error',
  }
  const open = () => openService(readConfig(env), pino({ level: 'error' }))
  const nodes = await Promise.all([open(), open(), open(), open()])
  const pool = createPool({ url: database.url }, { max: 1 })
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name))

  const [one, two] = nodes.map(({ url }) => new Standing({ baseUrl: url }))
  const session = await one?.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const token = session?.token ?? ''
  const agent = await two?.with({ token }).agents.register({ displayName: 'everywhere' })
  expect((await one?.score.get(agent?.id ?? ''))?.score).toBe(100)
  const asOperator = one?.with({ operatorKey: OPERATOR_KEY }).operator
  expect(await asOperator?.operators()).toHaveLength(1)

  await Promise.all(nodes.map((node) => node.close()))
  await pool.end()
  await database.drop()
})

test('a database that a newer release migrated is refused and stays unchanged', async () => {
  const database = await createEmptyDatabase()
  const pool = createPool({ url: database.url }, { max: 1 })
  await migrate(pool, [
    { name: '0001-initial', sql: 'create table kept (id int)' },
    { name: '9999-future', sql: 'select 1' },
  ])
  await expect(migrate(pool)).rejects.toThrow(/newer release.*9999-future/)
  await pool.query('select * from kept')
  await pool.end()
  await database.drop()
})

test('a migration may take longer than a statement of a request', async () => {
  const database = await createEmptyDatabase()
  const pool = createPool({ url: database.url }, { max: 1 })
  // Longer than the 5.5 seconds after which the service gives up a statement of a request.
  expect(await migrate(pool, [{ name: '0001', sql: 'select pg_sleep(6)' }])).toEqual(['0001'])
  await pool.end()
  await database.drop()
})

test('a node says that it waits for another that migrates, and continues after it', async () => {
  const database = await createEmptyDatabase()
  const pool = createPool({ url: database.url }, { max: 4 })
  const migrations = [{ name: '0001', sql: 'create table once (id int)' }]
  const table = await holdLocks(pool, { text: 'create table migrations (name text)' })
  const first = migrate(pool, migrations)
  await waitForLocks(pool, 1, first)
  const onWait = vi.fn()
  const second = migrate(pool, migrations, onWait)
  await waitForLocks(pool, 2, first, second)
  expect(onWait).toHaveBeenCalledOnce()
  await table()
  expect(await Promise.all([first, second])).toEqual([['0001'], []])
  await pool.end()
  await database.drop()
})

test('a migration that fails leaves nothing behind, and runs again when it is corrected', async () => {
  const database = await createEmptyDatabase()
  const pool = createPool({ url: database.url }, { max: 1 })
  const broken = { name: '0001', sql: 'create table half (id int); select * from missing' }
  await expect(migrate(pool, [broken])).rejects.toThrow(/missing/)
  expect(await migrate(pool, [{ name: '0001', sql: 'create table half (id int)' }])).toEqual([
    '0001',
  ])
  expect(await migrate(pool, [{ name: '0001', sql: 'create table half (id int)' }])).toEqual([])
  await pool.end()
  await database.drop()
})
