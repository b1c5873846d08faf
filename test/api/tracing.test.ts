import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly links: readonly { readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

/** Does with traces what an OpenTelemetry collector does, takes them by OTLP/HTTP; and takes webhooks. */
const received: {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Sent
}[] = []
const collector = createServer((req, res) => {
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => parts.push(part))
  req.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Sent
    received.push({ path: req.url ?? '', headers: req.headers, body })
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening))
afterAll(() => void collector.close())
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const traces = () => received.filter(({ path }) => path === '/v1/traces')
const spans = (): readonly SentSpan[] =>
  traces().flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const attribute = ({ attributes }: { attributes: readonly Attribute[] }, name: string) => {
  const { value } = attributes.find(({ key }) => key === name) ?? {}
  return value?.stringValue ?? value?.intValue
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

describe('a service whose traces are collected', async () => {
  const at = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
    OTEL_SERVICE_NAME: 'trust',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const { agent, owner } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const hook = `${endpoint}/secret`
  await owner.client.webhooks.create({ url: hook, events: ['event.ingested'] })
  const answer = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
    headers: { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=1' },
  })
  expect(answer.status).toBe(201)
  await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
    headers: { traceparent: `00-${'1'.repeat(32)}-${CALLER}-00` },
  })
  const attributes = (name: string) => [{ key: 'gen_ai.agent.id', value: { stringValue: name } }]
  const spansByName = Array.from({ length: 200 }, (_, i) => ({
    traceId: '2'.repeat(32),
    spanId: CALLER,
    name: 'invoke_agent',
    endTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    attributes: attributes(`shop${i}.example.com`),
  }))
  const refused = await send(`${at.url}/v1/otlp/v1/traces`, {
    key: platform.apiKey,
    json: { resourceSpans: [{ scopeSpans: [{ spans: spansByName }] }] },
    headers: { traceparent: `00-${'3'.repeat(32)}-${CALLER}-01` },
  })
  expect(refused.body).toMatchObject({ partialSuccess: { rejectedSpans: '200' } })
  await eventually(() => {
    expect(received.filter(({ path }) => path === '/secret')).toHaveLength(2)
  })
  await at.service.close()
  const mine = spans().filter(({ traceId }) => traceId === TRACE)
  const named = (name: string) => mine.filter((span) => span.name === name)

  test('a request is a span below its caller’s, with its route, status and id', () => {
    const [request] = named('POST /v1/agents/{id}/events')
    expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2, status: {} })
    const names = ['standing.request_id', 'http.response.status_code', 'standing.operation']
    expect(names.map((name) => request && attribute(request, name))).toEqual([
      answer.headers.get('x-request-id'),
      '201',
      'reportEvent',
    ])
  })

  test('the transaction that stores the event is a span below it, with its statements below that', () => {
    const [request] = named('POST /v1/agents/{id}/events')
    const [flush] = named('flush events')
    expect(flush?.parentSpanId).toBe(request?.spanId)
    const statements = mine.filter(({ parentSpanId }) => parentSpanId === flush?.spanId)
    expect(statements.length).toBeGreaterThan(2)
    for (const span of statements) {
      expect([span.kind, attribute(span, 'db.system.name')]).toEqual([3, 'postgresql'])
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    }
    expect(statements.map(({ name }) => name)).toContain('commit')
  })

  test('a request by OTLP looks up the names of all its agents in one statement', () => {
    const statements = spans().filter(({ traceId }) => traceId === '3'.repeat(32))
    const lookUps = statements.filter((span) =>
      attribute(span, 'db.query.text')?.includes('from identifiers'),
    )
    expect(lookUps).toHaveLength(1)
  })

  test('an attempt to deliver a webhook is a trace of its own, without the address', () => {
    const [attempt] = spans().filter(({ name }) => name === 'deliver event.ingested')
    expect(attempt).toMatchObject({ kind: 3, status: {} })
    expect(attempt?.parentSpanId).toBeUndefined()
    expect(attempt && attribute(attempt, 'standing.outcome')).toBe('delivered')
  })

  test('a trace that its caller does not sample is not sent', () => {
    expect(spans().some(({ traceId }) => traceId === '1'.repeat(32))).toBe(false)
  })

  test('the collector gets the resource and the headers of the settings, and no secret', () => {
    const [first] = traces()
    expect(first?.headers['x-tenant']).toBe('a b')
    const [{ resource } = { resource: { attributes: [] } }] = first?.body.resourceSpans ?? []
    expect(attribute(resource, 'service.name')).toBe('trust')
    expect(attribute(resource, 'deployment.environment.name')).toBe('test')
    const all = JSON.stringify(traces().map(({ body }) => body))
    for (const secret of [platform.apiKey, agent.apiKey, owner.token, hook]) {
      expect(all).not.toContain(secret)
    }
  })
})

test('an unavailable collector loses spans, and no request', async () => {
  const at = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const { agent, client } = await newAgent(at)
  expect((await client.score.get(agent.id)).score).toBeGreaterThan(0)
  expect((await send(`${at.url}/healthz`)).status).toBe(200)
  expect(await at.service.close()).toBe(true)
})

test('a protocol that is not used is ignored with a warning', async () => {
  const warnings = async (protocol: string) => {
    const lines: string[] = []
    await startService(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
        LOG_LEVEL: 'warn',
      },
      {},
      { write: (line) => void lines.push(line) },
    )
    return lines.map((line) => JSON.parse(line).msg as string)
  }
  expect(await warnings('http/protobuf')).toEqual([
    'traces are sent as http/json: OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf is ignored',
  ])
  expect(await warnings('http/json')).toEqual([])
})

test('without an endpoint nothing is traced; a wrong setting is named', () => {
  const wrong = (env: Readonly<Record<string, string>>) => () => readConfig(env)
  expect(readConfig({ OTEL_SERVICE_NAME: 'trust' }).tracing).toBeNull()
  expect(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }).tracing,
  ).toBeNull()
  expect(wrong({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' })).toThrow(
    /must be an http or https/,
  )
  const set = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  expect(wrong({ ...set, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/4318/)
  const own = { OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '1 s', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' }
  expect(wrong({ ...set, ...own })).toThrow(/^OTEL_EXPORTER_OTLP_TRACES_TIMEOUT must be/)
  expect(wrong({ ...set, OTEL_TRACES_SAMPLER: 'some' })).toThrow(/must be one of always_on/)
  expect(
    wrong({ ...set, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }),
  ).toThrow(/from 0 to 1/)
  expect(wrong({ ...set, OTEL_EXPORTER_OTLP_HEADERS: 'x' })).toThrow(/name=value/)
})
