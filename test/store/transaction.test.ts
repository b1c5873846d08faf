import { expect, test } from 'vitest'
import { inTransaction } from '../../src/store/postgres/transaction.ts'
import { openPool } from '../support/database.ts'

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
