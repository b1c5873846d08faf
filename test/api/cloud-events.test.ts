import { CloudEvent, HTTP } from 'cloudevents'
import { describe, expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { agent, client } = await newAgent(at)
const { platform, client: reporter } = await newPlatform(at)

const TYPE = 'application/cloudevents-batch+json; charset=utf-8'

/** A sender by the package of that name: its structured events, as a batch. */
function eventOf(attributes: object): unknown {
  const whole = { source: '/orders', type: 'com.standing.task.completed', ...attributes }
  const { body } = HTTP.structured(
    new CloudEvent(whole as ConstructorParameters<typeof CloudEvent>[0]),
  )
  return JSON.parse(String(body))
}

async function post(
  events: unknown,
  headers: Readonly<Record<string, string>> = {},
  key = platform.apiKey,
) {
  const path = key === platform.apiKey ? `/v1/agents/${agent.id}/events/batch` : '/v1/events/batch'
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: { 'content-type': TYPE, 'x-api-key': key, ...headers },
    body: JSON.stringify(events),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
  return { status: response.status, body: (await response.json()) as any }
}

describe('a batch of CloudEvents', () => {
  test('is reported by a platform, each event once even if it is sent again', async () => {
    const time = new Date(Date.now() - 60_000).toISOString()
    const events = [
      eventOf({ id: '1', time, data: { duration: 1200, taskClass: 'translation' } }),
      eventOf({
        id: '2',
        time,
        type: 'com.standing.payment.disputed',
        data: { amount: 12.5, currency: 'EUR' },
        subject: 'order-7',
        traceparent: '00-1-2-01',
      }),
    ]
    const first = await post(events)
    expect(first).toMatchObject({
      status: 200,
      body: {
        accepted: 2,
        rejected: 0,
        data: [
          {
            type: 'task.completed',
            externalId: '/orders 1',
            occurredAt: time,
            data: { duration: 1200, taskClass: 'translation' },
          },
          { type: 'payment.disputed', externalId: '/orders 2', data: { amount: 12.5 } },
        ],
      },
    })
    const again = await post(events)
    const idsOf = ({ body }: typeof first) => body.data.map(({ id }: { id: string }) => id)
    expect(idsOf(again)).toEqual(idsOf(first))
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(2)
  })

  test('is reported by an agent about itself', async () => {
    const { body } = await post([eventOf({ id: 'own' })], {}, agent.apiKey)
    expect(body.data).toMatchObject([{ isSelfReported: true, externalId: '/orders own' }])
    expect((await client.events.list()).data[0]).toMatchObject({ externalId: '/orders own' })
  })

  test('is identified by ids of any length: two long ones are two events, one sent twice is one', async () => {
    const source = `https://orders.example.com/${'a'.repeat(200)}`
    const events = ['x', 'y'].map((id) => eventOf({ source, id }))
    const { body } = await post([...events, events[0]])
    expect(body.accepted).toBe(3)
    const names = body.data.map(({ externalId }: { externalId: string }) => externalId)
    expect(new Set(names).size).toBe(2)
    expect(Math.max(...names.map((name: string) => name.length))).toBeLessThanOrEqual(100)
  })

  test('may have attributes that are null, which are unset, and data of any type of JSON', async () => {
    const plain = eventOf({ id: 'plain' }) as object
    const events = [
      {
        ...plain,
        id: 'null',
        time: null,
        datacontenttype: null,
        data_base64: null,
        dataschema: null,
      },
      { ...plain, id: 'text', datacontenttype: 'text/json' },
      { ...plain, id: 'own', datacontenttype: 'application/vnd.orders.v1+json; charset=utf-8' },
    ]
    expect((await post(events)).body).toMatchObject({ accepted: 3, rejected: 0, errors: [] })
  })

  test.each([
    ' ',
    'urn:x a',
    'urn:x\ta',
    'urn:x\u00a0a',
    'urn:x\n',
    'urn:"x"',
    'a%zz',
    'a#b#c',
    'bücher',
  ])('with the source %j, which is no URI reference, is refused', async (source) => {
    // A space would let another source and id have the same name.
    const { body } = await post([{ ...(eventOf({ id: 'b' }) as object), source }])
    const message = expect.stringMatching(/^0\.source: must be a URI reference/)
    expect(body).toMatchObject({ accepted: 0, errors: [{ message }] })
  })

  test.each([
    '/orders/7?a=b#c',
    'https://a.example:8080/x;y=1,2/%20',
    'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
    'mailto:a@example.com',
    '//[2001:db8::1]/x',
    '1-555-123-4567',
  ])('with the source %s is taken', async (source) => {
    const { body } = await post([eventOf({ source, id: 'c' })])
    expect(body.data).toMatchObject([{ externalId: `${source} c` }])
  })

  test('names the field of each wrong event, and records the others', async () => {
    const good = eventOf({ id: 'good' })
    const object = good as object
    const { status, body } = await post([
      { ...object, id: 'a', type: 'com.example.other' },
      { ...object, id: 'b', type: 'com.standing.task.begun' },
      { ...object, id: 'c', data: { duration: -1 } },
      { ...object, id: 'd', time: 'yesterday' },
      { ...object, id: 'e', time: '2020-01-01T00:00:00Z' },
      { ...object, id: 'f', data_base64: 'AAAA' },
      { ...object, id: 'g', datacontenttype: 'text/xml', data: '<a/>' },
      { ...object, id: '', specversion: '0.3' },
      'no event',
      good,
    ])
    expect([status, body.accepted, body.rejected]).toEqual([200, 1, 9])
    const paths = body.errors.map(
      (error: { details: { issues: { path: string }[] } }) => error.details.issues[0]?.path,
    )
    expect(paths).toEqual([
      '0.type',
      '1.type',
      '2.data.duration',
      '3.time',
      '4.time',
      '5.data_base64',
      '6.datacontenttype',
      expect.stringMatching(/^7\.(specversion|id)$/),
      '8',
    ])
  })

  test.each([
    ['no list', {}, 400],
    ['an empty list', [], 400],
    ['more than a hundred', Array.from({ length: 101 }, () => ({})), 400],
    ['ten megabytes', ['a'.repeat(10_000_000)], 413],
  ])('of %s is refused', async (_, events, status) => {
    expect((await post(events)).status).toBe(status)
  })

  test('with a repeated Idempotency-Key returns the first response', async () => {
    const events = [eventOf({ id: 'keyed', data: { duration: 1 } })]
    const headers = { 'idempotency-key': 'one' }
    expect((await post(events, headers)).body).toEqual((await post(events, headers)).body)
  })
})

describe('one CloudEvent, as its packages send it in structured mode', () => {
  async function send(attributes: object, agentId = agent.id) {
    const event = { source: '/orders', type: 'com.standing.task.completed', ...attributes }
    const { headers, body } = HTTP.structured(
      new CloudEvent(event as ConstructorParameters<typeof CloudEvent>[0]),
    )
    const response = await fetch(`${at.url}/v1/agents/${agentId}/events`, {
      method: 'POST',
      headers: { ...(headers as Record<string, string>), 'x-api-key': platform.apiKey },
      body: String(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
    return { status: response.status, body: (await response.json()) as any }
  }

  test('is the event of the response, and the first one if it is sent again', async () => {
    const time = new Date(Date.now() - 60_000).toISOString()
    const first = await send({ id: 'one', time, data: { duration: 1200 } })
    expect(first).toMatchObject({
      status: 201,
      body: {
        type: 'task.completed',
        externalId: '/orders one',
        occurredAt: time,
        data: { duration: 1200 },
      },
    })
    expect(await send({ id: 'one', time, data: { duration: 1200 } })).toEqual({
      status: 200,
      body: first.body,
    })
  })

  test('that is refused has the fields that it was sent with in the error', async () => {
    const time = '2020-01-01T00:00:00.000Z'
    const wrong = [
      { type: 'com.example.other' },
      { type: 'com.standing.task.begun' },
      { data: { duration: -1 } },
      { time },
    ]
    const paths = []
    for (const attributes of wrong) {
      const { status, body } = await send({ id: 'wrong', ...attributes })
      expect(status).toBe(400)
      paths.push(body.error.details.issues[0].path)
    }
    expect(paths).toEqual(['type', 'type', 'data.duration', 'time'])
  })

  test('of another type is translated by the mapping of the platform', async () => {
    const rules = [{ type: { path: '/type', values: { 'com.shop.done': 'task.completed' } } }]
    const sample = { specversion: '1.0', id: '1', source: '/shop', type: 'com.shop.done' }
    await reporter.mappings.put('cloudevents', { rules, sample })
    expect(await send({ id: 'mapped', type: 'com.shop.done' })).toMatchObject({
      status: 201,
      body: { type: 'task.completed', externalId: '/orders mapped' },
    })
    const { status, body } = await send({ id: 'mapped', type: 'com.shop.begun' })
    expect([status, body.error.details.issues[0].path]).toEqual([400, 'cloudevents.rules.0.type'])
  })
})
