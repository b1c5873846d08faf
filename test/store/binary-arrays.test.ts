import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { binaryArraysOf } from '../../src/store/postgres/binary-arrays.ts'
import { rowsWrite, type Value } from '../../src/store/postgres/rows.ts'
import { createDatabase } from '../support/database.ts'
import { anyText } from '../support/texts.ts'

const database = await createDatabase()
const types = {
  getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)),
}
const client = new pg.Client({
  connectionString: database.url,
  types: types as pg.CustomTypesConfig,
})
await client.connect()
afterAll(async () => {
  await client.end()
  await database.drop()
})

const integerOf = (bits: number) =>
  fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 })

const row = fc.record({
  id: fc.option(fc.uuid()),
  name: fc.option(anyText({ maxLength: 20 }).filter((one) => !one.includes('\u0000'))),
  // PostgreSQL keeps the text of a json, and pg reads it as a value.
  data: fc.option(fc.dictionary(fc.string(), fc.integer()), { nil: undefined }),
  bytes: fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
  truth: fc.option(fc.boolean()),
  small: fc.option(integerOf(16)),
  whole: fc.option(integerOf(32)),
  large: fc.option(fc.maxSafeInteger()),
  real: fc.option(fc.double()),
})

type Row = typeof row extends fc.Arbitrary<infer T> ? T : never

const SELECT = `select * from unnest($1::uuid[], $2::text[], $3::json[], $4::bytea[], $5::boolean[],
  $6::smallint[], $7::int[], $8::bigint[], $9::float8[])
  as t(id, name, data, bytes, truth, small, whole, large, real)`

async function readBack(rows: readonly Row[]): Promise<readonly Row[]> {
  const values = [
    (r: Row) => r.id,
    (r: Row) => r.name,
    (r: Row) => r.data && JSON.stringify(r.data),
    (r: Row) => r.bytes,
    (r: Row) => r.truth,
    (r: Row) => r.small,
    (r: Row) => r.whole,
    (r: Row) => r.large,
    (r: Row) => r.real,
  ]
  const { rows: read } = await client.query(SELECT, binaryArraysOf(rowsWrite(SELECT, rows, values)))
  return read.map((one) => ({ ...one, data: one.data ?? undefined }))
}

test('every value that is written in an array, once or repeatedly, is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const all = rows.flatMap((one, i) => Array.from({ length: 1 + (i % 3) }, () => one))
      expect(await readBack(all)).toEqual(all)
    }),
  )
})

test('a text that is longer than all before it is read back unchanged', async () => {
  const text = `€${'"\\😀'.repeat(100_000)}`
  const select = 'select * from unnest($1::text[]) as t(text)'
  const write = rowsWrite(select, ['first', text, 'last'], [(one) => one])
  const { rows } = await client.query(select, binaryArraysOf(write))
  expect(rows.map((one) => one.text)).toEqual(['first', text, 'last'])
})

const ID = '01a20598-77b1-7712-8a3b-0123456789ab'

test.each<[string, string, Value]>([
  ['a UUID that is too short', 'uuid', ID.slice(1)],
  ['a UUID with another letter', 'uuid', ID.replace('a', 'g')],
  ['a UUID with a letter beyond ASCII', 'uuid', ID.replace('a', 'á')],
  ['half an integer', 'int', 0.5],
  ['an integer that is no longer exact', 'bigint', 2 ** 53],
  ['an integer beyond its type', 'smallint', 2 ** 15],
])('%s is refused before anything is sent', (_what, type, value) => {
  const write = rowsWrite(`select $1::${type}[]`, [value], [(one) => one])
  expect(() => binaryArraysOf(write)).toThrow()
})
