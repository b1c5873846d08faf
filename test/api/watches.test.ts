import { describe, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { newEd25519, signedBy } from '../support/identifiers.ts'
import { startMailServer } from '../support/mail.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const mail = await startMailServer()
const at = await startService({
  STANDING_RATE_LIMITS: 'off',
  SMTP_URL: mail.url,
  STANDING_MAIL_FROM: 'a@example.com',
})
const quiet = await startService()
const reporter = await newPlatform(at)

const { setAgentStatus } = at.operator.operator
const reason = 'a secret'
const suspend = (agentId: string) => setAgentStatus(agentId, { status: 'suspended', reason })
const resume = (agentId: string) => setAgentStatus(agentId, { status: 'active', reason })

describe('an agent that a platform watches', () => {
  test('causes notifications of its score, status and names, with public data', async () => {
    const { agent, owner, client } = await newAgent(at)
    const receiver = await startReceiver()
    const { client: watcher } = await newPlatform(at)
    const webhook = await watcher.webhooks.create({ url: receiver.url, events: ['*'] })
    receiver.secrets.push(webhook.secret)
    const watch = await watcher.watches.add(agent.id)
    expect(await watcher.watches.add(agent.id)).toEqual(watch)
    expect((await watcher.watches.list()).data).toEqual([watch])
    const events = Array.from({ length: 10 }, () => ({ type: 'task.completed' as const }))
    await reporter.client.events.report(agent.id, events)
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await client.identifiers.claim(agent.id, { type: 'did', value })
    const signature = await signedBy(privateKey, claim.challenge ?? '')
    await client.identifiers.verify(agent.id, claim.id, { signature })
    await suspend(agent.id)
    const typesNow = () => receiver.bodies.map(({ type }) => type)
    await eventually(() => expect(typesNow()).toContain('agent.status_changed'))
    const types = typesNow()
    expect(types.filter((type) => type.startsWith('event.'))).toEqual([])
    expect([...new Set(types)]).toEqual([
      'score.changed',
      'identifier.verified',
      'agent.status_changed',
    ])
    expect(receiver.bodies.at(-1)?.data).toEqual({
      agentId: agent.id,
      previousStatus: 'active',
      status: 'suspended',
      reason: null,
    })
    expect(receiver.posts.map(receiver.verified)).toEqual(types.map(() => 1))
    expect((await watcher.webhooks.deliveries(webhook.id)).data).toHaveLength(types.length)
    expect((await owner.client.watches.list()).data).toEqual([])
  })

  test('is listed newest first, over pages', async () => {
    const { client: watcher } = await newPlatform(at)
    const { owner } = await newAgent(at)
    const added: string[] = []
    for (let i = 0; i < 3; i++) {
      const { agent } = await newAgent(at, owner)
      added.push((await watcher.watches.add(agent.id)).agentId)
    }
    const first = await watcher.watches.list({ limit: 2 })
    const second = await watcher.watches.list({ limit: 2, cursor: first.nextCursor ?? '' })
    const listed = [...first.data, ...second.data].map(({ agentId }) => agentId)
    expect(listed).toEqual(added.toReversed())
    expect(second.nextCursor).toBe(null)
  })

  test('causes no notifications after it is unwatched, except to its owner as before', async () => {
    const { agent, owner } = await newAgent(at)
    const watcher = await newOwner(at)
    const input = { url: 'https://example.com/hook', events: ['agent.status_changed' as const] }
    const countOf = async ({ client }: typeof watcher, id: string) =>
      (await client.webhooks.deliveries(id)).data.length
    const theirs = await watcher.client.webhooks.create(input)
    const own = await owner.client.webhooks.create(input)
    await watcher.client.watches.add(agent.id)
    await owner.client.watches.add(agent.id)
    await suspend(agent.id)
    expect([await countOf(watcher, theirs.id), await countOf(owner, own.id)]).toEqual([1, 1])
    await watcher.client.watches.remove(agent.id)
    await resume(agent.id)
    expect([await countOf(watcher, theirs.id), await countOf(owner, own.id)]).toEqual([1, 2])
    expect(await refusal(watcher.client.watches.remove(agent.id))).toMatchObject({ status: 404 })
  })

  test('can be named in a subscription, unlike other agents of other owners', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newOwner(at)
    const input = {
      url: 'https://example.com/hook',
      events: ['score.changed' as const],
      agentIds: [agent.id],
    }
    expect(await refusal(client.webhooks.create(input))).toMatchObject({
      details: { issues: [{ path: 'agentIds.0' }] },
    })
    await client.watches.add(agent.id)
    expect(await client.webhooks.create(input)).toMatchObject({ agentIds: [agent.id] })
  })
})

