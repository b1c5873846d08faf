import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { columns } from '../../src/store/postgres/rows.ts'
import { createDatabase } from '../support/database.ts'

const database = await createDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Any text that PostgreSQL can hold, and those that its notation gives a meaning. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !one.includes('\u0000')),
  fc.constantFrom('', 'null', 'NULL', '{}', '"', '\\', '\\"', ',', ' a ', '{"a":"\\"b\\\\"}'),
  fc.constantFrom('\n', '"\t\\', '\u0001', '\u007f', '\u2028', '"😀"'),
)

test('every value that is written to a column is read back unchanged', async () => {
  const row = fc.record({
    text: fc.option(text),
    number: fc.option(fc.integer()),
    truth: fc.option(fc.boolean()),
    bytes: fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const answer = await client.query(
        'select * from unnest($1::text[], $2::int[], $3::boolean[], $4::bytea[]) as t(text, number, truth, bytes)',
        columns(
          rows,
          (r) => r.text,
          (r) => r.number,
          (r) => r.truth,
          (r) => r.bytes,
        ),
      )
      expect(answer.rows).toEqual(rows)
    }),
  )
})
