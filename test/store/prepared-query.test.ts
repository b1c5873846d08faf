import { expect, test } from 'vitest'
import { receivedBy } from '../../src/store/postgres/pool.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { openPool } from '../support/database.ts'

// One connection, so that each statement meets what was prepared before.
const pool = await openPool({ max: 1 })
const sql = sqlOn(pool)

const VALUES = `select $1::bigint as number, $2::text as text, '{"a":1}'::json as json,
  '\\x0102'::bytea as bytes, true as flag, generate_series(1, 2) as turn`

test('a statement that is run again returns rows of the same columns and types', async () => {
  const rows = (number: number, text: string | null) =>
    [1, 2].map((turn) => ({
      number,
      text,
      json: { a: 1 },
      bytes: Buffer.from([1, 2]),
      flag: true,
      turn,
    }))
  expect(await sql(VALUES, [1, 'one'])).toEqual(rows(1, 'one'))
  expect(await sql(VALUES, [2, null])).toEqual(rows(2, null))
  const together = [3, 4].map((number) => sql(VALUES, [number, 'some']))
  expect(await Promise.all(together)).toEqual([rows(3, 'some'), rows(4, 'some')])
})

test('statements sent together the first time each have their rows', async () => {
  const client = await pool.connect()
  try {
    const together = sqlOn(client)
    const found = ['a', 'b'].map((name) => together('select $1::text as name', [name]))
    expect(await Promise.all(found)).toEqual([[{ name: 'a' }], [{ name: 'b' }]])
  } finally {
    client.release()
  }
})

test('the database describes the rows of a statement once to each connection', async () => {
  const name = 'a_name_that_takes_forty_characters_or_so'
  const received: number[] = []
  for (let i = 0; i < 3; i++) {
    const before = [...receivedBy(pool).values()][0] ?? 0
    expect(await sql(`select $1::int as ${name}`, [i])).toEqual([{ [name]: i }])
    received.push(([...receivedBy(pool).values()][0] ?? 0) - before)
  }
  const [first = 0, second = 0, third = 0] = received
  expect(first - second).toBeGreaterThan(name.length)
  expect(third).toBe(second)
})

test('a statement that failed, the first time or later, can be run again', async () => {
  const divide = (by: number) => sql('select 12 / $1::int as quotient', [by])
  const fails = { code: '22012' }
  await expect(divide(0)).rejects.toMatchObject(fails)
  expect(await divide(3)).toEqual([{ quotient: 4 }])
  await expect(divide(0)).rejects.toMatchObject(fails)
  expect(await divide(4)).toEqual([{ quotient: 3 }])
})

test('a statement without rows says how many it wrote each time', async () => {
  await pool.query('create table notes (text text)')
  const insert = (texts: readonly string[]) =>
    sql.written('insert into notes select unnest($1::text[])', [texts])
  expect(await insert(['a'])).toBe(1)
  expect(await insert(['b', 'c'])).toBe(2)
  expect(await insert([])).toBe(0)
  expect(await sql('select text from notes order by 1')).toHaveLength(3)
})