describe('a message to a chat', () => {
  test.each([
    ['slack', (body: { text: string }) => body.text],
    ['discord', (body: { content: string }) => body.content],
    [
      'teams',
      (body: { attachments: { content: { body: { text: string }[] } }[] }) =>
        body.attachments[0]?.content.body[0]?.text,
    ],
  ] as const)(
    'for %s is a sentence that escapes names and marks test data',
    async (format, textOf) => {
      const owner = await newOwner(at)
      const displayName = 'Shop <!channel> @everyone [x](http://evil)'
      const agent = await owner.client.agents.register({ displayName })
      const receiver = await startReceiver({ isMadeUp: true })
      const events = ['agent.status_changed' as const]
      const webhook = await owner.client.webhooks.create({ url: receiver.url, events, format })
      expect(webhook.format).toBe(format)
      await suspend(agent.id)
      await receiver.until(1)
      const text = textOf(receiver.bodies[0] as never)
      expect(text).toBe(
        `Agent Shop channel everyone xhttpevil (${agent.id}) is suspended, was active.`,
      )
      if (format === 'discord') {
        expect(receiver.bodies[0]).toMatchObject({ allowed_mentions: { parse: [] } })
      }
      const tester = owner.client.with({ mode: 'test' })
      const tried = await tester.agents.register({ displayName: 'tried' })
      await tester.webhooks.create({ url: receiver.url, events, format })
      await tester.agents.deactivate(tried.id)
      await receiver.until(2)
      expect(textOf(receiver.bodies[1] as never)).toBe(
        `Test data: Agent tried (${tried.id}) is deactivated, was active.`,
      )
    },
  )
})

describe('a subscription by mail', () => {
  const events = ['agent.status_changed' as const]

  test('is sent only to a confirmed address of the account', async () => {
    const owner = await newOwner(at)
    const { agent } = await newAgent(at, owner)
    const url = `mailto:${owner.email}`
    const input = { url, events, format: 'mail' as const }
    const wrong = { details: { issues: [{ path: 'url' }] } }
    expect(await refusal(owner.client.webhooks.create(input))).toMatchObject(wrong)
    const link = await mail.linkTo(owner.email)
    const token = link.searchParams.get('token') ?? ''
    await at.anyone.auth.confirmEmail(token)
    const stranger = { ...input, url: 'mailto:somebody@example.com' }
    expect(await refusal(owner.client.webhooks.create(stranger))).toMatchObject(wrong)
    const { client: platform } = await newPlatform(at)
    expect(await refusal(platform.webhooks.create(input))).toMatchObject(wrong)
    expect(await refusal(owner.client.webhooks.create({ ...input, events: ['*'] }))).toMatchObject({
      details: { issues: [{ path: 'events.0' }] },
    })
    const { id } = await owner.client.webhooks.create(input)
    await suspend(agent.id)
    await eventually(() => {
      const texts = mail.mails.filter(({ to }) => to === owner.email).map(({ text }) => text)
      expect(texts.join('')).toContain(`Agent agent (${agent.id}) is suspended`)
    })
    expect((await owner.client.webhooks.get(id)).consecutiveFailures).toBe(0)
    const tester = owner.client.with({ mode: 'test' })
    const tried = await tester.agents.register({ displayName: 'tried' })
    await tester.webhooks.create(input)
    await tester.agents.deactivate(tried.id)
    await eventually(() => {
      const texts = mail.mails.filter(({ to }) => to === owner.email).map(({ text }) => text)
      const marked = texts.filter((text) => text.includes(`Test data: Agent tried (${tried.id})`))
      expect(marked).toEqual([
        expect.stringContaining('Subject: Standing: Test data: agent.status_changed'),
      ])
    })
  })

  test('ends with the membership of the person, in live and in test mode', async () => {
    const owner = await newOwner(at)
    const email = 'leaver@example.com'
    await owner.client.invitations.create({ email, role: 'member' })
    const invitation = (await mail.linkTo(email)).searchParams.get('token') ?? ''
    await at.anyone.auth.register({ email, password: PASSWORD, invitation })
    const confirmation = (await mail.linkTo(owner.email)).searchParams.get('token') ?? ''
    await at.anyone.auth.confirmEmail(confirmation)
    const tester = owner.client.with({ mode: 'test' })
    await tester.agents.register({ displayName: 'tried' })
    const stay = { url: `mailto:${owner.email}`, events, format: 'mail' as const }
    const kept = await owner.client.webhooks.create(stay)
    for (const client of [owner.client, tester]) {
      await client.webhooks.create({ ...stay, url: `mailto:${email}` })
    }
    const { data } = await owner.client.members.list()
    const leaver = data.find((member) => member.email === email)
    await owner.client.members.remove(leaver?.id ?? '')
    const idsOf = async (client: typeof tester) =>
      (await client.webhooks.list()).data.map(({ id }) => id)
    expect(await idsOf(owner.client)).toEqual([kept.id])
    expect(await idsOf(tester)).toEqual([])
  })

  test('is refused if the service sends no mail', async () => {
    const owner = await newOwner(quiet)
    const input = { url: `mailto:${owner.email}`, events, format: 'mail' as const }
    expect(await refusal(owner.client.webhooks.create(input))).toMatchObject({
      details: { issues: [{ path: 'format', code: 'no_mail' }] },
    })
  })
})

