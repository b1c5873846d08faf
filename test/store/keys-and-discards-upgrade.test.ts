import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { discardsOf } from '../../src/reviews/request-discard.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openOldPool } from '../support/database.ts'

const old = await openOldPool('0009')
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
const discarded = randomUUID()
await old.query(
  `insert into discards (platform_id, reason, requested_at, after_agent_id, agents, left_agent_ids)
   values ($1, 'Its key leaked.', 1, $2, 3, array[$2::uuid])`,
  [discarded, randomUUID()],
)

await migrate(old)
const store = createPostgresStore(old)

test.each(holders)(
  'the upgrade shows a use of the $kind on the newest key that existed then',
  async ({ usedAt }) => {
    const ids = [...usedAt.keys()]
    const keys = await store.keys.findMany(ids)
    const times = ids.map((id) => keys.get(id)?.map(({ lastUsedAt }) => lastUsedAt))
    expect(times).toEqual([
      [250, null],
      [null, 150],
      [null, null],
    ])
  },
)

test('a discard that goes on during the upgrade has no progress, rather than a wrong one', async () => {
  const discard = (await discardsOf(store, [discarded])).get(discarded)
  expect(discard).toMatchObject({ agents: 3, finishedAt: null, progress: null })
})
