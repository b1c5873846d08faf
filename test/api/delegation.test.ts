import { afterAll, describe, expect, test } from 'vitest'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  PASSWORD,
  startService,
} from '../support/service.ts'

/** Agents that act for another agent of their owner. */

const DAY_MS = 86_400_000

const clock = createTestClock('2026-06-01T09:00:00.000Z')
const at = await startService(
  { STANDING_RATE_LIMITS: 'off' },
  // Nearly each test waits for what follows for a parent or a child.
  { now: clock.now, backgroundMs: 50 },
)
const platforms = [await newPlatform(at), await newPlatform(at)] as const
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

type Owner = Awaited<ReturnType<typeof newOwner>>

/** With a token of today: tokens are good for a day. */
async function renewed(owner: Owner): Promise<Owner> {
  const { token } = await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
  return { ...owner, token, client: owner.client.with({ token }) }
}

const GOOD_DAY = ['task.completed', 'payment.completed', 'task.completed'] as const

/** These agents work well for some days, for both platforms. */
async function work(agentIds: readonly string[], days: number) {
  for (let day = 0; day < days; day++) {
    clock.move(DAY_MS)
    for (const { client } of platforms) {
      for (const id of agentIds) {
        await client.events.report(
          id,
          GOOD_DAY.map((type) => ({ type })),
        )
      }
    }
  }
}

async function fail(agentId: string, count = 10, by: readonly (typeof platforms)[0][] = platforms) {
  const events = Array.from({ length: count }, () => ({ type: 'task.failed' as const }))
  for (const { client } of by) {
    await client.events.report(agentId, events)
  }
}

const scoreOf = async (id: string) => (await at.anyone.score.get(id)).score

async function newChild({ client }: Owner, parentId: string) {
  return client.agents.register({ displayName: 'child', parentId })
}

const ceilingOf = async (id: string) =>
  (await store.agentStates.find({ agentId: id }))?.evidence.parentCeiling

/** Waits until what the events caused for parents and children is carried out. */
function settled() {
  return eventually(async () => expect(await store.delegationTasks.waiting([], 1)).toEqual([]))
}

/** What is stored follows from the log, the explanation sums up, and a receipt verifies offline. */
async function expectProven(id: string) {
  expect(await checkAgent(store, id)).toMatchObject({ difference: null })
  const { score } = await at.anyone.score.get(id)
  const { contributions } = await at.operator.score.explain(id)
  const { start, time, correction, dimensions, types } = contributions
  for (const groups of [dimensions, types]) {
    const points = groups.map((group) => group.points)
    expect(points.reduce((sum, one) => sum + one, start + time + correction)).toBe(score)
  }
  const { receipt } = await at.anyone.score.getReceipt(id)
  const lines = (await at.operator.events.export(id)).trimEnd().split('\n')
  const keys = { keys: [...(await at.anyone.score.receiptKeys()).keys] }
  expect(await verifyProof({ receipt, lines, keys })).toMatchObject({ problem: null })
}

/** A parent that works well for some days, and a child that works as well. */
async function family(days = 6) {
  const { agent: parent, owner } = await newAgent(at)
  const child = await newChild(owner, parent.id)
  await work([parent.id, child.id], days)
  await settled()
  return { parent, child, owner: await renewed(owner) }
}

test('an agent without a parent may be registered with what its record has, null', async () => {
  const { client } = await newOwner(at)
  const { parentId } = await client.agents.register({ displayName: 'first' })
  expect(await client.agents.register({ displayName: 'again', parentId })).toMatchObject({
    parentId: null,
  })
})

