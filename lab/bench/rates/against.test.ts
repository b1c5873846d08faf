import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { agentsOf, mappedRequest, readMapping, tryRequest, valueAt } from './against.ts'
import { loadHttp, MARK } from './load.ts'
import { parseOptions } from './options.ts'

const dir = mkdtempSync(join(tmpdir(), 'standing-mapping-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The port of a service that answers so until the test is over. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const onPort = (port: number) => `http://127.0.0.1:${port}`

function fileOf(mapping: unknown): string {
  const file = join(dir, 'mapping.json')
  writeFileSync(file, JSON.stringify(mapping))
  return file
}

const MAPPING = {
  name: 'a board',
  agents: ['a', 'b'],
  event: {
    method: 'POST',
    path: '/agents/{id}/reports',
    headers: { authorization: 'Bearer key' },
    body: { agent: '{id}', nonce: '{unique}' },
  },
}

test('a mapping builds complete and distinct requests about an agent', () => {
  const { event } = readMapping(fileOf(MAPPING))
  const text = event && Buffer.from(mappedRequest(event, 'a')).toString()
  expect(text).toContain('POST /agents/a/reports HTTP/1.1\r\n')
  expect(text).toContain('authorization: Bearer key\r\n')
  expect(text).toContain(`\r\n\r\n{"agent":"a","nonce":"${MARK}"}`)
})

test('an invalid or unknown field of a mapping is refused with its path', () => {
  expect(() => readMapping(fileOf({ ...MAPPING, events: {} }))).toThrow(/"events"/)
  const event = { ...MAPPING.event, method: 'PUT' }
  expect(() => readMapping(fileOf({ ...MAPPING, event }))).toThrow(/event\.method/)
  expect(() => readMapping(join(dir, 'none.json'))).toThrow(/none\.json cannot be read/)
})

test('the id of a registered agent is read from its path in the response', () => {
  expect(valueAt({ data: { id: 7 } }, '/data/id')).toBe('7')
  expect(() => valueAt({ data: null }, '/data/id')).toThrow(/no id at \/data\/id/)
})

test('a body names an agent as it is, a path names it encoded, and another agent may be named too', () => {
  const request = {
    method: 'POST' as const,
    path: '/agents/{id}/ratings',
    headers: { 'x-rater': '{other}' },
    body: { notes: ['by {other}', 7, null] },
  }
  const bytes = mappedRequest(request, 'a/"1"', 'b "2"')
  const [head, body] = Buffer.from(bytes).toString().split('\r\n\r\n')
  expect(head).toContain('POST /agents/a%2F%221%22/ratings HTTP/1.1\r\n')
  expect(head).toContain('x-rater: b "2"')
  expect(JSON.parse(body ?? '')).toEqual({ notes: ['by b "2"', 7, null] })
})

test('every place of {unique} has new text in each request', async () => {
  const asked: { key: unknown; body: unknown }[] = []
  const port = await serve(async (request, response) => {
    asked.push({ key: request.headers['idempotency-key'], body: JSON.parse(await text(request)) })
    response.setHeader('content-length', 2).end('{}')
  })
  const bytes = mappedRequest(
    {
      method: 'POST',
      path: '/events',
      headers: { 'idempotency-key': '{unique}' },
      body: { nonce: '{unique}', reference: 'task {unique}' },
    },
    'a',
  )
  await loadHttp({ port, clients: 2, requests: [bytes], warmMs: 0, ms: 20 })
  for (const { key, body } of asked) {
    expect(key).not.toContain(MARK)
    expect(body).toEqual({ nonce: key, reference: `task ${key}` })
  }
  expect(new Set(asked.map(({ key }) => key)).size).toBe(asked.length)
})

test('agents that need no registration are named by the mapping', async () => {
  const mapping = readMapping(
    fileOf({ name: 'a board', agents: { count: 3, named: 'a-{unique}' } }),
  )
  const ids = await agentsOf('http://127.0.0.1:1', mapping)
  expect(new Set(ids).size).toBe(3)
  expect(ids.every((id) => /^a-\d+$/.test(id))).toBe(true)
  const same = { name: 'a board', agents: { count: 3, named: 'a' } }
  expect(() => readMapping(fileOf(same))).toThrow(/agents/)
})

test('a refused request is shown with its answer before anything is measured', async () => {
  const port = await serve((request, response) => {
    const known = request.headers['x-api-key'] === 'right'
    // Only the end of the connection shows the end of this response.
    response.removeHeader('transfer-encoding')
    response.writeHead(known ? 200 : 401).end(known ? '' : 'no such key')
  })
  const read = (headers: Record<string, string>) =>
    tryRequest(onPort(port), { method: 'GET', path: '/agents/{id}', headers }, ['a'])
  await expect(read({})).rejects.toThrow(
    /GET http:\S+\/agents\/a is answered with 401: no such key/,
  )
  await expect(read({ 'x-api-key': 'right' })).rejects.toThrow(/agents\/{id}: .*has neither/)
})

test('a service that is not there is named with its address', async () => {
  const agents = {
    count: 1,
    register: { method: 'POST' as const, path: '/agents', headers: {} },
    id: '/id',
  }
  const asking = agentsOf('http://127.0.0.1:1', { name: 'a board', agents })
  await expect(asking).rejects.toThrow(/POST http:\/\/127\.0\.0\.1:1\/agents has no answer/)
})

test('another service is measured over loopback only', () => {
  const against = (url: string) => parseOptions(['--against', url, '--mapping', 'a.json']).against
  expect(against('http://localhost:4000/')?.url).toBe('http://127.0.0.1:4000')
  for (const url of ['https://127.0.0.1:4000', 'http://example.com', 'http://127.0.0.1:4000/v1']) {
    expect(() => against(url)).toThrow(/--against takes http:\/\/127\.0\.0\.1:PORT/)
  }
})