test('of accounts that watch an agent at the same time, the hundredth is the last', async () => {
  const { agent } = await newAgent(at)
  const database = createPool({ url: at.database.url }, { max: 1 })
  await database.query(
    `insert into watches (agent_id, holder_id, created_at)
     select $1, gen_random_uuid(), 0 from generate_series(1, 98)`,
    [agent.id],
  )
  await database.end()
  const platforms = await Promise.all(Array.from({ length: 6 }, () => newPlatform(at)))
  const added = await Promise.allSettled(
    platforms.map(({ client }) => client.watches.add(agent.id)),
  )
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('an account can watch 1,000 agents, and an agent by 50 owners and 100 accounts', async () => {
  const { agent, owner } = await newAgent(at)
  const { agent: next } = await newAgent(at)
  const busy = await newOwner(at)
  const database = createPool({ url: at.database.url }, { max: 1 })
  await database.query(
    `with many as (
       insert into agents (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at)
       select gen_random_uuid(), $1, 'one of many', '{}', false, 0, 0 from generate_series(1, 999)
       returning id)
     insert into watches (agent_id, holder_id, created_at) select id, $2, 0 from many`,
    [owner.owner.id, busy.owner.id],
  )
  await database.query(
    `insert into watches (agent_id, holder_id, created_at)
     select $1, gen_random_uuid(), 0 from generate_series(1, 49)`,
    [agent.id],
  )
  await database.end()
  const { client } = busy
  const first = await client.watches.add(agent.id)
  expect(await refusal(client.watches.add(next.id))).toMatchObject({
    status: 403,
    details: { limit: 'max_watches', max: 1_000 },
  })
  const other = await newOwner(at)
  expect(await refusal(other.client.watches.add(agent.id))).toMatchObject({
    status: 403,
    details: { limit: 'max_watchers', max: 50 },
  })
  // Free accounts leave places to platforms.
  const platforms = await Promise.all(Array.from({ length: 51 }, () => newPlatform(at)))
  const added = await Promise.allSettled(platforms.map((one) => one.client.watches.add(agent.id)))
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
  const refused = added.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { details: { limit: 'max_watchers', max: 100 } } })
  // What is watched already takes no room, and a place that is given up can be taken.
  expect(await client.watches.add(agent.id)).toEqual(first)
  await client.watches.remove(agent.id)
  expect(await client.watches.add(next.id)).toMatchObject({ agentId: next.id })
  expect(await other.client.watches.add(agent.id)).toMatchObject({ agentId: agent.id })
})