describe('an agent that acts for a parent', () => {
  test('starts like any new agent, rises with its parent and never above it', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    expect(child).toMatchObject({ parentId: parent.id, status: 'active' })
    expect(await scoreOf(child.id)).toBe(100)
    await work([child.id], 3)
    expect(await scoreOf(child.id)).toBe(100)
    const { reasons } = await at.anyone.score.explain(child.id)
    expect(reasons.map(({ code }) => code)).toContain('has_parent')
    await work([parent.id, child.id], 6)
    await settled()
    const [high, low] = [await scoreOf(parent.id), await scoreOf(child.id)]
    expect(low).toBeGreaterThan(200)
    expect(low).toBeLessThanOrEqual(high)
    await expectProven(child.id)
    await expectProven(parent.id)
    const { client } = await renewed(owner)
    const { data } = await client.events.list(child.id, { type: 'agent.limited' })
    expect(data.at(-1)).toMatchObject({
      data: { parentId: parent.id, ceiling: 100 },
      reporter: { kind: 'agent', id: parent.id },
      dimension: 'identity',
    })
    expect((await client.agents.list({ parentId: parent.id })).data).toMatchObject([
      { id: child.id },
    ])
    expect((await client.agents.list({ parentId: child.id })).data).toEqual([])
  })

  test('has its ceilings as events that are neither self-reported nor reported by a platform', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    await settled()
    const own = owner.client.with({ apiKey: child.apiKey })
    const receiver = await startReceiver()
    const hook = { url: receiver.url, events: ['event.ingested' as const], agentIds: [child.id] }
    receiver.secrets.push((await owner.client.webhooks.create(hook)).secret)
    await own.events.report(child.id, { type: 'task.completed' })
    await fail(parent.id)
    await settled()

    const limited = (await own.events.list({ type: 'agent.limited' })).data
    expect(limited.length).toBeGreaterThan(0)
    expect(limited.map(({ isSelfReported }) => isSelfReported)).toEqual(limited.map(() => false))
    await eventually(() =>
      expect(receiver.bodies.map(({ data }) => [data.type, data.isSelfReported])).toEqual([
        ['task.completed', true],
        // The first one was at its registration, before the webhook.
        ...limited.slice(1).map(() => ['agent.limited', false]),
      ]),
    )
    const { evidence, eventCount } = await at.anyone.score.get(child.id)
    expect(evidence).toEqual({ platformReported: 0, selfReported: 1, quarantined: 0 })
    expect(eventCount).toBe(1 + limited.length)
    const { reasons } = await at.anyone.score.explain(child.id)
    expect(reasons.map(({ code }) => code)).toContain('self_reported_only')

    const next = await owner.client.agents.registerSuccessor(child.id)
    await platforms[0].client.events.submit(next.id, { type: 'task.completed' })
    await settled()
    expect((await at.anyone.score.get(next.id)).evidence).toEqual({
      platformReported: 1,
      selfReported: 1,
      quarantined: 0,
    })
    await expectProven(child.id)
    await expectProven(next.id)
  })

  test('rises with its parent when the past of the parent is imported', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    const { platform } = await newPlatform(at, { verified: true })
    const past = Array.from({ length: 60 }, (_, day) => ({
      at: new Date(clock.now() - (60 - day) * DAY_MS).toISOString(),
      agent: parent.id,
      by: platform.id,
      type: 'task.completed',
      externalId: `order-${day}`,
    }))
    const response = await fetch(`${at.url}/v1/operator/imports?name=past`, {
      method: 'POST',
      headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/x-ndjson' },
      body: past.map((line) => JSON.stringify(line)).join('\n'),
    })
    expect(await response.json()).toMatchObject({ imported: 60, refused: 0 })
    await settled()
    expect(await ceilingOf(child.id)).toBeGreaterThan(500)
  })

  test('falls with its parent: webhooks are sent, its score credential ends, and the past stays', async () => {
    const { parent, child, owner } = await family(9)
    const before = await at.anyone.score.get(child.id)
    const receiver = await startReceiver()
    const hook = { url: receiver.url, events: ['score.changed' as const], agentIds: [child.id] }
    receiver.secrets.push((await owner.client.webhooks.create(hook)).secret)
    const credential = await owner.client.credentials.issueScore(child.id, { atLeast: 'poor' })
    const then = new Date(clock.now()).toISOString()
    clock.move(1000)
    await fail(parent.id, 40)
    await settled()
    const after = await scoreOf(child.id)
    expect(after).toBeLessThanOrEqual(await scoreOf(parent.id))
    expect(after).toBeLessThan(before.score - 100)
    expect(await at.anyone.credentials.verify(credential.id)).toMatchObject({ status: 'revoked' })
    expect((await at.anyone.score.get(child.id, { at: then })).score).toBe(before.score)
    await eventually(() =>
      expect(receiver.bodies.at(-1)?.data).toMatchObject({ agentId: child.id, newScore: after }),
    )
    await expectProven(child.id)
  })

  test('costs its parent points where platforms find it bad, and gains it none', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const { agent: alone } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    await work([parent.id, alone.id, child.id], 8)
    await settled()
    // What the parent's children do well is not the parent's.
    expect(await scoreOf(parent.id)).toBe(await scoreOf(alone.id))
    const before = await scoreOf(parent.id)
    await fail(child.id, 1)
    await settled()
    expect(await scoreOf(parent.id)).toBe(before)
    await fail(child.id, 60)
    await settled()
    expect(await scoreOf(child.id)).toBeLessThan(300)
    expect(await scoreOf(parent.id)).toBeLessThan(before - 100)
    await expectProven(parent.id)
    const { reasons } = await at.anyone.score.explain(parent.id)
    expect(reasons.map(({ code }) => code)).toContain('child_failures')
    const { client } = await renewed(owner)
    const { data } = await client.events.list(parent.id, { type: 'child.work_failed', limit: 1 })
    expect(data[0]).toMatchObject({
      data: { childId: child.id, observation: -0.9 },
      reporter: { kind: 'platform' },
      isSelfReported: false,
      isQuarantined: false,
    })
  })

  test('affects its parent after a review released what was quarantined', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    await fail(child.id, 4, [platforms[0]])
    await settled()
    const seqOf = async () => (await store.agentStates.find({ agentId: parent.id }))?.seq ?? 0
    const before = await seqOf()
    const contradictory = { type: 'task.failed', data: { success: true } } as const
    const held = await platforms[0].client.events.submit(child.id, contradictory)
    expect(held.isQuarantined).toBe(true)
    await settled()
    expect(await seqOf()).toBe(before)
    await at.operator.operator.review(held.id, { decision: 'released', reason: 'it failed' })
    await eventually(async () => expect(await seqOf()).toBe(before + 1))
    await expectProven(parent.id)
  })

  test('scores like an unknown agent while its parent is suspended', async () => {
    const { parent, child } = await family()
    const before = await scoreOf(child.id)
    await at.operator.operator.setAgentStatus(parent.id, { status: 'suspended', reason: 'fraud' })
    await settled()
    expect(await scoreOf(child.id)).toBe(100)
    await at.operator.operator.setAgentStatus(parent.id, { status: 'active', reason: 'cleared' })
    await settled()
    expect(await scoreOf(child.id)).toBe(before)
    await expectProven(child.id)
  })

  test('is still limited by a deactivated parent', async () => {
    const { parent, child, owner } = await family()
    await owner.client.agents.deactivate(parent.id)
    await work([child.id], 4)
    await settled()
    expect(await ceilingOf(child.id)).toBeLessThanOrEqual(await scoreOf(parent.id))
    expect(await scoreOf(child.id)).toBeLessThanOrEqual(await scoreOf(parent.id))
    await fail(child.id, 40)
    await settled()
    const { data } = await (await renewed(owner)).client.events.list(parent.id, {
      type: 'child.work_failed',
    })
    expect(data.length).toBeGreaterThan(0)
  })

  test('is transferred without its parent, and keeps its ceiling until tenure raises it', async () => {
    const { parent, child, owner } = await family()
    const buyer = await newOwner(at)
    const refused = await refusal(
      owner.client.transfers.offer(parent.id, { toOwnerId: buyer.owner.id }),
    )
    expect(refused).toMatchObject({ status: 409, details: { reason: 'agent_has_children' } })
    const most = await ceilingOf(child.id)
    const offer = await owner.client.transfers.offer(child.id, { toOwnerId: buyer.owner.id })
    const { agent } = await buyer.client.transfers.accept(offer.id)
    expect(agent.parentId).toBeNull()
    expect((await store.agentStates.find({ agentId: child.id }))?.evidence).toMatchObject({
      parentCeiling: 1000,
      ceiling: most,
    })
    const seq = (await store.agentStates.find({ agentId: parent.id }))?.seq
    await fail(child.id)
    await settled()
    expect((await store.agentStates.find({ agentId: parent.id }))?.seq).toBe(seq)
    await expectProven(child.id)
    const sold = await owner.client.transfers.offer(parent.id, { toOwnerId: buyer.owner.id })
    expect(await buyer.client.transfers.accept(sold.id)).toMatchObject({
      transfer: { status: 'accepted' },
    })
  })

  test('stays with its parent’s successor, and its own successor stays with its parent', async () => {
    const { parent, child, owner } = await family()
    const parentSeen = async () => {
      const { agent } = await platforms[0].client.decisions.decide({ agentId: child.id })
      return agent?.parentId
    }
    expect(await parentSeen()).toBe(parent.id)
    const next = await owner.client.agents.registerSuccessor(parent.id)
    expect(await parentSeen()).toBe(next.id)
    await settled()
    expect(await owner.client.agents.get(child.id)).toMatchObject({ parentId: next.id })
    expect(await scoreOf(child.id)).toBeLessThanOrEqual(await scoreOf(next.id))
    const newer = await owner.client.agents.registerSuccessor(child.id)
    expect(newer.parentId).toBe(next.id)
    await fail(newer.id, 20)
    await fail(next.id, 40)
    await settled()
    expect(await scoreOf(newer.id)).toBeLessThanOrEqual(await scoreOf(next.id))
    const { data } = await owner.client.events.list(next.id, { type: 'child.work_failed' })
    expect(data[0]?.data).toMatchObject({ childId: newer.id })
    for (const id of [next.id, newer.id]) {
      await expectProven(id)
    }
  })

  test('counts for every agent above it, and limits every agent below it', async () => {
    const { agent: top, owner } = await newAgent(at)
    const middle = await newChild(owner, top.id)
    const child = await newChild(owner, middle.id)
    await fail(child.id)
    await settled()
    for (const { id } of [top, middle]) {
      expect(
        (await store.agentStates.find({ agentId: id }))?.evidence.reliabilityCount,
      ).toBeGreaterThan(0)
      expect(await scoreOf(id)).toBeLessThan(100)
    }
    expect(await scoreOf(middle.id)).toBeLessThanOrEqual(await scoreOf(top.id))
    expect(await ceilingOf(child.id)).toBeLessThan(100)
    for (const { id } of [top, middle, child]) {
      await expectProven(id)
    }
  })

  test('is erased together with its account, and so is its parent', async () => {
    const { parent, child, owner } = await family()
    await fail(child.id)
    await owner.client.auth.erase(owner.email)
    await eventually(async () => {
      for (const { id } of [parent, child]) {
        expect(await at.operator.agents.get(id)).toMatchObject({ displayName: 'Erased agent' })
      }
    })
    await settled()
    await expectProven(parent.id)
  })
})

