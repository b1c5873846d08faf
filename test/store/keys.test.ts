import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { issueKey, rotateKey } from '../../src/auth/rotate-key.ts'
import { deleteExpired } from '../../src/retention/expired.ts'
import { MIGRATIONS, migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createEmptyDatabase, openPool } from '../support/database.ts'

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

describe('the upgrade to a last use of each key', async () => {
  const database = await createEmptyDatabase()
  const old = createPool({ url: database.url }, { max: 1 })
  afterAll(async () => {
    await old.end()
    await database.drop()
  })
  await migrate(
    old,
    MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => /^0009/.test(name)),
    ),
  )
  const owner = randomUUID()
  await old.query(
    `insert into owners (id, email, tier, status, created_at) values ($1, 'a@example.com', 'free', 'active', 0)`,
    [owner],
  )
  const records = {
    agent: {
      text: `insert into agents (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at, key_last_used_at)
        values ($1, '${owner}', 'agent', '{}', false, 0, 0, $2)`,
    },
    platform: {
      text: `insert into platforms (id, name, tier, status, require_attestation, verified, created_at, updated_at, key_last_used_at)
        values ($1, 'Bazaar', 'free', 'active', false, false, 0, 0, $2)`,
    },
    operator: {
      text: 'insert into operators (id, name, created_at, last_used_at) values ($1, $1::uuid::text, 0, $2)',
    },
  } as const

  /** Two keys of each, created at 100 and at 200, and when one of them was used. */
  const holders = (['agent', 'platform', 'operator'] as const).map((kind) => ({
    kind,
    usedAt: new Map<string, number | null>([
      [randomUUID(), 250],
      [randomUUID(), 150],
      [randomUUID(), null],
    ]),
  }))
  for (const { kind, usedAt } of holders) {
    for (const [id, at] of usedAt) {
      await old.query(records[kind].text, [id, at])
      for (const createdAt of [100, 200]) {
        await old.query(
          'insert into api_keys (hash, kind, principal_id, created_at) values ($1, $2, $3, $4)',
          [randomBytes(32), kind, id, createdAt],
        )
      }
    }
  }
  await migrate(old)

  test.each(holders)(
    'shows a use of the $kind on the newest key that existed then',
    async ({ usedAt }) => {
      const ids = [...usedAt.keys()]
      const keys = await createPostgresStore(old).keys.findMany(ids)
      const times = ids.map((id) => keys.get(id)?.map(({ lastUsedAt }) => lastUsedAt))
      expect(times).toEqual([
        [250, null],
        [null, 150],
        [null, null],
      ])
    },
  )
})
