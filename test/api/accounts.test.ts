import { Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { refusal, send } from '../support/http.ts'
import {
  newAgent,
  newMember,
  newOwner,
  newPlatform,
  PASSWORD,
  startService,
  type TestService,
} from '../support/service.ts'

const at = await startService()
const { anyone, operator } = at
const ENDED = { status: 401, code: 'AUTHENTICATION_REQUIRED' }

const tokenIn = (link: string | null) => new URL(link ?? '').searchParams.get('token') ?? ''

function as(service: TestService, token: string): Standing {
  return new Standing({ baseUrl: service.url, token, retriesMax: 0 })
}

describe('sign-out', () => {
  test('ends every token of the person, and no API key', async () => {
    const { client, email } = await newOwner(at)
    const { apiKey } = await client.keys.create({ name: 'server', scopes: ['read'] })
    const second = await anyone.auth.login({ email, password: PASSWORD })
    await client.auth.logOut()
    expect(await refusal(client.agents.list())).toMatchObject(ENDED)
    expect(await refusal(as(at, second.token).agents.list())).toMatchObject(ENDED)
    expect((await as(at, apiKey).agents.list()).data).toEqual([])
    const { token } = await anyone.auth.login({ email, password: PASSWORD })
    expect((await as(at, token).agents.list()).data).toEqual([])
  })

  test('applies on every node before its response', async () => {
    const { client, token } = await newOwner(at)
    const node = new Standing({ baseUrl: (await at.node()).url, token, retriesMax: 0 })
    await node.agents.list()
    await client.auth.logOut()
    await eventually(async () => expect(await refusal(node.agents.list())).toMatchObject(ENDED))
  })

  test('of one member leaves the other members signed in', async () => {
    const owner = await newOwner(at)
    const member = await newMember(at, owner)
    await member.client.auth.logOut()
    expect(await refusal(member.client.auth.me())).toMatchObject(ENDED)
    expect(await owner.client.auth.me()).toMatchObject({ id: owner.owner.id })
  })
})

describe('an owner’s API key', () => {
  test('works wherever the token does, in either header, and identifies its account', async () => {
    const { owner, client } = await newOwner(at)
    const key = await client.keys.create({ name: 'server', scopes: ['read', 'manage'] })
    expect(key.apiKey).toMatch(/^avw_[0-9A-Za-z]{38}$/)
    const { apiKey, ...record } = key
    expect(record).toMatchObject({ name: 'server', status: 'active', createdBy: owner.id })
    for (const headers of [{ authorization: `Bearer ${apiKey}` }, { 'x-api-key': apiKey }]) {
      const { status, body } = await send(`${at.url}/v1/auth/me`, { headers })
      expect([status, body.id, body.member, body.key.id, body.permissions]).toEqual([
        200,
        owner.id,
        null,
        key.id,
        ['read', 'manage'],
      ])
    }
    const agent = await as(at, apiKey).agents.register({ displayName: 'agent' })
    expect(agent.ownerId).toBe(owner.id)
  })

  test('is listed without the key, and stops on every node when it is revoked', async () => {
    const { client } = await newOwner(at)
    const { id, apiKey } = await client.keys.create({ name: 'server', scopes: ['read'] })
    const node = new Standing({ baseUrl: (await at.node()).url, token: apiKey, retriesMax: 0 })
    await node.agents.list()
    const listed = (await client.keys.list()).data
    expect(listed).toMatchObject([{ id, name: 'server', status: 'active' }])
    expect(JSON.stringify(listed)).not.toContain(apiKey)
    expect(await client.keys.revoke(id)).toMatchObject({ id, status: 'revoked' })
    expect(await refusal(as(at, apiKey).agents.list())).toMatchObject(ENDED)
    await eventually(async () => expect(await refusal(node.agents.list())).toMatchObject(ENDED))
    expect(await client.keys.revoke(id)).toMatchObject({ id, status: 'revoked' })
  })

  test('shows when it was last used', async () => {
    const clock = createTestClock('2026-06-15T11:00:00.000Z')
    const own = await startService({}, { now: clock.now })
    const { client } = await newOwner(own)
    const { id, apiKey, lastUsedAt } = await client.keys.create({
      name: 'server',
      scopes: ['read'],
    })
    expect(lastUsedAt).toBeNull()
    const node = await own.node()
    clock.move(60_000)
    await new Standing({ baseUrl: node.url, token: apiKey, retriesMax: 0 }).agents.list()
    // A node writes it down once a minute, and when it stops.
    await node.close()
    expect((await client.keys.get(id)).lastUsedAt).toBe('2026-06-15T11:01:00.000Z')
  })

  test('expires at its time', async () => {
    const clock = createTestClock('2026-06-15T11:00:00.000Z')
    const own = await startService({}, { now: clock.now })
    const { client } = await newOwner(own)
    const expiresAt = '2026-06-15T12:00:00.000Z'
    const { id, apiKey } = await client.keys.create({ name: 'k', scopes: ['read'], expiresAt })
    const server = as(own, apiKey)
    clock.move(3_599_999)
    await server.agents.list()
    clock.move(1)
    expect(await refusal(server.agents.list())).toMatchObject(ENDED)
    expect(await client.keys.get(id)).toMatchObject({ status: 'expired', expiresAt })
  })

  test('works only for its account', async () => {
    const { client } = await newOwner(at)
    const { id } = await client.keys.create({ name: 'server', scopes: ['read'] })
    const other = (await newOwner(at)).client
    expect(await refusal(other.keys.get(id))).toMatchObject({ status: 404 })
    expect(await refusal(other.keys.revoke(id))).toMatchObject({ status: 404 })
    expect((await other.keys.list()).data).toEqual([])
  })

  test('that would already have expired, or has no scope, or has one twice, is refused', async () => {
    const { token } = await newOwner(at)
    for (const input of [
      { scopes: ['read'], expiresAt: new Date(Date.now() - 1_000).toISOString() },
      { scopes: [] },
      { scopes: ['read', 'read'] },
      { scopes: ['admin'] },
    ]) {
      const json = { name: 'server', ...input }
      const { status, body } = await send(`${at.url}/v1/keys`, { key: token, json })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('members', () => {
  test('join by a link that works once, and only for the invited e-mail', async () => {
    const owner = await newOwner(at)
    const email = 'invited-member@example.com'
    const { link, ...invitation } = await owner.client.invitations.create({ email, role: 'viewer' })
    expect((await owner.client.invitations.list()).data).toEqual([invitation])
    const join = (address: string) =>
      anyone.auth.register({ email: address, password: PASSWORD, invitation: tokenIn(link) })
    const issues = [{ path: 'invitation', code: 'invalid_token' }]
    const refused = { status: 400, code: 'VALIDATION_ERROR', details: { issues } }
    expect(await refusal(join('somebody@example.com'))).toMatchObject(refused)
    const session = await join(email)
    expect(session.owner.id).toBe(owner.owner.id)
    expect(await refusal(join(email))).toMatchObject(refused)
    expect((await owner.client.invitations.list()).data).toEqual([])
    const { member } = await as(at, session.token).auth.me()
    expect(member).toMatchObject({ email, role: 'viewer', isOwner: false, emailConfirmed: false })
    const { data } = await owner.client.members.list()
    expect(data.map(({ isOwner, role }) => [isOwner, role])).toEqual([
      [false, 'viewer'],
      [true, 'admin'],
    ])
  })

  test('are two hundred at most, open invitations included', async () => {
    const { owner, client } = await newOwner(at)
    const database = createPool({ url: at.database.url }, { max: 1 })
    await database.query(
      `insert into members (id, owner_id, email, role, created_at)
       select gen_random_uuid(), $1, 'many-' || n || '@example.com', 'viewer', 0
       from generate_series(1, 198) n`,
      [owner.id],
    )
    await database.end()
    const invite = (email: string) => client.invitations.create({ email, role: 'viewer' })
    const { id } = await invite('the-last@example.com')
    const full = { status: 403, details: { limit: 'max_members', max: 200 } }
    expect(await refusal(invite('one-more@example.com'))).toMatchObject(full)
    await client.invitations.delete(id)
    await invite('one-more@example.com')
  })

  test('cannot be invited to their own account; members of other accounts are invited like unknown people', async () => {
    const owner = await newOwner(at)
    const { member } = await newMember(at, owner)
    const { email: ofAnotherAccount } = await newOwner(at)
    for (const email of [owner.email, member.email.toUpperCase()]) {
      expect(await refusal(owner.client.invitations.create({ email }))).toMatchObject({
        status: 409,
        message: 'this person is a member of the account already',
      })
    }
    for (const email of [ofAnotherAccount, 'unknown-to-all@example.com']) {
      expect(await owner.client.invitations.create({ email })).toMatchObject({ status: 'open' })
    }
  })

  test('belong to one account: an invitation to another one says so when it is accepted', async () => {
    const { client } = await newOwner(at)
    const { email } = await newOwner(at)
    const invitation = tokenIn((await client.invitations.create({ email })).link)
    const join = anyone.auth.register({ email, password: PASSWORD, invitation })
    expect(await refusal(join)).toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /one account.*ask for an invitation to another e-mail address/,
      ),
    })
  })

  test('can be invited as fast as the account likes where nothing is mailed', async () => {
    const { client } = await newOwner(at)
    for (let n = 0; n < 12; n++) {
      await client.invitations.create({ email: `passed-on-${n}@example.com` })
    }
    expect((await client.invitations.list()).data).toHaveLength(12)
  })

  test('get the rights of a new role at once', async () => {
    const owner = await newOwner(at)
    const viewer = await newMember(at, owner, 'viewer')
    const register = () => viewer.client.agents.register({ displayName: 'agent' })
    expect(await refusal(register())).toMatchObject({
      status: 403,
      details: { reason: 'insufficient_permission', permission: 'manage' },
    })
    await owner.client.members.update(viewer.member.id, { role: 'member' })
    expect(await register()).toMatchObject({ ownerId: owner.owner.id })
  })

  test('who are removed are signed out, and can be invited again', async () => {
    const owner = await newOwner(at)
    const { member, client, email } = await newMember(at, owner)
    await owner.client.members.remove(member.id)
    expect(await refusal(client.agents.list())).toMatchObject(ENDED)
    expect(await refusal(anyone.auth.login({ email, password: PASSWORD }))).toMatchObject(ENDED)
    const { link } = await owner.client.invitations.create({ email })
    const invitation = tokenIn(link)
    expect(await anyone.auth.register({ email, password: PASSWORD, invitation })).toMatchObject({
      owner: { id: owner.owner.id },
    })
  })

  test('of another account cannot be changed, and neither can the person who opened this one', async () => {
    const owner = await newOwner(at)
    const admin = await newMember(at, owner, 'admin')
    const other = await newOwner(at)
    const own = { status: 403, details: { reason: 'account_owner' } }
    expect(await refusal(admin.client.members.remove(owner.owner.id))).toMatchObject(own)
    expect(
      await refusal(admin.client.members.update(owner.owner.id, { role: 'viewer' })),
    ).toMatchObject(own)
    expect(await refusal(admin.client.members.remove(other.owner.id))).toMatchObject({
      status: 404,
    })
  })

  test('appear in the audit log under their own names, and keys under theirs', async () => {
    const owner = await newOwner(at)
    const member = await newMember(at, owner)
    const key = await owner.client.keys.create({ name: 'server', scopes: ['manage'] })
    await member.client.agents.register({ displayName: 'agent' })
    await as(at, key.apiKey).agents.register({ displayName: 'agent' })
    await owner.client.agents.register({ displayName: 'agent' })
    const { data } = await operator.operator.audit({ limit: 3 })
    expect(data.map(({ actor }) => actor)).toEqual([
      { kind: 'owner', id: owner.owner.id, name: null },
      { kind: 'key', id: key.id, name: 'server' },
      { kind: 'member', id: member.member.id, name: null },
    ])
  })

  test('who sends the form of an invitation with a NUL in a name is asked to correct it', async () => {
    const owner = await newOwner(at)
    const email = 'nul@example.com'
    const { link } = await owner.client.invitations.create({ email, role: 'viewer' })
    const join = async (name: string) => {
      const fields = { token: tokenIn(link), email, password: PASSWORD, name }
      const body = new URLSearchParams(fields)
      const response = await fetch(`${at.url}/invitation`, { method: 'POST', body })
      return { status: response.status, text: await response.text() }
    }
    const refused = await join('A\0da')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('name: contains a NUL character')
    expect((await join('Ada')).status).toBe(200)
  })

  test('cannot join by a withdrawn invitation', async () => {
    const owner = await newOwner(at)
    const email = 'withdrawn@example.com'
    const { id, link } = await owner.client.invitations.create({ email })
    const other = (await newOwner(at)).client
    expect(await refusal(other.invitations.delete(id))).toMatchObject({ status: 404 })
    await owner.client.invitations.delete(id)
    const invitation = tokenIn(link)
    const join = anyone.auth.register({ email, password: PASSWORD, invitation })
    expect(await refusal(join)).toMatchObject({ status: 400 })
  })

  test('are removed by one of several simultaneous requests, and the others get NOT_FOUND', async () => {
    const owner = await newOwner(at)
    const { member } = await newMember(at, owner)
    const { id } = await owner.client.invitations.create({ email: 'removed-once@example.com' })
    const removals: readonly (() => Promise<unknown>)[] = [
      () => owner.client.invitations.delete(id),
      () => owner.client.members.remove(member.id),
    ]
    for (const remove of removals) {
      const ends = await Promise.allSettled(Array.from({ length: 6 }, remove))
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.status] : []))
      expect(reasons).toEqual(Array(5).fill(404))
    }
  })
})

