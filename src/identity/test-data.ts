import { checkLimit } from '../domain/error.ts'
import { TEST_TIER } from '../domain/limits.ts'
import { testIdOf } from '../domain/mode.ts'
import type { Sources } from '../lib/sources.ts'
import type { PlatformRow, Store } from '../store/store.ts'

/** Enough for the integrations of one owner; it bounds what is stored. */
const PLATFORMS_MAX = 10

/** Opens the account that an owner's test data belongs to, once. It has no sign-in. */
export async function openTestAccount(store: Store, id: string, createdAt: number): Promise<void> {
  const email = `${id}@test.invalid`
  await store.owners.insert({ id, email, name: null, tier: TEST_TIER, status: 'active', createdAt })
}

/** A test platform of an owner, to play the other side of an integration. */
export async function createOwnersPlatform(
  within: Store,
  sources: Sources,
  accountId: string,
  name: string,
): Promise<PlatformRow> {
  await openTestAccount(within, accountId, sources.now())
  // The account is locked, so that two requests at once cannot both take the last place.
  await within.owners.find({ id: accountId }, { lock: 'wait' })
  const platforms = await within.platforms.findAll({ ownerId: accountId })
  const refusal = `an owner has room for ${PLATFORMS_MAX} test platforms; delete the test data first`
  checkLimit('max_test_platforms', platforms.length, PLATFORMS_MAX, refusal)
  return insert(within, sources, testIdOf(sources.newId()), { name, ownerId: accountId })
}

/** Opens the test platform of a live platform, once. A second request revokes its earlier keys. */
export async function openTestPlatform(
  within: Store,
  sources: Sources,
  id: string,
  name: string,
): Promise<PlatformRow> {
  const known = await within.platforms.find({ id }, { lock: 'wait' })
  if (known) {
    await within.keys.expire(id, sources.now())
    return known
  }
  return insert(within, sources, id, { name, ownerId: null })
}

async function insert(
  within: Store,
  { now }: Sources,
  id: string,
  { name, ownerId }: Pick<PlatformRow, 'name' | 'ownerId'>,
): Promise<PlatformRow> {
  const at = now()
  const row: PlatformRow = {
    id,
    name,
    ownerId,
    tier: TEST_TIER,
    status: 'active',
    publicKey: null,
    previousKey: null,
    requireAttestation: false,
    verified: false,
    createdAt: at,
    updatedAt: at,
  }
  await within.platforms.insert(row)
  return row
}

export type DeletedTestData = Readonly<Record<'agents' | 'platforms' | 'webhooks', number>>

/** Deletes all test data of an account, each agent in its own transaction: its history may be long. */
export async function deleteTestData(store: Store, accountId: string): Promise<DeletedTestData> {
  let agents = 0
  while (await store.transaction((within) => within.testData.deleteNextAgent(accountId))) {
    agents += 1
  }
  const rest = await store.transaction((within) => within.testData.deleteRest(accountId))
  return { agents, ...rest }
}
