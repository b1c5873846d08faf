import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { rowStore } from '../../src/store/postgres/row-store.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { json, nested, tableOf } from '../../src/store/postgres/table.ts'
import { createDatabase } from '../support/database.ts'

interface Part {
  readonly box: string
  readonly name: string
  readonly content: unknown
  readonly seal: { readonly colour: string; readonly brokenAt: number | null } | null
  readonly usedAt: number | null
  readonly createdAt: number
}

type PartKey = Pick<Part, 'box' | 'name'> & Partial<Pick<Part, 'usedAt'>>

const database = await createDatabase()
const pool = createPool({ url: database.url }, { max: 2 })
afterAll(async () => {
  await pool.end()
  await database.drop()
})
await pool.query(
  `create table parts (box uuid, name text, content json, seal_colour text, broken_at bigint,
     used_at bigint, created_at bigint, primary key (box, name))`,
)
await pool.query('create unique index on parts (used_at) where used_at >= 70')

const PARTS = tableOf<Part>('parts', {
  box: 'box',
  name: 'name',
  content: json('content'),
  seal: nested({ colour: 'seal_colour', brokenAt: 'broken_at' }),
  usedAt: 'used_at',
  createdAt: 'created_at',
})

const texts: string[] = []
const recorded = sqlOn({
  query(statement: pg.QueryConfig) {
    texts.push(statement.text)
    return pool.query(statement)
  },
})
const published: unknown[] = []

const parts = rowStore<Part, PartKey, string>(PARTS, {
  order: 'name',
  expectsDuplicates: true,
  savedBy: ['box', 'name'],
  list: { of: 'box = $1', order: 'name' },
  waits: { id: 'box', where: `name = 'waits'`, order: 'created_at' },
  change: ({ box }) => ({ kind: 'policies', ids: [box] }),
})({ sql: recorded, changed: async (change) => void published.push(change) })

function newPart(given: Partial<Part> = {}): Part {
  const seal = { colour: 'red', brokenAt: null }
  const none = { usedAt: null, createdAt: 1 }
  return { box: randomUUID(), name: 'a', content: { it: ['has', null] }, seal, ...none, ...given }
}

test('a row is found as it was inserted, with its JSON, its nested properties and its nulls', async () => {
  for (const part of [newPart(), newPart({ content: null, seal: null, usedAt: 5 })]) {
    const { box, name } = part
    expect(await parts.insert(part)).toBe(true)
    expect(await parts.find({ box, name })).toEqual(part)
    expect(await parts.find({ box, name: 'b' })).toBeNull()
    expect(await parts.insert({ ...part, usedAt: 7 })).toBe(false)
    expect(await parts.find({ box, name })).toEqual(part)
  }
})

test('a row is not inserted where another has its key, or another value that only one may have', async () => {
  const part = newPart({ usedAt: 70 })
  expect(await parts.insert(part)).toBe(true)
  expect(await parts.insert({ ...part, usedAt: 71 })).toBe(false)
  expect(await parts.insert(newPart({ usedAt: 70 }))).toBe(false)
})

test('a saved row replaces the one with its key, whose time of creation stays', async () => {
  const part = newPart()
  const { box, name } = part
  expect(await parts.save(part)).toBe(true)
  expect(await parts.save({ ...part, seal: null, createdAt: 9 })).toBe(false)
  expect(await parts.find({ box, name })).toEqual({ ...part, seal: null })
})

test('an update changes what it names, in a row that has all properties of the key', async () => {
  const part = newPart()
  const { box, name } = part
  await parts.insert(part)
  const unused = { box, name, usedAt: null }
  expect(await parts.update(unused, { usedAt: 3, seal: undefined })).toEqual({ ...part, usedAt: 3 })
  expect(await parts.update(unused, { usedAt: 4 })).toBeNull()
  expect(await parts.update({ box, name, usedAt: 3 }, {})).toEqual({ ...part, usedAt: 3 })
  expect(await parts.update({ box, name }, { seal: null })).toEqual({
    ...part,
    usedAt: 3,
    seal: null,
  })
})

