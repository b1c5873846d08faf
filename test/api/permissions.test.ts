import { afterAll, describe, expect, test } from 'vitest'
import { OPERATIONS as DECLARED } from '../../src/api/operations.ts'
import { PERMISSIONS_OF_ROLE, SCOPES } from '../../src/domain/permission.ts'
import { permissionOf } from '../../src/http/route.ts'
import { OPERATIONS } from '../support/operations.ts'
import { inTurns } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import { createWorld } from '../support/world.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
afterAll(() => world.close())

/** What each operation asks of an owner, by its declaration; null where it asks nothing. */
const NEEDED = new Map(
  DECLARED.map((one) => [`${one.method.toUpperCase()} ${one.path}`, permissionOf(one)]),
)

const SESSIONS = 'GET /v1/auth/sessions'

const ASKING = OPERATIONS.filter(({ name }) => NEEDED.get(name) !== null)

/** Asks for every operation with a body that is not valid, so that nothing is done. */
async function refusalsOf(headers: Readonly<Record<string, string>>) {
  const refused = new Set<string>()
  await inTurns(ASKING, async (operation) => {
    const { url, init } = world.request(operation, { query: { colour: 'red' } })
    const own = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url, { ...init, headers: own })
    const { error } = (await response.json()) as { error: { code: string; details: Details } }
    if (error.details.reason === 'insufficient_permission') {
      expect([response.status, error.code]).toEqual([403, 'FORBIDDEN'])
      expect(error.details.permission).toBe(NEEDED.get(operation.name))
      return void refused.add(operation.name)
    }
    expect([operation.name, error.code]).toEqual([operation.name, 'VALIDATION_ERROR'])
  })
  return refused
}

interface Details {
  readonly reason?: string
  readonly permission?: string
}

/** The operations that need something beyond these permissions. */
function beyond(permissions: readonly string[]) {
  const names = ASKING.map(({ name }) => name)
  return new Set(names.filter((name) => !permissions.includes(NEEDED.get(name) ?? '')))
}

const subsets = [1, 2, 3, 4, 5, 6, 7].map((bits) => SCOPES.filter((_scope, i) => bits & (1 << i)))

describe('every operation lets an owner’s key do what its scopes allow, and nothing else', () => {
  test.each(subsets.map((scopes) => [scopes.join(', '), scopes] as const))(
    'a key with %s',
    async (_name, scopes) => {
      const { apiKey } = await world.owner.keys.create({ name: 'key', scopes: [...scopes] })
      expect(await refusalsOf({ authorization: `Bearer ${apiKey}` })).toEqual(beyond(scopes))
    },
  )

  test('a key cannot create keys, invite people, or change roles, passwords or the sign-in', () => {
    const forPeople = ASKING.filter(({ name }) => {
      const needed = NEEDED.get(name)
      return needed === 'admin' || needed === 'session'
    }).map(({ name }) => name)
    expect(forPeople).toEqual(
      expect.arrayContaining([
        'POST /v1/auth/logout',
        SESSIONS,
        'DELETE /v1/auth/sessions/{id}',
        'POST /v1/auth/password',
        'POST /v1/keys',
        'DELETE /v1/keys/{id}',
        'POST /v1/invitations',
        'DELETE /v1/invitations/{id}',
        'PATCH /v1/members/{id}',
        'DELETE /v1/members/{id}',
      ]),
    )
  })
})

describe('every operation lets a member do what the role allows, and nothing else', () => {
  test.each(['admin', 'member', 'viewer'] as const)('as %s', async (role) => {
    const token = await world.memberToken(role)
    const refused = await refusalsOf({ authorization: `Bearer ${token}` })
    expect(refused).toEqual(beyond(PERMISSIONS_OF_ROLE[role]))
  })
})

test('reads require the scope read, and every other operation of an owner declares its scope', () => {
  // Which sessions a person has is no key's business.
  const reads = ASKING.filter(({ name, method }) => method === 'GET' && name !== SESSIONS)
  expect(NEEDED.get(SESSIONS)).toBe('session')
  expect(reads.length).toBeGreaterThan(10)
  expect(new Set(reads.map(({ name }) => NEEDED.get(name)))).toEqual(new Set(['read']))
  const writes = ASKING.filter(({ method }) => method !== 'GET')
  const allowed = writes.filter(({ name }) => NEEDED.get(name) === 'read').map(({ name }) => name)
  expect(allowed).toEqual(['POST /v1/decisions', 'POST /v1/credentials/{id}/verify'])
})
