import { describe, expect, it } from 'vitest'
import type { EventInput } from '../src/index.ts'
import { type Answer, type Received, refusal, serve } from './server.ts'

const event = (externalId: string): EventInput => ({ type: 'task.completed', data: {}, externalId })
const many = (count: number) => Array.from({ length: count }, (_, n) => event(String(n)))

function eventsOf(request: Received): readonly EventInput[] {
  return (request.body as { events: readonly EventInput[] }).events
}

/** Accepts all but the named ones. */
function judge(refused: readonly string[], gaps = true): (request: Received) => Answer {
  return (request) => {
    const events = eventsOf(request)
    const data = events.map(({ externalId = '' }) =>
      refused.includes(externalId) ? null : { id: externalId },
    )
    const errors = data.flatMap((record, index) =>
      record ? [] : [{ index, code: 'CONFLICT', message: 'another' }],
    )
    const [accepted, rejected] = [events.length - errors.length, errors.length]
    const answered = gaps ? data : data.filter((record) => record)
    return { status: 200, body: { accepted, rejected, errors, data: answered } }
  }
}

describe('a report', () => {
  it('goes where the key says: a platform on the agent, an agent on itself', async () => {
    const bench = await serve(() => ({ status: 201, body: { id: 'e', errors: [], data: [] } }))
    for (const apiKey of ['avp_x', 'avs_x']) {
      const { events } = bench.client({ apiKey })
      await events.report('a', event('1'))
      await events.report('a', [event('1')])
    }
    expect(bench.received.map(({ url }) => url)).toEqual([
      '/v1/agents/a/events',
      '/v1/agents/a/events/batch',
      '/v1/events',
      '/v1/events/batch',
    ])
    expect(bench.received[0]?.body).toEqual(event('1'))
  })

  it('of one event is counted like one of many', async () => {
    const bench = await serve(() => ({ status: 201, body: { id: 'e' } }))
    const { events } = bench.client({ apiKey: 'avp_x' })
    expect(await events.report('a', event('1'))).toEqual({
      accepted: 1,
      rejected: 0,
      errors: [],
      data: [{ id: 'e' }],
    })
    expect(await events.submit('a', event('1'))).toEqual({ id: 'e' })
  })

  it.each([true, false])(
    'over a hundred goes in parts, errors and records in their places (gaps: %s)',
    async (gaps) => {
      const bench = await serve(judge(['3', '100', '249'], gaps))
      const report = await bench.client({ apiKey: 'avp_x' }).events.report('a', many(250))
      expect(bench.received.map((request) => eventsOf(request).length)).toEqual([100, 100, 50])
      expect(report).toMatchObject({ accepted: 247, rejected: 3 })
      expect(report.errors.map(({ index }) => index)).toEqual([3, 100, 249])
      expect(report.data.map((record) => record?.id ?? null)).toEqual(
        many(250).map((_, n) => ([3, 100, 249].includes(n) ? null : String(n))),
      )
    },
  )

  it('in parts has a key for each, made from the one given', async () => {
    const bench = await serve(judge([]))
    const { events } = bench.client({ apiKey: 'avp_x' })
    await events.report('a', many(201), { idempotencyKey: 'k' })
    await events.report('a', many(101))
    const keys = bench.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys.slice(0, 3)).toEqual(['k', 'k-1', 'k-2'])
    expect(keys[3]).not.toBe(keys[4])
  })

  it('that fails on the way says what was taken', async () => {
    const bench = await serve((request, n) =>
      n === 0 ? judge([])(request) : { status: 403, body: refusal('FORBIDDEN') },
    )
    const call = bench.client({ apiKey: 'avp_x' }).events.report('a', many(150))
    await expect(call).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { partial: { accepted: 100 } },
    })
  })

  it('of nothing asks nothing', async () => {
    const bench = await serve(() => ({ status: 500 }))
    const report = await bench.client({ apiKey: 'avp_x' }).events.report('a', [])
    expect(report).toEqual({ accepted: 0, rejected: 0, errors: [], data: [] })
    expect(bench.received).toHaveLength(0)
  })
})
