import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal, send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator
const scores = at.anyone.score

const TYPES = ['task.completed', 'task.failed', 'payment.completed', 'error.reported'] as const

/** Until the clock has moved on, so that nothing else falls into the same millisecond. */
function nextMillisecond(time: string): void {
  while (Date.now() <= Date.parse(time)) {}
}

describe('the score as of a past time', () => {
  test('is the score that was served then, whatever was reported since', async () => {
    const { client: platform } = await newPlatform(at)
    const step = fc.record({
      type: fc.constantFrom(...TYPES),
      self: fc.boolean(),
      held: fc.nat(4).map((n) => n === 0),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { agent, client } = await newAgent(at)
        const served = [await scores.get(agent.id)]
        for (const { type, self, held } of steps) {
          nextMillisecond(served.at(-1)?.computedAt ?? '')
          const wrong = held ? { type: 'task.completed' as const, data: { success: false } } : null
          await (self ? client : platform).events.submit(agent.id, wrong ?? { type })
          served.push(await scores.get(agent.id))
        }
        for (const then of served) {
          const again = await scores.get(agent.id, { at: then.computedAt })
          expect(again).toEqual({ ...then, correctedAt: null })
        }
      }),
      { numRuns: 5 },
    )
  })

  test('is corrected by later reviews, and says when', async () => {
    const { client: platform } = await newPlatform(at)
    const { agent } = await newAgent(at)
    await platform.events.submit(agent.id, { type: 'task.completed' })
    const held = await platform.events.submit(agent.id, {
      type: 'task.completed',
      data: { success: false },
    })
    const then = await scores.get(agent.id)
    nextMillisecond(then.computedAt)
    await operator.review(held.id, { decision: 'released', reason: 'It is fine.' })
    const now = await scores.get(agent.id)
    const again = await scores.get(agent.id, { at: then.computedAt })
    expect(again.score).toBe(now.score)
    expect(again.evidence.quarantined).toBe(0)
    expect(Date.parse(again.correctedAt ?? '')).toBeGreaterThan(Date.parse(then.computedAt))
    expect((await scores.get(agent.id, { at: now.computedAt })).correctedAt).toBeNull()
  })

  test('has the status that the agent had then', async () => {
    const { agent } = await newAgent(at)
    const seen = [await scores.get(agent.id)]
    for (const status of ['suspended', 'active'] as const) {
      nextMillisecond(seen.at(-1)?.computedAt ?? '')
      await operator.setAgentStatus(agent.id, { status, reason: 'A look into it.' })
      seen.push(await scores.get(agent.id))
    }
    const statuses = seen.map(({ status }) => status)
    expect(statuses).toEqual(['active', 'suspended', 'active'])
    for (const then of seen) {
      expect((await scores.get(agent.id, { at: then.computedAt })).status).toBe(then.status)
    }
  })

  test('is the same by the alias', async () => {
    const { agent } = await newAgent(at)
    const query = `?at=${encodeURIComponent(agent.createdAt)}`
    const one = await send(`${at.url}/v1/agents/${agent.id}/score${query}`)
    const two = await send(`${at.url}/v1/scores/${agent.id}${query}`)
    expect(two.text).toBe(one.text)
    expect(one.body).toMatchObject({ score: 100, computedAt: agent.createdAt })
    const etag = one.headers.get('etag') ?? ''
    const headers = { 'if-none-match': etag }
    expect((await send(`${at.url}/v1/scores/${agent.id}${query}`, { headers })).status).toBe(304)
  })

  test('before the registration is NOT_FOUND, in the future a validation error', async () => {
    const { agent } = await newAgent(at)
    const before = new Date(Date.parse(agent.createdAt) - 1).toISOString()
    expect(await refusal(scores.get(agent.id, { at: before }))).toMatchObject({
      code: 'NOT_FOUND',
      details: { registeredAt: agent.createdAt },
    })
    const later = new Date(Date.now() + 60_000).toISOString()
    for (const wrong of [later, 'yesterday']) {
      expect(await refusal(scores.get(agent.id, { at: wrong }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'query.at' }] },
      })
    }
  })
})

describe('the score at evenly spaced times', () => {
  test('is at each time the score as of that time', async () => {
    const { client: platform } = await newPlatform(at)
    const { agent } = await newAgent(at)
    for (const type of [...TYPES, ...TYPES]) {
      const { createdAt } = await platform.events.submit(agent.id, { type })
      nextMillisecond(createdAt)
    }
    const { data } = await scores.getSeries(agent.id, { points: 9 })
    expect(data).toHaveLength(9)
    expect(data[0]).toMatchObject({ at: agent.createdAt, score: 100 })
    for (const point of data) {
      const { score, interval, disputed } = await scores.get(agent.id, { at: point.at })
      expect(point).toMatchObject({ score, interval, isDisputed: disputed.isDisputed })
    }
    const { data: part } = await scores.getSeries(agent.id, {
      from: '2020-01-01T00:00:00Z',
      to: data[4]?.at ?? '',
      points: 2,
    })
    expect(part).toEqual([data[0], data[4]])
  })

  test('refuses a span that ends before it starts, starts before the agent or ends in the future', async () => {
    const { agent } = await newAgent(at)
    const { createdAt } = agent
    const before = new Date(Date.parse(createdAt) - 1).toISOString()
    const later = new Date(Date.now() + 60_000).toISOString()
    expect(await refusal(scores.getSeries(agent.id, { to: before }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    const wrong = [
      ['to', { to: later }],
      ['from', { from: later, to: createdAt }],
      ['points', { points: 1 }],
      ['points', { points: 401 }],
    ] as const
    for (const [name, query] of wrong) {
      expect(await refusal(scores.getSeries(agent.id, query))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: `query.${name}` }] },
      })
    }
  })
})
