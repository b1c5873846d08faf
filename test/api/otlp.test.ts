import { gzipSync } from 'node:zlib'
import { type Context, ROOT_CONTEXT, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { SimpleSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { request as send } from 'undici'
import { describe, expect, test } from 'vitest'
import { fieldsOf, message } from '../../src/lib/protobuf.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'
import { newSigningAgent } from '../support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const url = `${at.url}/v1/otlp/v1/traces`
const { platform, client: reporter } = await newPlatform(at)
const headers = { 'x-api-key': platform.apiKey }

/** A span of an agent that was invoked, in the JSON of OTLP. */
function spanOf(agentId: string | null, different: object = {}) {
  const end = BigInt(Date.now()) * 1_000_000n
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
    ...(agentId === null ? [] : [{ key: 'gen_ai.agent.id', value: { stringValue: agentId } }]),
  ]
  return {
    traceId: crypto.randomUUID().replaceAll('-', ''),
    spanId: crypto.randomUUID().replaceAll('-', '').slice(0, 16),
    name: 'invoke_agent shop',
    startTimeUnixNano: String(end - 1_500_000_000n),
    endTimeUnixNano: String(end),
    attributes,
    ...different,
  }
}

const requestOf = (...spans: readonly unknown[]) => ({
  resourceSpans: [{ scopeSpans: [{ spans }] }],
})

async function post(body: unknown, more: Readonly<Record<string, string>> = {}) {
  const data = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
  const all = { 'content-type': 'application/json', ...headers, ...more }
  const response = await fetch(url, { method: 'POST', headers: all, body: data })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Not by fetch: the tests check its answers by the document, as JSON. */
async function postProtobuf(more: Readonly<Record<string, string>>, body: Uint8Array, to = url) {
  const all = { ...more, 'content-type': 'application/x-protobuf' }
  const answer = await send(to, { method: 'POST', headers: all, body })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const type = answer.headers['content-type']
  return { status: answer.statusCode, headers: answer.headers, type, bytes }
}

/** The message of a `google.rpc.Status`. */
function statusIn(bytes: Uint8Array): string {
  const texts = [...fieldsOf(bytes)].flatMap(({ number, value }) =>
    number === 2 && value instanceof Uint8Array ? Buffer.from(value).toString() : [],
  )
  return texts.join()
}

const eventsOf = async (agentId: string) => (await reporter.events.list(agentId)).data

describe('an OpenTelemetry SDK', () => {
  test.each([
    ['JSON', JsonExporter],
    ['protobuf', ProtobufExporter],
  ])('exports spans of agents as %s', async (_, Exporter) => {
    const { agent } = await newAgent(at)
    const failures: unknown[] = []
    const exporter = new Exporter({ url, headers })
    const watched: SpanExporter = {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          failures.push(...(result.error ? [result.error] : []))
          done(result)
        }),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    }
    const processor = new SimpleSpanProcessor({ exporter: watched })
    const provider = new TracerProvider({ spanProcessors: [processor] })
    const tracer = provider.getTracer('test')
    const invoke = (name: string, more: Record<string, string>, status = SpanStatusCode.UNSET) => {
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', ...more }
      const context: Context = ROOT_CONTEXT
      const span = tracer.startSpan(name, { attributes, startTime: Date.now() - 250 }, context)
      span.setStatus({ code: status })
      span.end()
    }
    const named = { 'gen_ai.agent.id': agent.id }
    invoke('invoke_agent a', named)
    invoke('invoke_agent b', { ...named, 'error.type': 'QuotaExceeded' }, SpanStatusCode.ERROR)
    invoke('invoke_agent c', { ...named, 'error.type': 'TimeoutError' }, SpanStatusCode.ERROR)
    invoke('chat gpt', { ...named, 'gen_ai.operation.name': 'chat' })
    await provider.forceFlush()
    await provider.shutdown()
    expect(failures).toEqual([])
    const events = (await eventsOf(agent.id)).toSorted((a, b) => a.type.localeCompare(b.type))
    expect(events).toMatchObject([
      {
        type: 'task.completed',
        externalId: expect.stringMatching(/^otlp:[0-9a-f]{32}:[0-9a-f]{16}$/),
      },
      { type: 'task.failed', data: { errorCode: 'QuotaExceeded' } },
      { type: 'task.timeout', data: { errorCode: 'TimeoutError' } },
    ])
    const [{ data } = { data: {} }] = events
    expect((data as { duration: number }).duration).toBeGreaterThanOrEqual(250)
  })
})