describe('a parent', () => {
  test('is an active agent of the same account and mode, with few agents above it', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const stranger = await newOwner(at)
    const gone = await owner.client.agents.register({ displayName: 'gone' })
    await owner.client.agents.deactivate(gone.id)
    const second = await newChild(owner, parent.id)
    const third = await newChild(owner, second.id)
    const fourth = await newChild(owner, third.id)
    for (const [by, parentId] of [
      [stranger, parent.id],
      [owner, crypto.randomUUID()],
      [owner, gone.id],
      [owner, fourth.id],
      [owner, 'me'],
    ] as const) {
      const refused = await refusal(newChild(by, parentId))
      expect(refused).toMatchObject({
        status: 400,
        details: { issues: [{ path: expect.stringContaining('parentId') }] },
      })
    }
    await at.operator.operator.setAgentStatus(parent.id, { status: 'suspended', reason: 'fraud' })
    expect(await refusal(newChild(owner, parent.id))).toMatchObject({ status: 400 })
    expect((await owner.client.agents.list()).data).toHaveLength(5)
  })

  test('and its child get their internal events only from the service', async () => {
    const { agent: parent, owner } = await newAgent(at)
    const child = await newChild(owner, parent.id)
    for (const type of ['agent.limited', 'child.work_failed', 'child.payment_failed']) {
      const submitted = platforms[0].client.events.submit(child.id, { type } as never)
      expect(await refusal(submitted)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    }
  })

  test('can have a hundred children', async () => {
    const { agent: parent, owner } = await newAgent(at)
    await at.operator.operator.updateOwner(owner.owner.id, { tier: 'platform' })
    for (let i = 0; i < 100; i++) {
      await newChild(owner, parent.id)
    }
    expect(await refusal(newChild(owner, parent.id))).toMatchObject({
      status: 403,
      details: { limit: 'max_children', max: 100 },
    })
  })
})
