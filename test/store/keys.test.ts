import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueKey, rotateKey } from '../../src/auth/rotate-key.ts'
import { deleteExpired } from '../../src/retention/expired.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openPool } from '../support/database.ts'

const DAY_MS = 86_400_000

const pool = await openPool()
const store = createPostgresStore(pool)

async function keysOf(holder: string) {
  const { rows } = await pool.query<{ version: string; expires_at: number | null }>(
    `select xmin::text as version, expires_at from api_keys where principal_id = $1
     order by created_at, expires_at`,
    [holder],
  )
  return rows
}

test('a rotation shortens keys that expire later, and does not change those that expire sooner', async () => {
  const holder = randomUUID()
  await issueKey(store, { kind: 'agent', id: holder }, 0)
  await rotateKey(store, { kind: 'agent', id: holder }, 1_000, 0)
  const [ended] = await keysOf(holder)
  await rotateKey(store, { kind: 'agent', id: holder }, 2_000, 60)
  await rotateKey(store, { kind: 'agent', id: holder }, 3_000, 10)
  const keys = await keysOf(holder)
  expect(keys.map((key) => key.expires_at)).toEqual([1_000, 13_000, 13_000, null])
  expect(keys[0]).toEqual(ended)
})

test('keys that expired a day ago are deleted, however many; the others stay', async () => {
  const holder = randomUUID()
  const insert = (expiresAt: number | null) =>
    store.keys.insert({
      hash: randomBytes(32),
      kind: 'agent',
      principalId: holder,
      createdAt: 0,
      expiresAt,
      lastUsedAt: null,
    })
  await pool.query(
    `insert into api_keys (hash, kind, principal_id, created_at, expires_at)
     select sha256(n::text::bytea), 'agent', $1, 0, n from generate_series(1, 2100) n`,
    [holder],
  )
  await insert(3_000)
  await insert(null)
  await deleteExpired(store, 2_999 + DAY_MS)
  expect((await keysOf(holder)).map((key) => key.expires_at)).toEqual([3_000, null])
  await deleteExpired(store, 3_000 + DAY_MS)
  expect((await keysOf(holder)).map((key) => key.expires_at)).toEqual([null])
})
