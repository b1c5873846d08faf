import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findKnown } from '../../src/store/postgres/external-ids.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { openPool } from '../support/database.ts'

test('a node finds reported events by name also after a later release has added a column', async () => {
  // One connection: the statement is prepared there before the column is added.
  const pool = await openPool({ max: 1 })
  const sql = sqlOn(pool)
  const name = { reporterId: randomUUID(), agentId: randomUUID(), externalId: 'a' }
  expect(await findKnown(sql, [name])).toEqual(new Map())
  await pool.query('alter table events add column added text')
  expect(await findKnown(sql, [name])).toEqual(new Map())
})