describe('a suspended owner', () => {
  const REFUSED = { status: 403, code: 'FORBIDDEN', details: { reason: 'owner_suspended' } }

  test('is refused with any credential, and regains full access afterwards', async () => {
    const { owner, agent, client } = await newAgent(at)
    const { apiKey } = await owner.client.keys.create({ name: 'server', scopes: ['read'] })
    const member = await newMember(at, owner)
    const platform = await newPlatform(at)
    const calls = [
      () => owner.client.agents.list(),
      () => member.client.agents.list(),
      () => as(at, apiKey).agents.list(),
      () => client.agents.me(),
      () => anyone.auth.login({ email: owner.email, password: PASSWORD }),
    ]
    const suspended = await operator.operator.updateOwner(owner.owner.id, { status: 'suspended' })
    expect(suspended).toMatchObject({ id: owner.owner.id, status: 'suspended', tier: 'free' })
    for (const call of calls) {
      expect(await refusal(call())).toMatchObject(REFUSED)
    }
    // What others say about the agents, and what is public, is as before.
    await platform.client.events.submit(agent.id, { type: 'task.completed' })
    expect((await anyone.score.get(agent.id)).agentId).toBe(agent.id)
    await operator.operator.updateOwner(owner.owner.id, { status: 'active', reason: 'paid' })
    for (const call of calls) {
      await call()
    }
  })

  test('needs no reason, and one that is given is in the audit log', async () => {
    const { owner } = await newOwner(at)
    const { updateOwner, audit } = operator.operator
    await updateOwner(owner.id, { status: 'suspended' })
    await updateOwner(owner.id, { status: 'active', reason: 'paid by transfer' })
    const { data } = await audit({ limit: 2 })
    const target = { kind: 'owner', id: owner.id }
    const entry = { action: 'owner.status_set', target }
    expect(data).toMatchObject([
      { ...entry, details: { status: 'active', reason: 'paid by transfer' } },
      { ...entry, details: { status: 'suspended' } },
    ])
  })

  test('stays suspended when an operator changes nothing', async () => {
    const { owner } = await newOwner(at)
    const suspended = await operator.operator.updateOwner(owner.id, { status: 'suspended' })
    expect(await operator.operator.updateOwner(owner.id, {})).toEqual(suspended)
  })

  test('is not revealed to a person who does not know the password', async () => {
    const { owner, email } = await newOwner(at)
    await operator.operator.updateOwner(owner.id, { status: 'suspended' })
    const guess = anyone.auth.login({ email, password: 'not the password' })
    expect(await refusal(guess)).toMatchObject(ENDED)
  })
})

