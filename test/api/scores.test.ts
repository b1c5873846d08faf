import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '../../src/domain/model.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({
  STANDING_EVENTS_PER_AGENT_HOUR: '100000',
  STANDING_EVENTS_PER_PLATFORM_HOUR: '100000',
})
const { anyone } = at
const MISSING = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

function events(type: 'task.completed' | 'task.failed', length: number) {
  return Array.from({ length }, () => ({ type }))
}

describe('the score', () => {
  test('of a new agent is exactly 100, untrusted, with low confidence', async () => {
    const { agent } = await newAgent(at)
    const score = await anyone.score.get(agent.id)
    expect(score).toMatchObject({
      agentId: agent.id,
      score: 100,
      classification: 'untrusted',
      confidence: 'low',
      eventCount: 0,
      evidence: { platformReported: 0, selfReported: 0, quarantined: 0 },
      forecast: { task: null, payment: null },
      status: 'active',
    })
    expect(score.breakdown.reliability.weight).toBe(0.4)
    expect(score.breakdown.financial.weight).toBe(0.35)
    expect(score.breakdown.identity.weight).toBe(0.25)
    expect((await anyone.score.getHistory(agent.id)).data).toEqual([])
  })

  test('is the sum of its dimensions, weighted 40, 35 and 25', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const task = (type: 'task.completed' | 'task.failed') => ({ type })
    const paid = { type: 'payment.completed', data: { amount: 50, currency: 'USD' } } as const
    const good = Array.from({ length: 12 }, () => task('task.completed'))
    for (const events of [good, Array.from({ length: 6 }, () => task('task.failed')), [paid]]) {
      await client.events.report(agent.id, events)
      const { score, breakdown } = await anyone.score.get(agent.id)
      const { reliability, financial, identity } = breakdown
      const sum = 0.4 * reliability.score + 0.35 * financial.score + 0.25 * identity.score
      expect(Math.abs(sum - score)).toBeLessThanOrEqual(1)
    }
  })

  test('is the same by its alias, and any caller and any web page can read it', async () => {
    const { agent } = await newAgent(at)
    const one = await send(`${at.url}/v1/agents/${agent.id}/score`)
    const two = await send(`${at.url}/v1/scores/${agent.id}`)
    expect(two.text).toBe(one.text)
    expect(one.headers.get('access-control-allow-origin')).toBe('*')
    expect(one.headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=60')
    const etag = one.headers.get('etag') ?? ''
    expect(etag).toContain(MODEL_VERSION)
    const again = await send(`${at.url}/v1/scores/${agent.id}`, {
      headers: { 'if-none-match': etag },
    })
    expect([again.status, again.text]).toEqual([304, ''])
    const { client } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'task.completed' })
    const moved = await send(`${at.url}/v1/scores/${agent.id}`, {
      headers: { 'if-none-match': etag },
    })
    expect(moved.status).toBe(200)
  })

  test('of an unknown agent is NOT_FOUND, of an invalid id a validation error', async () => {
    expect((await send(`${at.url}/v1/agents/${MISSING}/score`)).status).toBe(404)
    expect((await send(`${at.url}/v1/agents/nobody/score`)).status).toBe(400)
  })

  test('confidence is medium at exactly 50 events and high at exactly 500', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const confidence = async () => (await anyone.score.get(agent.id)).confidence
    await client.events.report(agent.id, events('task.completed', 49))
    expect(await confidence()).toBe('low')
    await client.events.report(agent.id, events('task.completed', 1))
    expect(await confidence()).toBe('medium')
    await client.events.report(agent.id, events('task.completed', 449))
    expect(await confidence()).toBe('medium')
    await client.events.report(agent.id, events('task.completed', 1))
    expect(await confidence()).toBe('high')
  })

  test('has a forecast of the next task and the next payment', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    await client.events.report(agent.id, [
      ...events('task.completed', 9),
      ...events('task.failed', 1),
    ])
    const { task, payment } = (await anyone.score.get(agent.id)).forecast
    expect(payment).toBeNull()
    expect(task?.probability).toBeCloseTo(0.85, 2)
    expect(task?.low).toBeLessThan(0.7)
    expect(task?.high).toBeGreaterThan(0.95)
  })

  test('falls with bad reports, and with a timeout more than with a failure', async () => {
    const { client } = await newPlatform(at)
    const scoreWith = async (type: 'task.failed' | 'task.timeout') => {
      const { agent } = await newAgent(at)
      await client.events.report(agent.id, events('task.completed', 20))
      await client.events.report(
        agent.id,
        Array.from({ length: 20 }, () => ({ type })),
      )
      return (await anyone.score.get(agent.id)).score
    }
    expect(await scoreWith('task.timeout')).toBeLessThan(await scoreWith('task.failed'))
  })
})

