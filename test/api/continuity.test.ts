import { Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { createTestClock } from '../support/clock.ts'
import { openStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { refusal, send } from '../support/http.ts'
import { newEd25519, signedBy } from '../support/identifiers.ts'
import { importPast, type PastLine } from '../support/past.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const DAY_MS = 86_400_000

const clock = createTestClock('2026-06-01T09:00:00.000Z')
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })
const platforms = [await newPlatform(at), await newPlatform(at)]

/** Works well for some days, for two platforms. */
async function work(agentId: string, days: number) {
  const types = ['task.completed', 'payment.completed', 'task.completed', 'payment.completed']
  const lines: PastLine[] = []
  for (let day = 0; day < days; day++) {
    clock.move(DAY_MS)
    for (const { platform } of platforms) {
      const report = { at: clock.now(), agent: agentId, by: platform.id }
      lines.push(...types.map((type) => ({ ...report, type })))
    }
  }
  await importPast(at, lines)
}

async function goodAgent(days = 30) {
  const made = await newAgent(at)
  await work(made.agent.id, days)
  return { ...made, owner: await renewed(made.owner) }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

/** With a token of today: tokens are good for a day. */
async function renewed(owner: Owner): Promise<Owner> {
  const { token } = await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
  return { ...owner, token, client: owner.client.with({ token }) }
}

const scoreOf = async (id: string) => (await at.anyone.score.get(id)).score

/** The contributions of an explanation, summed in each of its groupings. */
async function sumsOf(agentId: string, { client }: Owner) {
  const { contributions } = await client.score.explain(agentId)
  const { start, time, correction, dimensions, types, reporters } = contributions
  const rest = start + time + correction
  const sum = (groups: readonly { readonly points: number }[]) =>
    groups.reduce((total, { points }) => total + points, rest)
  return [sum(dimensions), sum(types), sum(reporters ?? [])]
}

async function verdictOf(agentId: string) {
  const { receipt } = await at.anyone.score.getReceipt(agentId)
  const lines = (await at.operator.events.export(agentId)).trimEnd().split('\n')
  const keys = { keys: [...(await at.anyone.score.receiptKeys()).keys] }
  return verifyProof({ receipt, lines, keys })
}

/** The shares of a credential that its owner issues and a platform confirms. */
async function certified(agentId: string, { client }: Owner) {
  const { id } = await client.credentials.issue({ agentId, type: 'Audit', claims: {} })
  const named = { type: 'credential.issued', data: { credentialId: id } } as const
  await platforms[0]?.client.events.submit(agentId, named)
  const { data } = await client.events.list(agentId, { type: 'credential.issued', limit: 2 })
  return data.map(({ share }) => share)
}

async function handOver(agentId: string, seller: Owner, buyer: Owner) {
  const { id } = await seller.client.transfers.offer(agentId, { toOwnerId: buyer.owner.id })
  return buyer.client.transfers.accept(id)
}

describe('an agent that is transferred to another owner', () => {
  test('keeps its id, events and history; its score falls until it has worked for the new owner', async () => {
    const { agent, owner: seller } = await goodAgent()
    const buyer = await newOwner(at)
    const before = await at.anyone.score.get(agent.id)
    expect(before.classification).toBe('good')
    const offer = await seller.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
    expect(offer).toMatchObject({ status: 'pending', agentId: agent.id, toOwnerEmail: null })
    expect(await scoreOf(agent.id)).toBe(before.score)
    const accepted = await buyer.client.transfers.accept(offer.id)
    expect(accepted.agent).toMatchObject({ id: agent.id, ownerId: buyer.owner.id })
    expect(accepted.transfer).toMatchObject({ status: 'accepted', toOwnerId: buyer.owner.id })
    const after = await at.anyone.score.get(agent.id)
    expect(after.score).toBeLessThan(500)
    expect(after.eventCount).toBe(before.eventCount + 1)
    const history = await at.anyone.score.getHistory(agent.id)
    expect(history.data[0]).toMatchObject({ trigger: { type: 'agent.transferred' } })
    const { evidence, eventCount } = await at.anyone.score.get(agent.id)
    expect(evidence.platformReported + evidence.selfReported).toBe(eventCount - 1)
    const { data } = await buyer.client.events.list(agent.id, { type: 'agent.transferred' })
    expect(data).toMatchObject([{ data: { transferId: offer.id }, isQuarantined: false }])
    expect(await sumsOf(agent.id, buyer)).toEqual([after.score, after.score, after.score])
    const { reasons } = await buyer.client.score.explain(agent.id)
    expect(reasons.map(({ code }) => code)).toContain('new_owner')
    expect(await verdictOf(agent.id)).toMatchObject({ problem: null })
    await work(agent.id, 22)
    expect((await at.anyone.score.get(agent.id)).classification).toBe('good')
  })

  test('ends every right of the former owner at once: keys, reads, webhooks, credentials, names', async () => {
    const { agent, owner: seller, client } = await newAgent(at)
    const buyer = await newOwner(at)
    const receiver = await startReceiver()
    const hook = { url: receiver.url, events: ['*' as const], agentIds: [agent.id] }
    const { secret } = await seller.client.webhooks.create(hook)
    receiver.secrets.push(secret)
    const listener = await seller.client.webhooks.listen({ events: ['*'] })
    const stream = await openStream(`${at.url}/v1/agents/${agent.id}/events/stream`, seller.token)
    const claims = { grade: 'A' }
    const credential = await seller.client.credentials.issue({
      agentId: agent.id,
      type: 'A',
      claims,
    })
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await client.identifiers.claim(agent.id, { type: 'did', value })
    const signature = await signedBy(privateKey, claim.challenge ?? '')
    await client.identifiers.verify(agent.id, claim.id, { signature })

    const { apiKey } = await handOver(agent.id, seller, buyer)

    let message = await stream.next()
    while (message !== null) {
      message = await stream.next()
    }
    expect(await refusal(client.agents.me())).toMatchObject({ status: 401 })
    const now = new Standing({ baseUrl: at.url, apiKey, retriesMax: 0 })
    expect((await now.agents.me()).ownerId).toBe(buyer.owner.id)
    const { client: former } = seller
    const denied = [
      () => former.agents.get(agent.id),
      () => former.agents.update(agent.id, { displayName: 'mine' }),
      () => former.agents.rotateKey(agent.id),
      () => former.agents.deactivate(agent.id),
      () => former.events.list(agent.id),
      () => former.events.export(agent.id),
      () => former.credentials.issue({ agentId: agent.id, type: 'A', claims }),
      () => former.transfers.offer(agent.id, { toOwnerId: buyer.owner.id }),
    ]
    for (const call of denied) {
      expect(await refusal(call())).toMatchObject({ status: 403 })
    }
    expect((await former.agents.list()).data).toEqual([])
    expect(await at.anyone.credentials.verify(credential.id)).toMatchObject({ status: 'revoked' })
    expect(await at.anyone.lookup.get(value)).toMatchObject({ match: 'claimed' })
    const { data: names } = await buyer.client.identifiers.list(agent.id)
    expect(names).toMatchObject([{ value, problem: { code: 'agent_transferred' } }])
    await platforms[0]?.client.events.submit(agent.id, { type: 'task.completed' })
    await now.identifiers.verify(agent.id, claim.id, { signature })
    expect(await at.anyone.lookup.get(value)).toMatchObject({ match: 'verified' })
    await eventually(() =>
      expect(receiver.bodies.map(({ type }) => type)).toContain('agent.transferred'),
    )
    expect(receiver.bodies.at(-1)).toMatchObject({
      type: 'agent.transferred',
      data: { direction: 'out', fromOwnerId: seller.owner.id, toOwnerId: buyer.owner.id },
    })
    // A listener gets them in order: once every older transaction of the server has ended.
    await eventually(async () => {
      const { data: sent } = await former.webhooks.notifications(listener.id)
      expect(sent.at(-1)).toMatchObject({ type: 'agent.transferred' })
    })
  })

  test('is not the former owner’s again by a repeated Idempotency-Key: the key in the response is dead', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    const rotate = (idempotencyKey: string) =>
      seller.client.agents.rotateKey(agent.id, undefined, { idempotencyKey })
    const rotated = await rotate('before')
    const { apiKey } = await handOver(agent.id, seller, buyer)
    expect(await rotate('before')).toEqual(rotated)
    expect(await refusal(rotate('after'))).toMatchObject({ status: 403 })
    const speaking = (key: string) => new Standing({ baseUrl: at.url, apiKey: key, retriesMax: 0 })
    expect(await refusal(speaking(rotated.apiKey).agents.me())).toMatchObject({ status: 401 })
    expect((await speaking(apiKey).agents.me()).ownerId).toBe(buyer.owner.id)
  })

  test('gets its credentials again from its new owner and the same platform, and they count fully', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    expect(await certified(agent.id, seller)).toEqual([1, 1])
    expect(await certified(agent.id, seller)).toEqual([0, 0])
    await handOver(agent.id, seller, buyer)
    expect(await certified(agent.id, buyer)).toEqual([1, 1])
    expect(await certified(agent.id, buyer)).toEqual([0, 0])
  })

  test('can be offered to an e-mail, and no other account sees the offer', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    const other = await newOwner(at)
    const offer = await seller.client.transfers.offer(agent.id, { toOwnerEmail: buyer.email })
    expect((await buyer.client.transfers.list()).data).toEqual([offer])
    expect((await seller.client.transfers.list()).data).toEqual([offer])
    expect((await other.client.transfers.list()).data).toEqual([])
    const names = { agentName: agent.displayName, fromOwnerName: seller.owner.name }
    expect(offer).toMatchObject(names)
    for (const call of [
      () => other.client.transfers.get(offer.id),
      () => other.client.transfers.accept(offer.id),
      () => other.client.transfers.decline(offer.id),
      () => other.client.transfers.withdraw(offer.id),
    ]) {
      expect(await refusal(call())).toMatchObject({ status: 404 })
    }
    await buyer.client.transfers.accept(offer.id)
    const ended = await seller.client.transfers.get(offer.id)
    expect(ended).toMatchObject({ status: 'accepted', toOwnerEmail: null })
    const unknown = await newAgent(at, seller)
    const sent = seller.client.transfers.offer(unknown.agent.id, { toOwnerEmail: 'no@example.com' })
    expect(await sent).toMatchObject({ status: 'pending', toOwnerEmail: 'no@example.com' })
  })

  test('stays with its owner when the offer is declined, withdrawn or seven days old', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    const offer = () => seller.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
    const first = await offer()
    expect(await refusal(offer())).toMatchObject({
      status: 409,
      details: { reason: 'transfer_pending' },
    })
    expect(await refusal(seller.client.transfers.accept(first.id))).toMatchObject({ status: 403 })
    expect(await refusal(seller.client.transfers.decline(first.id))).toMatchObject({ status: 403 })
    expect(await refusal(buyer.client.transfers.withdraw(first.id))).toMatchObject({ status: 403 })
    expect(await buyer.client.transfers.decline(first.id)).toMatchObject({ status: 'declined' })
    const second = await offer()
    expect(await seller.client.transfers.withdraw(second.id)).toMatchObject({ status: 'withdrawn' })
    const third = await offer()
    clock.move(7 * DAY_MS)
    const [sellerNow, buyerNow] = [await renewed(seller), await renewed(buyer)]
    expect(await buyerNow.client.transfers.get(third.id)).toMatchObject({ status: 'expired' })
    for (const [id, reason] of [
      [first.id, 'transfer_declined'],
      [second.id, 'transfer_withdrawn'],
      [third.id, 'transfer_expired'],
    ] as const) {
      const refused = await refusal(buyerNow.client.transfers.accept(id))
      expect(refused).toMatchObject({ status: 409, details: { reason } })
    }
    expect(await sellerNow.client.agents.get(agent.id)).toMatchObject({ ownerId: seller.owner.id })
    const again = { toOwnerId: buyer.owner.id }
    expect(await sellerNow.client.transfers.offer(agent.id, again)).toMatchObject({
      status: 'pending',
    })
  })

  test('requires room at the new owner, and must be neither suspended nor deactivated', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    for (let i = 0; i < 10; i++) {
      await newAgent(at, buyer)
    }
    const offered = { toOwnerId: buyer.owner.id }
    const { id } = await seller.client.transfers.offer(agent.id, offered)
    expect(await refusal(buyer.client.transfers.accept(id))).toMatchObject({
      status: 403,
      details: { limit: 'max_agents' },
    })
    const other = await newOwner(at)
    await seller.client.transfers.withdraw(id)
    const next = await seller.client.transfers.offer(agent.id, { toOwnerId: other.owner.id })
    const reason = 'fraud'
    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason })
    expect(await refusal(other.client.transfers.accept(next.id))).toMatchObject({
      status: 403,
      details: { reason: 'agent_suspended' },
    })
    await at.operator.operator.setAgentStatus(agent.id, { status: 'active', reason })
    const { id: sellerId } = seller.owner
    await at.operator.operator.updateOwner(sellerId, { status: 'suspended', reason })
    expect(await refusal(other.client.transfers.accept(next.id))).toMatchObject({
      status: 403,
      details: { reason: 'owner_suspended' },
    })
    await at.operator.operator.updateOwner(sellerId, { status: 'active', reason })
    await seller.client.agents.deactivate(agent.id)
    expect(await refusal(other.client.transfers.accept(next.id))).toMatchObject({
      status: 403,
      details: { reason: 'agent_deactivated' },
    })
  })

  test('is offered to exactly one other owner', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const { owner, email } = seller
    for (const input of [
      {},
      { toOwnerId: owner.id },
      { toOwnerEmail: email },
      { toOwnerId: owner.id, toOwnerEmail: email },
      { toOwnerEmail: 'nobody' },
    ]) {
      const refused = await refusal(seller.client.transfers.offer(agent.id, input))
      expect(refused).toMatchObject({ status: 400 })
    }
    const toOwnerId = crypto.randomUUID()
    const refused = await refusal(seller.client.transfers.offer(agent.id, { toOwnerId }))
    expect(refused).toMatchObject({ status: 404 })
  })

  test('has no report of the transfer by a platform: only the service records it', async () => {
    const { agent } = await newAgent(at)
    const json = { type: 'agent.transferred', data: {} }
    for (const [path, key] of [
      ['/v1/events', agent.apiKey],
      [`/v1/agents/${agent.id}/events`, platforms[0]?.platform.apiKey],
    ] as const) {
      const { status, body } = await send(`${at.url}${path}`, { json, key: key ?? '' })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  test('goes to only one of two accounts that accept at once', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const buyer = await newOwner(at)
    const { id } = await seller.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
    const answers = await Promise.allSettled([
      buyer.client.transfers.accept(id),
      buyer.client.transfers.accept(id),
      seller.client.transfers.withdraw(id),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('still limits the next agent of its former owner if it is bad', async () => {
    const { agent, owner: seller } = await newAgent(at)
    const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
    for (const { client } of platforms) {
      await client.events.report(agent.id, failed)
    }
    const low = await scoreOf(agent.id)
    expect(low).toBeLessThan(100)
    await handOver(agent.id, seller, await newOwner(at))
    const { agent: next } = await newAgent(at, seller)
    expect(await scoreOf(next.id)).toBeLessThanOrEqual(low)
  })

  test('starts no higher at an owner with a worse agent, and loses the praise of that owner’s platforms', async () => {
    const { agent, owner: seller } = await goodAgent(8)
    const buyer = await newOwner(at)
    const { agent: bad } = await newAgent(at, buyer)
    const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
    for (const { client } of platforms) {
      await client.events.report(bad.id, failed)
    }
    const low = await scoreOf(bad.id)
    const own = await newPlatform(at, { ownerId: buyer.owner.id })
    await own.client.events.submit(agent.id, { type: 'task.completed' })
    await handOver(agent.id, seller, buyer)
    const [transfer] = (await at.operator.events.export(agent.id)).trimEnd().split('\n').slice(-1)
    const { ownPlatforms, ownerScore } = JSON.parse(transfer ?? '{}').data
    expect([ownPlatforms, ownerScore]).toEqual([[own.platform.id], low])
    expect(await scoreOf(agent.id)).toBeLessThanOrEqual(low)
    expect(await verdictOf(agent.id)).toMatchObject({ problem: null })
  })
})

describe('a successor', () => {
  test('starts with the record of its predecessor, which is deactivated', async () => {
    const { agent, owner, client } = await goodAgent(44)
    const watcher = await newOwner(at)
    await watcher.client.watches.add(agent.id)
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await client.identifiers.claim(agent.id, { type: 'did', value })
    const signature = await signedBy(privateKey, claim.challenge ?? '')
    await client.identifiers.verify(agent.id, claim.id, { signature })
    const before = await at.anyone.score.get(agent.id)
    const next = await owner.client.agents.registerSuccessor(agent.id, { displayName: 'v2' })
    expect(next).toMatchObject({ displayName: 'v2', predecessorId: agent.id, successorId: null })
    const after = await at.anyone.score.get(next.id)
    expect(after.score).toBeLessThanOrEqual(before.score)
    expect(after.score).toBeGreaterThan(500)
    expect(after.eventCount).toBe(before.eventCount + 1)
    expect(await owner.client.agents.get(agent.id)).toMatchObject({
      status: 'deactivated',
      successorId: next.id,
    })
    expect(await refusal(client.agents.me())).toMatchObject({ status: 401 })
    const late = platforms[0]?.client.events.submit(agent.id, { type: 'payment.disputed' })
    expect(await refusal(Promise.resolve(late))).toMatchObject({
      status: 403,
      details: { reason: 'agent_deactivated', successorId: next.id },
    })
    expect(await at.anyone.lookup.get(value)).toMatchObject({ agent: { id: next.id } })
    expect((await watcher.client.watches.list()).data).toMatchObject([{ agentId: next.id }])
    expect(await sumsOf(next.id, owner)).toEqual([after.score, after.score, after.score])
    expect(await verdictOf(next.id)).toMatchObject({ problem: null })
    await work(next.id, 1)
    expect(await verdictOf(next.id)).toMatchObject({ problem: null })
    const { data } = await (await renewed(owner)).client.events.list(next.id, {
      type: 'agent.succeeded',
    })
    expect(data[0]?.data).toEqual({ predecessorId: agent.id })
  })

  test('gets the credentials of its predecessor again, and they count fully', async () => {
    const { agent, owner } = await newAgent(at)
    expect(await certified(agent.id, owner)).toEqual([1, 1])
    const next = await owner.client.agents.registerSuccessor(agent.id)
    expect(await certified(next.id, owner)).toEqual([1, 1])
  })

  test('takes over all names of its predecessor, however many and long they are', async () => {
    const { agent, owner, client } = await newAgent(at)
    const clientIds = Array.from({ length: 50 }, (_, i) => `${i}-`.padEnd(500, '%'))
    for (const value of clientIds) {
      await client.identifiers.claim(agent.id, { type: 'oauth_client', value })
    }
    const next = await owner.client.agents.registerSuccessor(agent.id)
    const { data } = await owner.client.identifiers.list(next.id, { limit: 100 })
    expect(new Set(data.map(({ value }) => value))).toEqual(new Set(clientIds))
  })

  test('keeps everything bad, and is the only one', async () => {
    const { agent, owner } = await newAgent(at)
    const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
    for (const { client } of platforms) {
      await client.events.report(agent.id, failed)
    }
    const low = await scoreOf(agent.id)
    const next = await owner.client.agents.registerSuccessor(agent.id)
    expect(await scoreOf(next.id)).toBeLessThanOrEqual(low)
    expect(await refusal(owner.client.agents.registerSuccessor(agent.id))).toMatchObject({
      status: 403,
      details: { reason: 'agent_deactivated' },
    })
    const stranger = await newOwner(at)
    expect(await refusal(stranger.client.agents.registerSuccessor(next.id))).toMatchObject({
      status: 403,
    })
    const third = await owner.client.agents.registerSuccessor(next.id)
    expect(await scoreOf(third.id)).toBeLessThanOrEqual(low)
    expect(await verdictOf(third.id)).toMatchObject({ problem: null })
  })

  test('cannot be registered until the quarantined events are reviewed', async () => {
    const { agent, owner } = await newAgent(at)
    const contradictory = { type: 'task.completed', data: { success: false } } as const
    const held = await platforms[0]?.client.events.submit(agent.id, contradictory)
    const succeed = () => owner.client.agents.registerSuccessor(agent.id)
    expect(await refusal(succeed())).toMatchObject({
      status: 409,
      details: { reason: 'events_awaiting_review' },
    })
    await at.operator.operator.review(held?.id ?? '', { decision: 'upheld', reason: 'wrong' })
    expect(await succeed()).toMatchObject({ predecessorId: agent.id })
  })
})
