import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { NO_WORK, WORK_KINDS_MAX } from '../../src/fraud/work-stats.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { readWorkStats, saveWorkStats } from '../../src/store/postgres/work-stats.ts'
import { openPool } from '../support/database.ts'

const pool = await openPool({ max: 2 })
const sql = sqlOn(pool)

const learnt = (kind: string, seen: number) => ({ kind, stats: { ...NO_WORK, seen } })

test('beyond a platform’s maximum the kinds of work seen least are removed, and never those of others', async () => {
  const [full, other] = [randomUUID(), randomUUID()]
  const many = Array.from({ length: WORK_KINDS_MAX }, (_, i) =>
    learnt(`${full} kind ${i}/0`, i + 2),
  )
  await saveWorkStats(sql, [...many, learnt(`${other} kind 0/0`, 1)], new Map())
  const odd = `${full} "quoted", {braced}\\ und größer/3`
  await saveWorkStats(sql, [learnt(odd, 1)], new Map())
  const { rows } = await pool.query(
    'select count(*)::int as count from work_stats where platform_id = $1',
    [full],
  )
  expect(rows).toEqual([{ count: WORK_KINDS_MAX }])
  const [gone, ...kept] = [`${full} kind 0/0`, `${full} kind 1/0`, `${other} kind 0/0`, odd]
  const read = await readWorkStats(sql, [gone ?? '', ...kept])
  expect([...read.keys()].sort()).toEqual(kept.sort())
  expect(read.get(odd)).toEqual({ ...NO_WORK, seen: 1 })
})

test('a kind of work without outcomes is not stored', async () => {
  const kind = `${randomUUID()} never taught/1`
  expect(await readWorkStats(sql, [kind])).toEqual(new Map())
  const { rows } = await pool.query(`select from work_stats where name = 'never taught/1'`)
  expect(rows).toEqual([])
})

test('the statistics of a kind of work with the most owners are read back, and were written whole', async () => {
  const kind = `${randomUUID()} busy/2`
  const owners = Array.from({ length: 64 }, (_, i) => [randomUUID(), i + 1] as const)
  const stats = {
    hardness: -0.123456,
    seen: 4_000,
    owners: new Map(owners),
    knownOwners: new Set(owners.slice(2).map(([owner]) => owner)),
  }
  await saveWorkStats(sql, [{ kind, stats }], new Map())
  expect(await readWorkStats(sql, [kind])).toEqual(new Map([[kind, stats]]))
  const { rows } = await pool.query(
    `select pg_column_compression(stats) as compression from work_stats where name = 'busy/2'`,
  )
  expect(rows).toEqual([{ compression: null }])
})
