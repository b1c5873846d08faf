import { describe, expect, it as test } from 'vitest'
import type { EventInput } from '../src/index.ts'
import { type Answer, type Received, refusal, serve } from './server.ts'

const event = (externalId: string): EventInput => ({ type: 'task.completed', data: {}, externalId })
const many = (count: number) => Array.from({ length: count }, (_, n) => event(String(n)))

function eventsOf(request: Received): readonly EventInput[] {
  return (request.body as { events: readonly EventInput[] }).events
}

/** Accepts all but the named ones. */
function judge(refused: readonly string[]): (request: Received) => Answer {
  return (request) => {
    const events = eventsOf(request)
    const isRefused = ({ externalId }: EventInput) => refused.includes(String(externalId))
    const data = events
      .filter((one) => !isRefused(one))
      .map(({ externalId }) => ({ id: externalId }))
    const errors = events.flatMap((one, index) =>
      isRefused(one) ? [{ index, code: 'CONFLICT', message: 'another', details: {} }] : [],
    )
    return {
      status: 200,
      body: { accepted: data.length, rejected: errors.length, errors, data },
    }
  }
}

describe('a report', () => {
  test('is sent by the key’s kind: a platform’s about any agent, an agent’s about itself', async () => {
    const body = { id: 'a', accepted: 1, rejected: 0, errors: [], data: [] }
    const server = await serve(() => ({ status: 200, body }))
    for (const apiKey of ['avp_x', 'avs_x']) {
      const { events } = server.client({ apiKey })
      await events.submit('a', event('1'))
      await events.report('a', [event('1')])
    }
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/agents/a/events',
      '/v1/agents/a/events/batch',
      '/v1/agents/me',
      '/v1/events',
      '/v1/events/batch',
    ])
    expect(server.received[0]?.body).toEqual(event('1'))
  })

  test('about another agent with an agent’s key is an error, and nothing is sent', async () => {
    const server = await serve(() => ({ status: 200, body: { id: 'self' } }))
    const { events } = server.client({ apiKey: 'avs_x' })
    for (const call of [events.report('other', event('1')), events.submit('other', event('1'))]) {
      await expect(call).rejects.toMatchObject({
        code: 'INVALID_CALL',
        message: expect.stringContaining('agent self, which reports about itself alone'),
      })
    }
    expect(new Set(server.received.map(({ url }) => url))).toEqual(new Set(['/v1/agents/me']))
  })

  test('reads the key’s agent again after a failed request for it', async () => {
    const server = await serve((_request, n) =>
      n === 0 ? { status: 500 } : { status: 200, body: { id: 'a' } },
    )
    const { events } = server.client({ apiKey: 'avs_x' })
    await expect(events.submit('a', event('1'))).rejects.toMatchObject({ status: 500 })
    await events.submit('a', event('1'))
    await events.submit('a', event('2'))
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/agents/me',
      '/v1/agents/me',
      '/v1/events',
      '/v1/events',
    ])
  })

  test('with one event is counted like a batch', async () => {
    const server = await serve(judge([]))
    const { events } = server.client({ apiKey: 'avp_x' })
    expect(await events.report('a', event('1'))).toEqual({
      accepted: 1,
      rejected: 0,
      data: [{ id: '1' }],
    })
  })

  test('whose only event is refused returns the refusal and does not throw', async () => {
    const server = await serve(judge(['1']))
    const { events } = server.client({ apiKey: 'avp_x' })
    expect(await events.report('a', event('1'))).toEqual({
      accepted: 0,
      rejected: 1,
      errors: [{ index: 0, code: 'CONFLICT', message: 'another', details: {} }],
      data: [null],
    })
  })

  test('of more than a hundred events is sent in parts, with errors and records in their positions', async () => {
    const server = await serve(judge(['3', '100', '249']))
    const report = await server.client({ apiKey: 'avp_x' }).events.report('a', many(250))
    expect(server.received.map((request) => eventsOf(request).length)).toEqual([100, 100, 50])
    expect(report).toMatchObject({ accepted: 247, rejected: 3 })
    expect(report.errors?.map(({ index }) => index)).toEqual([3, 100, 249])
    expect(report.data.map((record) => record?.id ?? null)).toEqual(
      many(250).map((_, n) => ([3, 100, 249].includes(n) ? null : String(n))),
    )
  })

  test('in several parts has an Idempotency-Key for each part, derived from the given one', async () => {
    const server = await serve(judge([]))
    const { events } = server.client({ apiKey: 'avp_x' })
    await events.report('a', many(201), { idempotencyKey: 'k' })
    await events.report('a', many(101))
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys.slice(0, 3)).toEqual(['k', 'k-1', 'k-2'])
    expect(keys[3]).not.toBe(keys[4])
  })

  test('in several parts is refused before the first where its key is too long for the last', async () => {
    const server = await serve(judge([]))
    const { events } = server.client({ apiKey: 'avp_x' })
    const report = (count: number, length: number) =>
      events.report('a', many(count), { idempotencyKey: 'k'.repeat(length) })
    await report(100, 255)
    await report(200, 253)
    expect(server.received).toHaveLength(3)
    await expect(report(200, 254)).rejects.toMatchObject({
      code: 'INVALID_CALL',
      message: expect.stringContaining('takes 253'),
    })
    await expect(report(1_001, 253)).rejects.toMatchObject({ code: 'INVALID_CALL' })
    expect(server.received).toHaveLength(3)
  })

  test('names the accepted events when a later part fails', async () => {
    const server = await serve((request, n) =>
      n === 0 ? judge([])(request) : { status: 403, body: refusal('FORBIDDEN') },
    )
    const call = server.client({ apiKey: 'avp_x' }).events.report('a', many(150))
    await expect(call).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { partial: { accepted: 100 } },
    })
  })

  test('without events sends no request', async () => {
    const server = await serve(() => ({ status: 500 }))
    const report = await server.client({ apiKey: 'avp_x' }).events.report('a', [])
    expect(report).toEqual({ accepted: 0, rejected: 0, data: [] })
    expect(server.received).toHaveLength(0)
  })
})
