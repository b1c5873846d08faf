import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { inTransaction } from '../../src/store/postgres/transaction.ts'
import { createDatabase, openPool } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'

const pool = await openPool({ max: 1 })

test('a transaction fails with the error of the statement that failed, even if others were sent with it', async () => {
  const work = inTransaction(pool, async ({ sql }) => {
    sql('select 1 / 0').catch(() => {})
    await sql('select 1')
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
})

test('a transaction runs again after a conflict, whichever of its statements fails first', async () => {
  await pool.query('create table names (name text primary key)')
  let runs = 0
  await inTransaction(pool, async ({ sql }) => {
    runs++
    sql(runs === 1 ? `insert into names values ('a'), ('a')` : 'select 1').catch(() => {})
    await sql('select 2')
  })
  expect(runs).toBe(2)
})

/** A pool with one connection, which is lost while it is unused. */
async function poolWithLostConnection(): Promise<pg.Pool> {
  const database = await createDatabase()
  const { proxy, url } = await startDatabaseProxy(database.url)
  const behind = createPool({ url }, { max: 1 })
  onTestFinished(async () => {
    await behind.end()
    await proxy.close()
    await database.drop()
  })
  await behind.query('select 1')
  proxy.cut()
  return behind
}

test('a transaction whose connection was lost before it began runs on another', async () => {
  const behind = await poolWithLostConnection()
  const rows = await inTransaction(behind, ({ sql }) => sql('select 7 as n'))
  expect(rows).toEqual([{ n: 7 }])
})

test('a transaction whose commit may have reached the database does not run again', async () => {
  const behind = await poolWithLostConnection()
  let runs = 0
  const work = inTransaction(behind, async ({ sql, sent }) => {
    runs++
    sent.push(sql('select 7 as n'))
  })
  await expect(work).rejects.toThrow('the outcome of a commit is unknown')
  expect(runs).toBe(1)
})
