import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { newEd25519, signedBy } from '../support/identifiers.ts'
import { startMailServer } from '../support/mail.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const mail = await startMailServer()
const at = await startService({
  STANDING_RATE_LIMITS: 'off',
  SMTP_URL: mail.url,
  STANDING_MAIL_FROM: 'a@example.com',
})
const reporter = await newPlatform(at)

const fail = (agentId: string) => reporter.client.events.submit(agentId, { type: 'task.failed' })
const succeed = (agentId: string) =>
  reporter.client.events.report(
    agentId,
    Array.from({ length: 40 }, () => ({ type: 'task.completed' as const })),
  )

describe('an agent that is watched', () => {
  test('notifies a platform of its score, status and names, with what anyone may read', async () => {
    const { agent, owner, client } = await newAgent(at)
    const receiver = await startReceiver()
    const { client: watcher } = await newPlatform(at)
    const webhook = await watcher.webhooks.create({ url: receiver.url, events: ['*'] })
    receiver.secrets.push(webhook.secret)
    const watch = await watcher.watches.add(agent.id)
    expect(await watcher.watches.add(agent.id)).toEqual(watch)
    expect((await watcher.watches.list()).data).toEqual([watch])
    await succeed(agent.id)
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await client.identifiers.claim(agent.id, { type: 'did', value })
    const signature = await signedBy(privateKey, claim.challenge ?? '')
    await client.identifiers.verify(agent.id, claim.id, { signature })
    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'a secret' })
    await receiver.until(4)
    const types = receiver.bodies.map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('event.'))).toEqual([])
    expect(new Set(types)).toEqual(
      new Set([
        'score.changed',
        'score.tier_changed',
        'identifier.verified',
        'agent.status_changed',
      ]),
    )
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

  test('notifies nobody any more once it is not watched, and its own owner as before', async () => {
    const { agent, owner } = await newAgent(at)
    const theirs = await startReceiver()
    const own = await startReceiver()
    const watcher = await newOwner(at)
    await watcher.client.webhooks.create({ url: theirs.url, events: ['score.changed'] })
    await owner.client.webhooks.create({ url: own.url, events: ['score.changed'] })
    await watcher.client.watches.add(agent.id)
    await owner.client.watches.add(agent.id)
    await succeed(agent.id)
    await theirs.until(1)
    await watcher.client.watches.remove(agent.id)
    const seen = theirs.posts.length
    await fail(agent.id)
    await own.until(seen + 1)
    expect(own.posts).toHaveLength(seen + 1)
    expect(theirs.posts).toHaveLength(seen)
    expect(await refusal(watcher.client.watches.remove(agent.id))).toMatchObject({ status: 404 })
  })

  test('can be named in a subscription, which no other agent of others can', async () => {
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
  ] as const)('for %s is a sentence, in which a name cannot be markup', async (format, textOf) => {
    const owner = await newOwner(at)
    const displayName = 'Shop <!channel> @everyone [x](http://evil)'
    const agent = await owner.client.agents.register({ displayName })
    const receiver = await startReceiver({ isMadeUp: true })
    const events = ['score.tier_changed' as const]
    const webhook = await owner.client.webhooks.create({ url: receiver.url, events, format })
    expect(webhook.format).toBe(format)
    await succeed(agent.id)
    await receiver.until(1)
    const text = textOf(receiver.bodies[0] as never)
    expect(text).toMatch(/^Agent Shop channel everyone xhttpevil \([\w-]{36}\) is now \w+, was /)
    expect(text).toMatch(/its score went from 100 to \d+\.$/)
    if (format === 'discord') {
      expect(receiver.bodies[0]).toMatchObject({ allowed_mentions: { parse: [] } })
    }
  })
})

describe('a subscription by mail', () => {
  const events = ['score.tier_changed' as const]

  test('goes to a confirmed address of the account alone', async () => {
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
    await succeed(agent.id)
    await eventually(() => {
      const texts = mail.mails.filter(({ to }) => to === owner.email).map(({ text }) => text)
      expect(texts.join('')).toContain(`Agent agent (${agent.id}) is now `)
    })
    expect((await owner.client.webhooks.get(id)).consecutiveFailures).toBe(0)
  })

  test('is refused where the service sends no mail', async () => {
    const quiet = await at.node({ SMTP_URL: '' })
    const owner = await newOwner(at)
    const input = { url: `mailto:${owner.email}`, events, format: 'mail' as const }
    const there = owner.client.with({ baseUrl: quiet.url })
    expect(await refusal(there.webhooks.create(input))).toMatchObject({
      details: { issues: [{ path: 'format', code: 'no_mail' }] },
    })
  })
})
