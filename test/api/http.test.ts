import { describe, expect, test } from 'vitest'
import { sendRaw } from '../support/raw.ts'
import { newAgent, newOwner, startService } from '../support/service.ts'

// More requests than a minute has are not what this is about.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const HOST = `Host: ${new URL(at.url).host}\r\n`
const LAST = 'Connection: close\r\n'

const REGISTER = 'POST /v1/auth/register HTTP/1.1\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const TIERS = 'GET /v1/scores/classifications HTTP/1.1\r\n'

const MALFORMED: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'no Host': [`${TIERS}${LAST}\r\n`, 400],
  'an empty Host on HTTP/1.0': ['GET /healthz HTTP/1.0\r\nHost:\r\n\r\n', 400],
  'two Host headers on HTTP/1.0': [`GET /healthz HTTP/1.0\r\n${HOST}${HOST}\r\n`, 400],
  'two Host headers': [`${TIERS}${HOST}Host: evil.example\r\n${LAST}\r\n`, 400],
  'the same Host twice': [`${TIERS}${HOST}${HOST}${LAST}\r\n`, 400],
  'a Host that is no address': [`${TIERS}Host: a b\r\n${LAST}\r\n`, 400],
  'a Host with a path': [`${TIERS}Host: evil.example/v1\r\n${LAST}\r\n`, 400],
  'a Host with a user': [`${TIERS}Host: a@evil.example\r\n${LAST}\r\n`, 400],
  'an empty Host': [`${TIERS}Host:\r\n${LAST}\r\n`, 400],
  'a whole address as target': [
    `GET http://evil.example/v1/scores/classifications HTTP/1.1\r\n${HOST}${LAST}\r\n`,
    400,
  ],
  'an asterisk as target': [`OPTIONS * HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  'a backslash in the path': [`GET /v1\\scores HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  TRACE: [`TRACE / HTTP/1.1\r\n${HOST}${LAST}\r\n`, 405],
  CONNECT: [`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
  'a method nobody knows': [`BREW / HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  'Transfer-Encoding on HTTP/1.0': [
    `POST /v1/auth/login HTTP/1.0\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  'Transfer-Encoding beside Content-Length': [
    `${REGISTER}${HOST}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  'a Transfer-Encoding nobody knows': [
    `${REGISTER}${HOST}${JSON_TYPE}Transfer-Encoding: xchunked\r\n\r\n{}`,
    400,
  ],
  'two Content-Lengths': [
    `${REGISTER}${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    400,
  ],
  'a Content-Length with a sign': [
    `${REGISTER}${HOST}${JSON_TYPE}Content-Length: +2\r\n\r\n{}`,
    400,
  ],
  'headers of 17 KiB': [`${TIERS}${HOST}X-Big: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431],
  'a target of 17 KiB': [`GET /v1/${'a'.repeat(17 * 1024)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  'more than 2,000 headers': [`${TIERS}${HOST}${'a:b\r\n'.repeat(2_100)}\r\n`, 431],
  '201 headers': [`${TIERS}${HOST}${'a:b\r\n'.repeat(200)}\r\n`, 431],
  'an Expect nobody knows': [`${REGISTER}${HOST}Expect: miracles\r\n${LAST}\r\n`, 417],
  'bare line feeds': [`GET / HTTP/1.1\n${HOST.trim()}\n\n`, 400],
  'a space before the colon': [`${TIERS}${HOST}X-A : b\r\n\r\n`, 400],
  'a folded header': [`${TIERS}${HOST}X-A: b\r\n c\r\n\r\n`, 400],
  'a NUL in a header': [`${TIERS}${HOST}X-A: b\0c\r\n\r\n`, 400],
  'a chunk larger than it says': [
    `${REGISTER}${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}{}\r\n0\r\n\r\n`,
    400,
  ],
  'a chunk size beyond all bounds': [
    `${REGISTER}${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
    400,
  ],
  'chunk extensions without end': [
    `${REGISTER}${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n`,
    413,
  ],
  'an HTTP of the future': [`GET / HTTP/9.9\r\n${HOST}\r\n`, 400],
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
}

describe('bytes that are not a request are refused in the error envelope:', () => {
  test.each(Object.entries(MALFORMED))('%s', async (_name, [bytes, status]) => {
    const answer = await sendRaw(at.url, Buffer.from(bytes, 'latin1'))
    expect(answer.status).toBe(status)
    const { error } = JSON.parse(answer.body)
    expect(error.code).toBe(status === 405 ? 'METHOD_NOT_ALLOWED' : 'VALIDATION_ERROR')
    expect(error.message).not.toBe('')
    expect(error.details).toMatchObject({ docUrl: `/docs/errors/${error.code}` })
    expect(answer.headers.get('x-request-id')).toBe(error.details.requestId)
    expect(error.details.requestId).toMatch(REQUEST_ID)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    if (status === 405) {
      expect(answer.headers.get('allow')).toBe(error.details.allow)
    }
  })
})

test('a method that no path takes is refused with a list of those that some path takes', async () => {
  const document = await (await fetch(`${at.url}/openapi.json`)).json()
  const { paths } = document as { paths: Readonly<Record<string, object>> }
  const used = Object.values(paths).flatMap((item) => Object.keys(item))
  const taken = new Set([...used.map((method) => method.toUpperCase()), 'HEAD', 'OPTIONS'])
  for (const method of ['TRACE', 'CONNECT']) {
    const { headers } = await sendRaw(at.url, MALFORMED[method]?.[0] ?? '')
    expect(headers.get('allow')).toBe([...taken].sort().join(', '))
  }
})

test('two hundred headers are accepted, and so is Expect: 100-continue', async () => {
  const many = `${TIERS}${HOST}${LAST}${'a:b\r\n'.repeat(198)}\r\n`
  expect((await sendRaw(at.url, many)).status).toBe(200)
  const login = '{"email":"nobody@example.com","password":"none of these"}'
  const headers = `${HOST}${JSON_TYPE}${LAST}Expect: 100-continue\r\nContent-Length: ${login.length}`
  const bytes = `POST /v1/auth/login HTTP/1.1\r\n${headers}\r\n\r\n${login}`
  expect((await sendRaw(at.url, bytes)).status).toBe(401)
})

test.each(['GET /healthz', 'GET /readyz', 'HEAD /healthz', 'OPTIONS /'])(
  '%s of HTTP/1.0 needs no Host, as load balancers send it',
  async (line) => {
    const { status } = await sendRaw(at.url, `${line} HTTP/1.0\r\n\r\n`)
    expect(status).toBe(line.startsWith('OPTIONS') ? 204 : 200)
  },
)

test('each request of one connection gets its own response', async () => {
  const answer = await sendRaw(at.url, `${TIERS}${HOST}\r\n${TIERS}${HOST}${LAST}\r\n`)
  expect(answer.body.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
})

test('an incomplete body is the client’s error, not a fault of the service', async () => {
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(at.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const start = `${REGISTER}${HOST}${JSON_TYPE}Content-Length: 200\r\n\r\n{"email":`
  await new Promise<void>((resolve) => socket.write(start, () => resolve()))
  socket.destroy()
  expect((await fetch(`${at.url}/readyz`)).status).toBe(200)
})

describe('a path', () => {
  test('that does not exist is NOT_FOUND in the envelope, with any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/v1/nothing', '/v2/agents', '/v1', '/nothing', '/v1/agents/a/b/c']) {
        const response = await fetch(at.url + path, { method })
        expect(response.status).toBe(404)
        const body = (await response.json()) as { error: { code: string } }
        expect(body.error.code).toBe('NOT_FOUND')
      }
    }
  })

  test('lists its methods in response to OPTIONS and to wrong methods', async () => {
    const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH'
    const options = await fetch(`${at.url}/v1/agents/x`, { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe(allow)
    const put = await fetch(`${at.url}/v1/agents/x`, { method: 'PUT' })
    expect(put.status).toBe(405)
    expect(put.headers.get('allow')).toBe(allow)
    expect(await put.json()).toMatchObject({
      error: { code: 'METHOD_NOT_ALLOWED', details: { allow } },
    })
  })

  test('of a page or of monitoring lists its methods too', async () => {
    const paths: Readonly<Record<string, string>> = {
      '/': 'GET, HEAD, OPTIONS',
      '/docs': 'GET, HEAD, OPTIONS',
      '/docs/errors': 'GET, HEAD, OPTIONS',
      '/docs/errors/NOT_FOUND': 'GET, HEAD, OPTIONS',
      '/openapi.json': 'GET, HEAD, OPTIONS',
      '/setup': 'GET, HEAD, OPTIONS, POST',
      '/healthz': 'GET, HEAD, OPTIONS',
      '/readyz': 'GET, HEAD, OPTIONS',
      '/metrics': 'GET, HEAD, OPTIONS',
    }
    for (const [path, allow] of Object.entries(paths)) {
      const options = await fetch(at.url + path, { method: 'OPTIONS' })
      expect([path, options.status, options.headers.get('allow')]).toEqual([path, 204, allow])
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const other = await fetch(at.url + path, { method })
        expect([path, other.status, other.headers.get('allow')]).toEqual([path, 405, allow])
        expect(await other.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
      }
      const head = await fetch(at.url + path, { method: 'HEAD' })
      expect(head.status).toBe((await fetch(at.url + path)).status)
      expect(await head.text()).toBe('')
    }
  })

  test('responds to HEAD as to GET, without the body', async () => {
    const { agent } = await newAgent(at)
    const url = `${at.url}/v1/agents/${agent.id}/score`
    const get = await fetch(url)
    const head = await fetch(url, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'cache-control', 'content-type', 'access-control-allow-origin']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    const missing = await fetch(`${at.url}/v1/agents/me`, { method: 'HEAD' })
    expect(missing.status).toBe(401)
  })

  test('is matched exactly: without a slash at the end, double slashes or another case', async () => {
    for (const path of [
      '/v1/scores/classifications/',
      '//v1/scores/classifications',
      '/V1/scores',
    ]) {
      expect((await fetch(at.url + path)).status, path).toBe(404)
    }
  })
})

/** UUIDs of version 7, from the one generator of the service. */
const REQUEST_ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

test('every response has an X-Request-Id of its own and the security headers', async () => {
  const ids = new Set<string>()
  const asked = [
    ...['/', '/docs', '/docs/', '/docs/errors/NO_SUCH_CODE', '/openapi.json', '/setup', '/nothing'],
    ...['/healthz', '/readyz', '/metrics', '/v1/scores/classifications', '/v1/agents'],
  ].flatMap((path) => ['GET', 'HEAD', 'OPTIONS', 'PUT'].map((method) => ({ path, method })))
  for (const { path, method } of asked) {
    const response = await fetch(at.url + path, { method, redirect: 'manual' })
    const id = response.headers.get('x-request-id') ?? ''
    expect([method, path, id]).toEqual([method, path, expect.stringMatching(REQUEST_ID)])
    ids.add(id)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/)
    expect(response.headers.get('cache-control')).not.toBeNull()
  }
  expect(ids.size).toBe(asked.length)
})

describe('a public response', () => {
  test('is 304 for a client that has it, in any spelling of If-None-Match', async () => {
    const { agent } = await newAgent(at)
    for (const path of [`/v1/agents/${agent.id}/score`, `/v1/scores/${agent.id}`]) {
      const first = await fetch(at.url + path)
      const etag = first.headers.get('etag') ?? ''
      for (const tags of [etag, `W/${etag.replace('W/', '')}`, `"other", ${etag}`, '*']) {
        const again = await fetch(at.url + path, { headers: { 'if-none-match': tags } })
        expect(again.status).toBe(304)
        expect(again.headers.get('etag')).toBe(etag)
        expect(again.headers.get('content-type')).toBeNull()
        expect(await again.text()).toBe('')
      }
      const other = await fetch(at.url + path, { headers: { 'if-none-match': '"other"' } })
      expect(other.status).toBe(200)
    }
  })

  test('can be read by any web page; a response that requires a credential cannot', async () => {
    const { client, token } = await newOwner(at)
    const { id } = await client.agents.register({ displayName: 'a' })
    const open = [
      '/v1/scores/classifications',
      `/v1/scores/${id}`,
      `/v1/agents/${id}/score/history`,
    ]
    for (const path of open) {
      const response = await fetch(at.url + path, { headers: { origin: 'https://a.example' } })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const preflight = await fetch(at.url + path, { method: 'OPTIONS' })
      expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
    }
    const missing = await fetch(`${at.url}/v1/scores/${crypto.randomUUID()}`)
    expect(missing.headers.get('access-control-allow-origin'), 'errors too').toBe('*')
    for (const path of ['/v1/agents', `/v1/agents/${id}`, '/v1/auth/me']) {
      const headers = { origin: 'https://a.example', authorization: `Bearer ${token}` }
      const response = await fetch(at.url + path, { headers })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      const preflight = await fetch(at.url + path, { method: 'OPTIONS' })
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})
