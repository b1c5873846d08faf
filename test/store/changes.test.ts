import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Change } from '../../src/store/changes.ts'
import { createChanges } from '../../src/store/postgres/changes.ts'
import { CHANNELS, listen } from '../../src/store/postgres/listen.ts'
import { createClient, createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const database = await createDatabase()
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) {
    await close()
  }
  await database.drop()
})

/** The store of one node, and the changes that its caches see. */
async function startNode() {
  const pool = createPool({ url: database.url })
  const newClient = () => createClient({ url: database.url }, 'test listener')
  const listener = listen({ newClient, pool, onError: () => {} })
  closers.push(
    () => pool.end(),
    () => listener.close(),
  )
  let unreadable = 0
  const changes = createChanges(listener, () => void unreadable++)
  const seen: Change[] = []
  changes.subscribe((change) => void seen.push(change))
  await eventually(() => expect(changes.isConnected()).toBe(true))
  seen.splice(0)
  const store = createPostgresStore(pool, { publisher: changes })
  return { pool, store, seen, unreadable: () => unreadable }
}

const node = await startNode()
const other = await startNode()

/** An owner that exists, so that its tier can change. */
async function newOwner(): Promise<string> {
  const id = randomUUID()
  const none = { name: null, status: 'active', createdAt: 0 } as const
  await node.store.owners.insert({ id, email: `${id}@example.com`, tier: 'free', ...none })
  return id
}

const of = (id: string, seen: readonly Change[]) =>
  seen.filter((change) => 'ids' in change && change.ids.includes(id))

test('a change is published on its node before the transaction resolves, and on others after', async () => {
  const [id, later] = [await newOwner(), await newOwner()]
  await node.store.transaction(async (within) => {
    await within.owners.update({ id }, { tier: 'growth' })
    expect(of(id, node.seen)).toEqual([])
  })
  expect(of(id, node.seen)).toEqual([{ kind: 'callers', ids: [id] }])
  await eventually(() => expect(of(id, other.seen)).toEqual([{ kind: 'callers', ids: [id] }]))
  // Notifications arrive in the order of commits: after this one the node has received its own.
  await other.store.owners.update({ id: later }, { tier: 'growth' })
  await eventually(() => expect(of(later, node.seen)).toHaveLength(1))
  expect(of(id, node.seen)).toHaveLength(1)
})

test('a change that is rolled back is not published', async () => {
  const [undone, kept] = [await newOwner(), await newOwner()]
  const failure = node.store.transaction(async (within) => {
    await within.owners.update({ id: undone }, { tier: 'growth' })
    throw new Error('undone')
  })
  await expect(failure).rejects.toThrow('undone')
  await node.store.owners.update({ id: kept }, { tier: 'growth' })
  await eventually(() => expect(of(kept, other.seen)).toHaveLength(1))
  expect([of(undone, node.seen), of(undone, other.seen)]).toEqual([[], []])
})

test('a setting of a rule reaches the caches of every node', async () => {
  const rule = { rule: 'burst', mode: 'off', threshold: null, updatedAt: 0 } as const
  await node.store.rules.change(rule, {})
  expect(node.seen).toContainEqual({ kind: 'rules' })
  await eventually(() => expect(other.seen).toContainEqual({ kind: 'rules' }))
})

test('rolling back a nested transaction undoes only its own writes', async () => {
  const [outer, inner, innermost] = [await newOwner(), await newOwner(), await newOwner()]
  await node.store.transaction(async (within) => {
    await within.owners.update({ id: outer }, { tier: 'growth' })
    const failure = within.transaction(async (nested) => {
      await nested.transaction((deepest) =>
        deepest.owners.update({ id: innermost }, { tier: 'growth' }),
      )
      await nested.owners.update({ id: inner }, { tier: 'growth' })
      throw new Error('undone')
    })
    await expect(failure).rejects.toThrow('undone')
  })
  const tierOf = async (id: string) => (await node.store.owners.find({ id }))?.tier
  expect([await tierOf(outer), await tierOf(inner), await tierOf(innermost)]).toEqual([
    'growth',
    'free',
    'free',
  ])
})

test('a notification that cannot be read is reported, and anything counts as changed', async () => {
  other.seen.splice(0)
  await node.pool.query('select pg_notify($1, $2)', [CHANNELS.changes, 'someone scores %E0%A4%A'])
  await eventually(() => expect(other.seen).toContainEqual({ kind: 'unknown' }))
  expect(other.unreadable()).toBe(1)
  const id = await newOwner()
  await node.store.owners.update({ id }, { tier: 'growth' })
  await eventually(() => expect(of(id, other.seen)).toHaveLength(1))
})
