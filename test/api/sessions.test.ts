import { Standing } from '@standing/sdk'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { deleteExpired } from '../../src/retention/expired.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import {
  newMember,
  newOwner,
  PASSWORD,
  startService,
  type TestService,
} from '../support/service.ts'

const at = await startService()
const ENDED = { status: 401, code: 'AUTHENTICATION_REQUIRED' }
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }
const START = '2026-06-15T11:00:00.000Z'
const MINUTE_MS = 60_000

/** The SDK with the token of a new sign-in, and the id of its session. */
async function logIn(email: string, service: TestService = at) {
  const { token } = await service.anyone.auth.login({ email, password: PASSWORD })
  return { client: as(service.url, token), token, id: decodeJwt(token).jti ?? '' }
}

const as = (baseUrl: string, token: string) => new Standing({ baseUrl, token, retriesMax: 0 })

/** The store of a service, as another node has it. */
function storeOf(service: TestService) {
  return createPostgresStore(createPool({ url: service.database.url }, { max: 1 }))
}

describe('a session', () => {
  test('begins with each sign-in, and is listed with the current one marked', async () => {
    const { client, email, token } = await newOwner(at)
    const second = await logIn(email)
    const { data } = await client.auth.sessions()
    expect(data.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [second.id, false],
      [decodeJwt(token).jti, true],
    ])
    const first = await client.auth.sessions({ limit: 1 })
    expect(first.data).toMatchObject([{ id: second.id }])
    const rest = await client.auth.sessions({ limit: 1, cursor: first.nextCursor ?? '' })
    expect([rest.data.length, rest.nextCursor]).toEqual([1, null])
  })

  test('that is ended is refused on every node, and other sessions and API keys go on', async () => {
    const { client, email } = await newOwner(at)
    const { apiKey } = await client.keys.create({ name: 'server', scopes: ['read'] })
    const lost = await logIn(email)
    const elsewhere = as((await at.node()).url, lost.token)
    await Promise.all([lost.client.agents.list(), elsewhere.agents.list()])
    await client.auth.endSession(lost.id)
    expect(await refusal(lost.client.agents.list())).toMatchObject(ENDED)
    await eventually(async () =>
      expect(await refusal(elsewhere.agents.list())).toMatchObject(ENDED),
    )
    expect(await refusal(client.auth.endSession(lost.id))).toMatchObject(NOT_FOUND)
    expect((await as(at.url, apiKey).agents.list()).data).toEqual([])
    expect((await client.auth.sessions()).data).toMatchObject([{ isCurrent: true }])
    const { data } = await at.operator.operator.audit({ limit: 1 })
    expect(data).toMatchObject([{ action: 'owner.session_ended', details: { sessionId: lost.id } }])
  })

  test('may end itself', async () => {
    const { client, email } = await newOwner(at)
    const second = await logIn(email)
    await second.client.auth.endSession(second.id)
    expect(await refusal(second.client.auth.me())).toMatchObject(ENDED)
    await client.auth.me()
  })

  test('of another person is neither listed nor ended, even in the same account', async () => {
    const owner = await newOwner(at)
    const member = await newMember(at, owner)
    const stranger = await newOwner(at)
    const [{ id } = { id: '' }] = (await member.client.auth.sessions()).data
    for (const { client } of [owner, stranger]) {
      expect(await refusal(client.auth.endSession(id))).toMatchObject(NOT_FOUND)
      expect((await client.auth.sessions()).data).toHaveLength(1)
    }
    await member.client.auth.me()
  })

  test('ends with a sign-out and with a new password, together with all others of the person', async () => {
    const { client, email } = await newOwner(at)
    await logIn(email)
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
    const { token } = await client.auth.changePassword(change)
    const changed = as(at.url, token)
    expect((await changed.auth.sessions()).data).toMatchObject([{ isCurrent: true }])
    await changed.auth.logOut()
    const password = change.newPassword
    const again = await at.anyone.auth.login({ email, password })
    expect((await as(at.url, again.token).auth.sessions()).data).toHaveLength(1)
  })

  test('that begins while the password is changed has ended', async () => {
    const { owner } = await newOwner(at)
    const store = storeOf(at)
    const { tokenEpoch: epoch } = (await store.members.find({ id: owner.id })) ?? { tokenEpoch: -1 }
    await store.members.update({ id: owner.id }, { passwordHash: 'another' })
    const id = crypto.randomUUID()
    const times = { createdAt: 0, lastUsedAt: 0, expiresAt: Date.now() + MINUTE_MS }
    await store.sessions.insert({ id, memberId: owner.id, epoch, ...times })
    expect(await store.sessions.find({ id })).toBeNull()
  })

  test('shows when it was last used, and is removed when it expires', async () => {
    const clock = createTestClock(START)
    const own = await startService({}, { now: clock.now })
    const { email } = await newOwner(own)
    const { client, token, id } = await logIn(email, own)
    const node = await own.node()
    clock.move(MINUTE_MS)
    await as(node.url, token).agents.list()
    // A node writes it down once a minute, and when it stops.
    await node.close()
    const { data } = await client.auth.sessions()
    expect(data[0]).toMatchObject({
      id,
      createdAt: START,
      lastUsedAt: '2026-06-15T11:01:00.000Z',
      expiresAt: '2026-06-16T11:00:00.000Z',
    })
    const store = storeOf(own)
    const expiresAt = Date.parse('2026-06-16T11:00:00.000Z')
    await deleteExpired(store, expiresAt - 1)
    expect(await store.sessions.find({ id })).not.toBeNull()
    await deleteExpired(store, expiresAt)
    expect(await store.sessions.find({ id })).toBeNull()
  })
})

describe('STANDING_SESSION_IDLE', () => {
  test('ends a session that was unused for so long, and says so', async () => {
    const clock = createTestClock(START)
    const own = await startService({ STANDING_SESSION_IDLE: '30' }, { now: clock.now })
    const { email } = await newOwner(own)
    const { client, id } = await logIn(email, own)
    clock.move(30 * MINUTE_MS)
    expect((await client.auth.sessions()).data).toMatchObject([{ id }, {}])
    clock.move(2 * MINUTE_MS)
    expect(await refusal(client.auth.sessions())).toMatchObject({
      ...ENDED,
      details: { reason: 'session_idle' },
    })
    const again = await logIn(email, own)
    expect((await again.client.auth.sessions()).data).toMatchObject([{ id: again.id }])
  })

  test('does not end a session that another node serves', async () => {
    const clock = createTestClock(START)
    const env = { STANDING_SESSION_IDLE: '30' }
    const own = await startService(env, { now: clock.now })
    const { client, token } = await newOwner(own)
    const node = await own.node(env)
    clock.move(20 * MINUTE_MS)
    await as(node.url, token).agents.list()
    await node.close()
    clock.move(30 * MINUTE_MS)
    await client.agents.list()
  })

  test('is off by default: a session lasts as long as its token', async () => {
    const clock = createTestClock(START)
    const own = await startService({}, { now: clock.now })
    const { client } = await newOwner(own)
    clock.move(24 * 60 * MINUTE_MS - 1)
    await client.agents.list()
    clock.move(1)
    expect(await refusal(client.agents.list())).toMatchObject(ENDED)
  })
})
