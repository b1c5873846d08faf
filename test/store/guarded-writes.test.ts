import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type GuardedWrites, guardedWrite } from '../../src/store/postgres/guarded-writes.ts'
import { rowsWrite } from '../../src/store/postgres/rows.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createDatabase } from '../support/database.ts'

const database = await createDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
await client.query('create table counters (name text primary key, count int not null)')
await client.query('create table notes (name text, count int, is_true boolean, bytes bytea)')
afterAll(async () => {
  await client.end()
  await database.drop()
})
beforeEach(() =>
  client.query(`truncate counters, notes; insert into counters values ('a', 1), ('b', 1)`),
)

interface Note {
  readonly name: string | null
  readonly count: number | null
  readonly is_true: boolean | null
  readonly bytes: Buffer | null
}

/** Odd in the notation of arrays. */
const NOTES: readonly Note[] = [
  { name: '{"a":"\\"b\\\\"}', count: -1, is_true: false, bytes: Buffer.from([0, 255, 92]) },
  { name: 'null', count: 0, is_true: true, bytes: Buffer.alloc(0) },
  { name: null, count: null, is_true: null, bytes: null },
]

function inserted(notes: readonly Note[]) {
  const text = `insert into notes (name, count, is_true, bytes) select name, count, is_true, bytes
    from unnest($1::text[], $2::int[], $3::boolean[], $4::bytea[]) as t(name, count, is_true, bytes)`
  return rowsWrite(text, notes, [(n) => n.name, (n) => n.count, (n) => n.is_true, (n) => n.bytes])
}

/** Counts one more, where the count is still 1. */
function counted(names: readonly string[]) {
  const text = `update counters c set count = c.count + $3
    from unnest($1::text[], $2::int[]) as t(name, count) where c.name = t.name and c.count = t.count`
  return rowsWrite(text, names, [(name) => name, () => 1], [1])
}

function write(writes: Partial<GuardedWrites>): Promise<boolean> {
  const none = { unused: [], locks: [], updates: [], conditions: [], inserts: [] }
  return guardedWrite({ ...none, ...writes })(sqlOn(client))
}

async function stored() {
  const { rows: notes } = await client.query('select * from notes')
  const { rows: counters } = await client.query('select * from counters order by name')
  return { notes, counts: counters.map(({ count }) => count) }
}

test.each([
  ['one row', NOTES.slice(0, 1)],
  ['another row', NOTES.slice(1, 2)],
  ['one row without values', NOTES.slice(2)],
  ['several rows', NOTES],
])('values written to %s are read back unchanged', async (_name, notes) => {
  expect(await write({ updates: [counted(['a'])], inserts: [inserted(notes)] })).toBe(true)
  expect(await stored()).toEqual({ notes, counts: [2, 1] })
})

test('an update that finds too few rows undoes the other updates, and inserts nothing', async () => {
  await client.query(`update counters set count = 7 where name = 'b'`)
  for (const names of [['b'], ['a', 'b']]) {
    const writing = write({ updates: [counted(['a']), counted(names)], inserts: [inserted(NOTES)] })
    await expect(writing).rejects.toMatchObject({ code: '22012' })
  }
  expect(await stored()).toEqual({ notes: [], counts: [1, 7] })
})

test('a false condition, or a row that cannot be locked, undoes all updates', async () => {
  const given = { updates: [counted(['a'])], inserts: [inserted(NOTES)] }
  const condition = { text: '$1::int = 1', values: [2] }
  await expect(write({ ...given, conditions: [condition] })).rejects.toMatchObject({
    code: '22012',
  })
  const lock = { text: 'select from counters where name = $1 for update', values: ['c'], rows: 1 }
  await expect(write({ ...given, locks: [lock] })).rejects.toMatchObject({ code: '22012' })
  expect(await stored()).toEqual({ notes: [], counts: [1, 1] })
})

test('nothing is written if a name is in use, without an error', async () => {
  const given = { updates: [counted(['a'])], inserts: [inserted(NOTES)] }
  const unused = (name: string) => ({
    text: 'not exists (select from counters where name = $1)',
    values: [name],
  })
  expect(await write({ ...given, unused: [unused('c'), unused('b')] })).toBe(false)
  expect(await stored()).toEqual({ notes: [], counts: [1, 1] })
  expect(await write({ ...given, unused: [unused('c'), unused('d')] })).toBe(true)
  expect(await stored()).toEqual({ notes: NOTES, counts: [2, 1] })
})