describe('the history', () => {
  test('has one snapshot for each change, newest first, and the newest is the score', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const { data: taken } = await client.events.report(agent.id, [
      ...events('task.completed', 3),
      ...events('task.failed', 2),
    ])
    const first = await anyone.score.getHistory(agent.id, { limit: 2 })
    const rest = await anyone.score.getHistory(agent.id, {
      limit: 100,
      cursor: first.nextCursor ?? '',
    })
    const all = [...first.data, ...rest.data]
    const ids = taken.map((event) => event?.id).reverse()
    expect(all.map(({ trigger }) => trigger.id)).toEqual(ids)
    expect(all.map(({ eventCount }) => eventCount)).toEqual([5, 4, 3, 2, 1])
    const { computedAt, status, interval, evidence, forecast, ...score } = await anyone.score.get(
      agent.id,
    )
    expect(all[0]).toMatchObject(score)
    expect([status, interval.low <= score.score, evidence.platformReported]).toEqual([
      'active',
      true,
      5,
    ])
    expect(Date.parse(computedAt)).toBeGreaterThanOrEqual(Date.parse(all[0]?.createdAt ?? ''))
  })

  test('filters by time', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'task.completed' })
    const [only] = (await anyone.score.getHistory(agent.id)).data
    const createdAt = only?.createdAt ?? ''
    const later = new Date(Date.parse(createdAt) + 1).toISOString()
    const count = async (query: object) =>
      (await anyone.score.getHistory(agent.id, query)).data.length
    expect(await count({ from: createdAt, to: createdAt })).toBe(1)
    expect(await count({ from: later })).toBe(0)
  })

  test('refuses a span that ends before it starts, as every list of a span of time does', async () => {
    const { agent, owner } = await newAgent(at)
    const { client } = await newPlatform(at)
    const span = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
    for (const list of [
      anyone.score.getHistory(agent.id, span),
      owner.client.events.list(agent.id, span),
      client.events.list(span),
      at.operator.operator.reviews(span),
      at.operator.operator.findings(span),
    ]) {
      expect(await refusal(list)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'query.from', message: 'must not be later than `to`' }] },
      })
    }
  })
})

describe('a batch', () => {
  test('is answered in the order of the request, each agent once, and names unknown ids', async () => {
    const { client } = await newOwner(at)
    const [a, b] = await Promise.all([
      client.agents.register({ displayName: 'a' }),
      client.agents.register({ displayName: 'b' }),
    ])
    const ids = [b?.id ?? '', MISSING, a?.id ?? '', b?.id ?? '']
    const { body } = await send(`${at.url}/v1/scores/batch`, { json: { agentIds: ids } })
    expect(body.data.map(({ agentId }: { agentId: string }) => agentId)).toEqual([b?.id, a?.id])
    expect(body.notFound).toEqual([MISSING])
    const scores = await anyone.score.getBatch(ids)
    expect([...scores.keys()]).toEqual([b?.id, a?.id])
    expect(scores.get(a?.id ?? '')).toEqual(await anyone.score.get(a?.id ?? ''))
  })

  test('without ids, or with more than a hundred, is refused', async () => {
    for (const length of [0, 101]) {
      const json = { agentIds: Array.from({ length }, () => MISSING) }
      expect((await send(`${at.url}/v1/scores/batch`, { json })).status).toBe(400)
    }
  })
})

test('the tiers are listed best first, without a gap', async () => {
  const data = await anyone.score.classifications()
  expect(data.map(({ label, min, max }) => [label, min, max])).toEqual([
    ['excellent', 800, 1000],
    ['good', 650, 799],
    ['fair', 500, 649],
    ['poor', 300, 499],
    ['untrusted', 0, 299],
  ])
})

test('9,500 of 10,000 tasks done score above 10 of 10', async () => {
  const many = await newAgent(at)
  const few = await newAgent(at)
  const { client } = await newPlatform(at)
  const tasks = Array.from({ length: 10_000 }, (_, i) => ({
    type: i % 20 === 7 ? ('task.failed' as const) : ('task.completed' as const),
  }))
  await client.events.report(many.agent.id, tasks)
  await client.events.report(few.agent.id, events('task.completed', 10))
  const [a, b] = [await anyone.score.get(many.agent.id), await anyone.score.get(few.agent.id)]
  expect(a.eventCount).toBe(10_000)
  expect(a.score).toBeGreaterThan(b.score)
})