test('a row is deleted once, and answered to the one who deleted it', async () => {
  const part = newPart()
  const { box, name } = part
  await parts.insert(part)
  const answers = await Promise.all([parts.delete({ box, name }), parts.delete({ box, name })])
  expect(answers.filter((answer) => answer !== null)).toEqual([part])
})

test('a key with a property that is unknown or undefined is refused, and names no other rows', async () => {
  const part = newPart()
  const { box, name } = part
  await parts.insert(part)
  for (const extra of [{ usedAt: undefined }, { colour: 'red' }]) {
    const key = { box, name, ...extra } as PartKey
    await expect(parts.find(key)).rejects.toThrow(/has no column, or no value/)
    await expect(parts.delete(key)).rejects.toThrow(/has no column, or no value/)
  }
  expect(await parts.find({ box, name })).toEqual(part)
})

test('rows that share properties are found in their order, and deleted, and no others', async () => {
  const [box, other] = [randomUUID(), randomUUID()]
  for (const [name, usedAt] of [
    ['c', 1],
    ['a', null],
    ['b', null],
  ] as const) {
    await parts.insert(newPart({ box, name, usedAt }))
  }
  const kept = newPart({ box: other })
  await parts.insert(kept)
  const names = async (by: Partial<Part>) => (await parts.findAll(by)).map(({ name }) => name)
  expect(await names({ box })).toEqual(['a', 'b', 'c'])
  expect(await names({ box, usedAt: null })).toEqual(['a', 'b'])
  expect((await names({})).length).toBeGreaterThanOrEqual(4)
  published.splice(0)
  await parts.deleteAll({ box, usedAt: null })
  expect(await names({ box })).toEqual(['c'])
  expect(published).toHaveLength(2)
  await expect(parts.deleteAll({})).rejects.toThrow(/has no column, or no value/)
  expect(await names({ box: other })).toEqual([kept.name])
})

test('a list goes on after a name, and says whether there are more', async () => {
  const box = randomUUID()
  for (const name of ['c', 'a', 'b']) {
    await parts.insert(newPart({ box, name }))
  }
  const names = async (after: string | null) => {
    const { rows, more } = await parts.list(box, after, 2)
    return [...rows.map(({ name }) => name), more]
  }
  expect(await names(null)).toEqual(['a', 'b', true])
  expect(await names('b')).toEqual(['c', false])
})

test('what is published is a change of a row that there was', async () => {
  const part = newPart()
  const { box, name } = part
  const none = { box, name: 'none' }
  await parts.insert(part)
  published.splice(0)
  await parts.update(none, { usedAt: 1 })
  await parts.delete(none)
  expect(published).toEqual([])
  await parts.save(part)
  await parts.update({ box, name }, { usedAt: 1 })
  await parts.delete({ box, name })
  const change = { kind: 'policies', ids: [box] }
  expect(published).toEqual([change, change, change])
})

test('the same call is the same statement, whatever its values, and holds none of them', async () => {
  const run = async (part: Part) => {
    texts.splice(0)
    const { box, name } = part
    await parts.insert(part)
    await parts.save(part)
    await parts.find({ name, box }, { lock: 'wait' })
    await parts.update({ box, name }, { content: part.content })
    await parts.list(box, name, 1)
    await parts.delete({ box, name })
    return [...texts]
  }
  const value = `'; drop table parts; --`
  const first = await run(newPart())
  const second = await run(newPart({ name: value, content: value, seal: null, usedAt: 4 }))
  expect(second).toEqual(first)
  expect(first.join()).not.toContain('drop')
})

test('rows that wait are read oldest first, without those that failed', async () => {
  const waits = (createdAt: number) => newPart({ name: 'waits', createdAt })
  const [oldest, failed, newest] = [waits(2), waits(3), waits(4)] as const
  for (const part of [newest, failed, oldest, newPart({ createdAt: 1 })]) {
    await parts.insert(part)
  }
  expect(await parts.waiting([failed.box], 5)).toEqual([oldest, newest])
  expect(await parts.waiting([], 2)).toEqual([oldest, failed])
})
