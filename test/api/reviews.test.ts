import { describe, expect, test } from 'vitest'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService()
const { operator } = at.operator
const HELD = { type: 'task.completed' as const, data: { success: false } }
const RELEASED = { decision: 'released' as const, reason: 'A mistake in the report.' }
const UPHELD = { decision: 'upheld' as const, reason: 'It did fail.' }

async function heldEvent() {
  const { agent, owner, client } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  await platform.events.submit(agent.id, { type: 'task.completed' })
  const event = await platform.events.submit(agent.id, HELD)
  return { agent, owner, client, platform, event }
}

describe('a quarantined event', () => {
  test('is accepted, gives its reason, and changes no score', async () => {
    const { agent, owner } = await newAgent(at)
    const { client: platform } = await newPlatform(at)
    const event = await platform.events.submit(agent.id, HELD)
    expect(event).toMatchObject({
      isQuarantined: true,
      fraudFlags: ['contradictory_data'],
      review: { status: 'pending', decisions: [], appeal: null },
    })
    expect(event.quarantineReason).toMatch(/completed/)
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      score: 100,
      eventCount: 0,
      evidence: { platformReported: 0, quarantined: 1 },
    })
    const queue: string[] = []
    for await (const { id } of operator.reviews({ limit: 100 })) {
      queue.push(id)
    }
    expect(queue).toContain(event.id)
    expect((await owner.client.events.list(agent.id)).data).toEqual([event])
  })

  test('that is released counts from its own time on, as if it had never been quarantined', async () => {
    const held = await heldEvent()
    const twin = await newAgent(at)
    await held.platform.events.submit(held.agent.id, { type: 'task.failed' })
    for (const type of ['task.completed', 'task.completed', 'task.failed'] as const) {
      await held.platform.events.submit(twin.agent.id, { type })
    }
    const before = (await at.anyone.score.getHistory(held.agent.id)).data
    const reviewed = await operator.review(held.event.id, RELEASED)
    expect(reviewed).toMatchObject({
      isQuarantined: false,
      review: {
        status: 'released',
        decisions: [{ decision: 'released', reason: RELEASED.reason }],
      },
    })
    const score = await at.anyone.score.get(held.agent.id)
    const same = await at.anyone.score.get(twin.agent.id)
    expect(score).toMatchObject({ score: same.score, eventCount: 3, evidence: { quarantined: 0 } })
    const after = (await at.anyone.score.getHistory(held.agent.id)).data
    const twins = (await at.anyone.score.getHistory(twin.agent.id)).data
    expect(after.map((one) => one.score)).toEqual(twins.map((one) => one.score))
    expect(after.map(({ correctedAt }) => correctedAt !== null)).toEqual([true, true, false])
    expect(after.at(-1)).toEqual(before.at(-1))
  })

  test('that is upheld never counts; the agent’s owner can appeal once, and then the decision is final', async () => {
    const { agent, owner, event } = await heldEvent()
    const before = (await at.anyone.score.get(agent.id)).score
    await operator.review(event.id, UPHELD)
    expect((await at.anyone.score.get(agent.id)).score).toBe(before)
    const stranger = await newOwner(at)
    const appeal = (as: typeof owner.client) => as.events.appeal(event.id, 'Look at the log.')
    expect(await refusal(appeal(stranger.client))).toMatchObject({ status: 403 })
    expect(await appeal(owner.client)).toMatchObject({
      isQuarantined: true,
      review: { status: 'appealed', appeal: { statement: 'Look at the log.' } },
    })
    expect(await refusal(appeal(owner.client))).toMatchObject({ status: 409, code: 'CONFLICT' })
    const closed = await operator.review(event.id, RELEASED)
    expect(closed.review?.decisions.map(({ decision }) => decision)).toEqual(['upheld', 'released'])
    expect(await refusal(operator.review(event.id, UPHELD))).toMatchObject({ status: 409 })
    expect((await at.anyone.score.get(agent.id)).score).toBeGreaterThan(before)
  })

  test('is decided on once, even by simultaneous requests', async () => {
    const { event, agent } = await heldEvent()
    const decisions = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => operator.review(event.id, i % 2 ? RELEASED : UPHELD)),
    )
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const quarantined = (await at.anyone.score.get(agent.id)).evidence.quarantined
    expect([0, 1]).toContain(quarantined)
  })

  test('is decided on only by the operator, and only while it is quarantined', async () => {
    const { agent, owner, platform, event } = await heldEvent()
    const { status } = await send(`${at.url}/v1/operator/events/${event.id}/review`, {
      key: owner.token,
      json: RELEASED,
    })
    expect(status).toBe(403)
    const clean = await platform.events.submit(agent.id, { type: 'task.completed' })
    expect(await refusal(operator.review(clean.id, RELEASED))).toMatchObject({ status: 409 })
    expect(await refusal(owner.client.events.appeal(clean.id, 'why?'))).toMatchObject({
      status: 409,
    })
    const missing = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    expect(await refusal(operator.review(missing, RELEASED))).toMatchObject({ status: 404 })
  })
})

test('the audit log names who decided what', async () => {
  const { event } = await heldEvent()
  await operator.review(event.id, UPHELD)
  const [entry] = (await operator.audit({ limit: 1 })).data
  expect(entry).toMatchObject({
    actor: { kind: 'operator', name: 'settings' },
    action: 'event.reviewed',
    target: { kind: 'event', id: event.id },
    details: UPHELD,
  })
})
