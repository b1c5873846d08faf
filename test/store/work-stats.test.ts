import { afterAll, expect, test } from 'vitest'
import { NO_WORK, WORK_KINDS_MAX } from '../../src/fraud/work-stats.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { lockWorkStats, saveWorkStats } from '../../src/store/postgres/work-stats.ts'
import { createDatabase } from '../support/database.ts'

const database = await createDatabase()
const pool = createPool({ url: database.url }, { max: 2 })
const sql = sqlOn(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const learnt = (kind: string, seen: number) => ({ kind, stats: { ...NO_WORK, seen } })

test('of too many kinds of work those that were seen least are removed, and never the new one', async () => {
  const many = Array.from({ length: WORK_KINDS_MAX }, (_, i) => learnt(`kind ${i}/0`, i + 2))
  await saveWorkStats(sql, many, new Map())
  const odd = '"quoted", {braced}\\ und größer/3'
  await saveWorkStats(sql, [learnt(odd, 1)], new Map())
  const { rows } = await pool.query('select count(*)::int as count from work_stats')
  expect(rows).toEqual([{ count: WORK_KINDS_MAX }])
  const kept = await lockWorkStats(sql, [odd, 'kind 0/0', 'kind 1/0'])
  expect([...kept.keys()].sort()).toEqual([odd, 'kind 1/0'])
  expect(kept.get(odd)).toEqual({ ...NO_WORK, seen: 1 })
})

test('a kind that nothing was learnt of takes no place', async () => {
  expect(await lockWorkStats(sql, ['never taught/1'])).toEqual(new Map())
  const { rows } = await pool.query(`select kind from work_stats where kind = 'never taught/1'`)
  expect(rows).toEqual([])
})
