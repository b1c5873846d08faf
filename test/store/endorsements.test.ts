import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { readEndorsements, saveEndorsements } from '../../src/store/postgres/reporters.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createDatabase } from '../support/database.ts'

const database = await createDatabase()
const pool = createPool({ url: database.url }, { max: 1 })
const sql = sqlOn(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

function link(fromOwner: string, toOwner: string, good: number) {
  return { fromOwner, toOwner, good, bad: 0 }
}

test('all links of one owner are read, however many and strong those of another owner are', async () => {
  const [a, between, c, busy] = Array.from({ length: 4 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
  ]
  const ring = [link(a, c, 1), link(c, between, 1), link(between, a, 1)]
  const crowd = Array.from({ length: 200 }, () => randomUUID())
  const strong = crowd.flatMap((id) => [link(id, busy, 1_000), link(busy, id, 1_000)])
  await saveEndorsements(sql, [...ring, ...strong])
  const read = await readEndorsements(sql, [busy, a])
  expect(read).toEqual(expect.arrayContaining(ring))
  expect(read.filter(({ toOwner }) => toOwner === busy)).toHaveLength(64)
  expect(await readEndorsements(sql, [])).toEqual([])
})