describe('registration', () => {
  test('by invitation admits people whom the operator invited, and members', async () => {
    const closed = await startService({ STANDING_REGISTRATION: 'invite' })
    const email = 'ada@example.com'
    const stranger = closed.anyone.auth.register({ email, password: PASSWORD })
    expect(await refusal(stranger)).toMatchObject({
      status: 403,
      details: { reason: 'invitation_required' },
    })
    const { id, link } = await closed.operator.operator.inviteOwner(email)
    expect((await closed.operator.operator.listInvitations()).data).toMatchObject([
      { id, email, role: null, status: 'open' },
    ])
    const invitation = tokenIn(link)
    const session = await closed.anyone.auth.register({ email, password: PASSWORD, invitation })
    const owner = { ...session, email, client: as(closed, session.token) }
    const member = await newMember(closed, owner)
    expect(member.owner.id).toBe(session.owner.id)
  })

  test('by invitation is not offered to people who have an account', async () => {
    const owner = await newOwner(at)
    const { member } = await newMember(at, owner)
    for (const email of [owner.email, member.email.toUpperCase()]) {
      expect(await refusal(operator.operator.inviteOwner(email))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/has an account/),
      })
    }
  })

  test('that is closed admits only members of existing accounts', async () => {
    const open = await startService()
    const owner = await newOwner(open)
    const { link } = await open.operator.operator.inviteOwner('grace@example.com')
    const node = await open.node({ STANDING_REGISTRATION: 'closed' })
    const closed = { ...open, url: node.url, anyone: open.anyone.with({ baseUrl: node.url }) }
    const refused = { status: 403, details: { reason: 'registration_closed' } }
    const register = (invitation?: string) =>
      closed.anyone.auth.register({
        email: 'grace@example.com',
        password: PASSWORD,
        ...(invitation === undefined ? {} : { invitation }),
      })
    expect(await refusal(register())).toMatchObject(refused)
    expect(await refusal(register(tokenIn(link)))).toMatchObject(refused)
    const { operator: there } = open.operator.with({ baseUrl: node.url })
    expect(await refusal(there.inviteOwner('new@example.com'))).toMatchObject(refused)
    expect(await newMember(closed, owner)).toMatchObject({ owner: { id: owner.owner.id } })
  })
})