describe('a request by OTLP', () => {
  test('counts once even if it is repeated, and finds agents by name and by resource', async () => {
    const { agent, host } = await newSigningAgent(at)
    const resource = {
      attributes: [{ key: 'gen_ai.agent.id', value: { stringValue: agent.id } }],
    }
    const request = {
      resourceSpans: [
        { resource, scopeSpans: [{ spans: [spanOf(null)] }] },
        { scopeSpans: [{ spans: [spanOf(host.origin)] }] },
      ],
    }
    for (let i = 0; i < 3; i++) {
      expect(await post(request)).toMatchObject({ status: 200, body: {} })
    }
    expect(await eventsOf(agent.id)).toHaveLength(2)
    expect((await post({})).body).toEqual({})
  })

  test('is read with gzip, up to a maximum size', async () => {
    const { agent } = await newAgent(at)
    const zipped = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)))
    const gzip = { 'content-encoding': 'gzip' }
    expect((await post(zipped(requestOf(spanOf(agent.id))), gzip)).status).toBe(200)
    expect(await eventsOf(agent.id)).toHaveLength(1)
    expect((await post(zipped('a'.repeat(10_000_000)), gzip)).status).toBe(413)
    expect((await post(new Uint8Array([1, 2, 3]), gzip)).status).toBe(400)
    expect((await post(zipped({}), { 'content-encoding': 'br' })).status).toBe(415)
  })

  test('is refused unzipped beyond a megabyte as JSON, and beyond four as protobuf', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    const json = JSON.stringify({ x: 'a'.repeat(1024 * 1024) })
    expect((await post(new Uint8Array(gzipSync(json)), gzip)).status).toBe(413)
    const protobuf = { ...gzip, 'content-type': 'application/x-protobuf' }
    const bytes = (count: number) => gzipSync(message([[99, new Uint8Array(count)]]))
    const postBytes = async (count: number) => {
      const all = { ...headers, ...protobuf }
      const answer = await send(url, { method: 'POST', headers: all, body: bytes(count) })
      await answer.body.dump()
      return answer.statusCode
    }
    expect(await postBytes(4_000_000)).toBe(200)
    expect(await postBytes(4_200_000)).toBe(413)
  })

  test('with thousands of spans and a resource of thousands of attributes is answered', async () => {
    const attribute = (i: number) =>
      message([
        [
          1,
          message([
            [1, i.toString(36)],
            [2, message([[2, 1]])],
          ]),
        ],
      ])
    const resource = new Uint8Array(
      Buffer.concat(Array.from({ length: 15_000 }, (_, i) => attribute(i))),
    )
    const spans = Array.from({ length: 9_000 }, () => [2, new Uint8Array()] as const)
    const body = message([
      [
        1,
        message([
          [1, resource],
          [2, message(spans)],
        ]),
      ],
    ])
    const type = { 'content-type': 'application/x-protobuf' }
    const answer = await send(url, { method: 'POST', headers: { ...headers, ...type }, body })
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, ''])
  })

  test('with a NUL in the name of an agent is taken, except for that span', async () => {
    const { agent } = await newAgent(at)
    const spanBy = (name: string) => {
      const value = message([[1, name]])
      const id = message([
        [1, 'gen_ai.agent.id'],
        [2, value],
      ])
      const end = Buffer.alloc(9, 8 * 8 + 1)
      end.writeBigUInt64LE(BigInt(Date.now()) * 1_000_000n, 1)
      const head = message([
        [1, Buffer.from(crypto.randomUUID().replaceAll('-', ''), 'hex')],
        [2, Buffer.alloc(8, 7)],
        [5, 'invoke_agent'],
        [9, id],
      ])
      return new Uint8Array(Buffer.concat([head, end]))
    }
    const spans = [spanBy(agent.id), spanBy('a\0b')].map((span) => [2, span] as const)
    const body = message([[1, message([[2, message(spans)]])]])
    const answer = await post(body, { 'content-type': 'application/x-protobuf' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('no agent has proven the gen_ai.agent.id a\ufffdb')
    expect(await eventsOf(agent.id)).toHaveLength(1)
  })

  test('with more spans than one request may have is refused', async () => {
    const refused = await post(requestOf(...Array.from({ length: 10_001 }, () => ({}))))
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.issues).toMatchObject([
      { path: 'resourceSpans', code: 'too_big' },
    ])
  })

  test('is read up to the 256th attribute of a span', async () => {
    const { agent } = await newAgent(at)
    const named = { key: 'gen_ai.agent.id', value: { stringValue: agent.id } }
    const others = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: { intValue: i } }))
    const reported = requestOf(
      spanOf(null, { attributes: [...others(255), named] }),
      spanOf(null, { attributes: [...others(256), named] }),
    )
    expect((await post(reported)).body.partialSuccess.rejectedSpans).toBe('1')
    expect(await eventsOf(agent.id)).toHaveLength(1)
  })

  test('about one agent counts hundreds of spans, each once', async () => {
    const { agent } = await newAgent(at)
    const spans = Array.from({ length: 250 }, () => spanOf(agent.id))
    const zipped = new Uint8Array(gzipSync(JSON.stringify(requestOf(...spans))))
    expect((await post(zipped, { 'content-encoding': 'gzip' })).body).toEqual({})
    const score = await fetch(`${at.url}/v1/agents/${agent.id}/score`)
    expect((await score.json()) as object).toMatchObject({ eventCount: 250 })
  })

  test('has its times as JSON numbers or texts, with the milliseconds of either', async () => {
    const { agent } = await newAgent(at)
    const end = BigInt(Date.now()) * 1_000_000n + 136_607n
    const span = spanOf(agent.id, { startTimeUnixNano: 'START', endTimeUnixNano: 'END' })
    const count = { key: 'count', value: { intValue: 'COUNT' } }
    const text = JSON.stringify(requestOf({ ...span, attributes: [...span.attributes, count] }))
      .replace('"START"', String(end - 1_500_000_000n))
      .replace('"END"', String(end))
      .replace('"COUNT"', '9223372036854775807')
    expect(await post(new TextEncoder().encode(text))).toMatchObject({ status: 200, body: {} })
    const [event] = await eventsOf(agent.id)
    expect(event?.occurredAt).toBe(new Date(Number(end / 1_000_000n)).toISOString())
    expect(event?.data).toEqual({ duration: expect.closeTo(1500, 2) })
  })

  test('says whether the end of a span is missing or is no valid time', async () => {
    const { agent } = await newAgent(at)
    const invalid = ['abc', '-5', '99999999999999999999999', -5, 1.5, 1e30, true]
    const ends = [...invalid, undefined, null, 0, '0']
    const problems: string[] = []
    for (const endTimeUnixNano of ends) {
      const { body } = await post(requestOf(spanOf(agent.id, { endTimeUnixNano })))
      problems.push(body.partialSuccess.errorMessage.split('endTimeUnixNano: ')[1])
    }
    const notValid = 'is not a valid time: it must be the nanoseconds since 1970, a whole number'
    expect(problems).toEqual(ends.map((_, i) => (i < invalid.length ? notValid : 'is missing')))
  })

  test('names the spans that it does not record, with reasons, and records the others', async () => {
    const { agent } = await newAgent(at)
    const { status, body } = await post(
      requestOf(
        spanOf(null),
        spanOf('nobody.example.com'),
        spanOf(crypto.randomUUID()),
        spanOf(agent.id, { traceId: 'x' }),
        spanOf(agent.id, { endTimeUnixNano: '1' }),
        spanOf(agent.id, { endTimeUnixNano: undefined }),
        spanOf(agent.id),
        spanOf(null, { name: 'GET /', attributes: [] }),
      ),
    )
    expect(status).toBe(200)
    expect(body.partialSuccess.rejectedSpans).toBe('6')
    const here = 'resourceSpans.0.scopeSpans.0.spans'
    for (const problem of [
      `${here}.0.attributes: gen_ai.agent.id is missing`,
      `${here}.1.attributes: no agent has proven the gen_ai.agent.id nobody.example.com`,
      `${here}.2: there is no such agent`,
      `${here}.3.traceId: `,
      `${here}.4.endTimeUnixNano: `,
      `${here}.5.endTimeUnixNano: is missing`,
    ]) {
      expect(body.partialSuccess.errorMessage).toContain(problem)
    }
    expect(await eventsOf(agent.id)).toHaveLength(1)
  })

  test('says of which form the ids of a span must be, and takes none of zeros alone', async () => {
    const { agent } = await newAgent(at)
    const [trace, span] = ['5b8efff798038103d269b633813fc60c', 'eee19b7ec3c1b174']
    const ids = [
      { traceId: '0'.repeat(32), spanId: span },
      { traceId: trace, spanId: '0'.repeat(16) },
      { traceId: 'W47/95gDgQPSabYzgT/GDA==', spanId: span },
      { traceId: trace, spanId: undefined },
      { traceId: trace.slice(2), spanId: '00' },
      { traceId: trace.toUpperCase(), spanId: span },
    ]
    const { body } = await post(requestOf(...ids.map((different) => spanOf(agent.id, different))))
    const problem = (i: number, field: string, form: string) =>
      `resourceSpans.0.scopeSpans.0.spans.${i}.${field}: must be ${form} (not Base64), not all zero`
    const ofTrace = '16 bytes, in JSON 32 hexadecimal digits'
    const ofSpan = '8 bytes, in JSON 16 hexadecimal digits'
    expect(body.partialSuccess).toEqual({
      rejectedSpans: '5',
      errorMessage: [
        problem(0, 'traceId', ofTrace),
        problem(1, 'spanId', ofSpan),
        problem(2, 'traceId', ofTrace),
        problem(3, 'spanId', ofSpan),
        problem(4, 'traceId', ofTrace),
      ].join('; '),
    })
    const events = await eventsOf(agent.id)
    expect(events.map(({ externalId }) => externalId)).toEqual([`otlp:${trace}:${span}`])
  })

  test('in protobuf is answered in protobuf, also where it is refused', async () => {
    const { agent } = await newAgent(at)
    const span = message([[5, 'invoke_agent x']])
    const named = message([[1, message([[2, message([[2, span]])]])]])
    const noMessage = new Uint8Array([0x0a, 0xff])
    const brotli = { ...headers, 'content-encoding': 'br' }
    const sent = [
      await postProtobuf(headers, named),
      await postProtobuf(headers, noMessage),
      await postProtobuf({}, named),
      await postProtobuf({ 'x-api-key': agent.apiKey }, named),
      await postProtobuf(headers, new Uint8Array(10_000_000)),
      await postProtobuf(brotli, named),
    ]
    expect(sent.map(({ status }) => status)).toEqual([200, 400, 401, 403, 413, 415])
    expect(new Set(sent.map(({ type }) => type))).toEqual(new Set(['application/x-protobuf']))
    const [taken, ...refused] = sent
    expect(taken?.bytes.toString()).toContain('gen_ai.agent.id is missing')
    expect(refused.map(({ bytes }) => statusIn(bytes))).toEqual([
      expect.stringMatching('body: is not an ExportTraceServiceRequest'),
      expect.stringMatching('key'),
      expect.stringMatching('platform'),
      expect.stringMatching('a body may have at most'),
      expect.stringMatching('gzip'),
    ])
    expect(refused[1]?.headers['www-authenticate']).toBe('Bearer, ApiKey')
  })

  test('in protobuf beyond the limit of requests says in protobuf when to send it again', async () => {
    const limited = await startService()
    const target = `${limited.url}/v1/otlp/v1/traces`
    let answer = await postProtobuf({}, new Uint8Array(), target)
    for (let i = 0; i < 200 && answer.status === 401; i++) {
      answer = await postProtobuf({}, new Uint8Array(), target)
    }
    expect(answer).toMatchObject({ status: 429, type: 'application/x-protobuf' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(statusIn(answer.bytes)).toContain('requests in a minute')
  })

  test.each([
    [{ resourceSpans: {} }, 'resourceSpans'],
    [{ resourceSpans: [{ scopeSpans: [7] }] }, 'resourceSpans.0.scopeSpans.0'],
    [[], 'body'],
  ])('with %j is 400, which names the field', async (body, path) => {
    const refused = await post(body)
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path }] } } },
    })
  })

  test('is refused completely if it is too large, of another type, or not a platform’s', async () => {
    expect((await post({ a: 'a'.repeat(10_000_000) })).status).toBe(413)
    expect((await post({}, { 'content-type': 'text/plain' })).status).toBe(415)
    const { agent } = await newAgent(at)
    expect((await post({}, { 'x-api-key': agent.apiKey })).status).toBe(403)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  })
})
