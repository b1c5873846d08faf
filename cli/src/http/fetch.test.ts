import { once } from 'node:events'
import { globalAgent } from 'node:https'
import { connect } from 'node:net'
import { Standing } from '@standing/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { httpReceiver, httpsReceiver, tcpReceiver } from '../../../src/outbound/testing/receiver.ts'
import { fetchOf } from './fetch.ts'

const fetch = fetchOf({ env: {} })

/** A receiver that is closed when the test is done, and its address. */
async function receiver(...[listener]: Parameters<typeof httpReceiver>) {
  const server = await httpReceiver(listener)
  onTestFinished(server.close)
  return { ...server, url: `http://127.0.0.1:${server.port}` }
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

test.each(METHODS)(
  '%s is sent with headers and body, and returns status, headers and text',
  async (method) => {
    const { url } = await receiver(async (request, response) => {
      const { method, headers } = request
      const [body] = await once(request, 'data')
      response.writeHead(418, { 'X-Request-Id': 'r1' })
      response.end(`${method} ${headers['x-api-key']} ${headers['content-length']} ${body} ☕`)
    })
    const headers = { 'x-api-key': 'avs_1' }
    const response = await fetch(url, { method, headers, body: '{"ü":1}' })
    expect([response.ok, response.status]).toEqual([false, 418])
    expect(response.headers.get('x-request-id')).toBe('r1')
    expect(response.headers.get('X-REQUEST-ID')).toBe('r1')
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.text()).toBe(`${method} avs_1 8 {"ü":1} ☕`)
  },
)

test('sequential requests share one connection', async () => {
  const { url, connections } = await receiver((_, response) => response.end('done'))
  for (const path of ['/a', '/b', '/c']) {
    expect(await (await fetch(url + path)).text()).toBe('done')
  }
  expect(connections()).toBe(1)
})

test('a character that is split over two chunks is read whole', async () => {
  const { url } = await receiver(async (_, response) => {
    const bytes = Buffer.from('€')
    response.write(bytes.subarray(0, 1))
    await new Promise((sent) => response.write(bytes.subarray(1, 2), sent))
    response.end(bytes.subarray(2))
  })
  expect(await (await fetch(url)).text()).toBe('€')
})

test('the response body can be read while it is still being sent', async () => {
  let finish: () => void = () => undefined
  const { url } = await receiver((_, response) => {
    response.write('first')
    finish = () => response.end('last')
  })
  const pieces: string[] = []
  for await (const bytes of (await fetch(url)).body) {
    pieces.push(new TextDecoder().decode(bytes))
    finish()
  }
  expect(pieces).toEqual(['first', 'last'])
})

test('a redirect is not followed, so that a key reaches no other host', async () => {
  const other = await receiver((_, response) => response.end())
  const { url } = await receiver((_, response) => {
    response.writeHead(307, { location: other.url }).end()
  })
  expect((await fetch(url, { headers: { 'x-api-key': 'avs_1' } })).status).toBe(307)
  expect(other.connections()).toBe(0)
})

test('an aborted request ends before or during its response', async () => {
  const giveUp = new AbortController()
  const silent = await receiver(() => giveUp.abort())
  await expect(fetch(silent.url, { signal: giveUp.signal })).rejects.toThrow(/abort/)
  const stop = new AbortController()
  const endless = await receiver((_, response) => response.write('first'))
  const response = await fetch(endless.url, { signal: stop.signal })
  stop.abort()
  await expect(response.text()).rejects.toThrow(/abort/)
})

test('a truncated body is an error', async () => {
  const { url } = await receiver((request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => request.socket.destroy())
  })
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow(/abort|reset/)
})

test('the error says whether the service is unavailable or too slow', async () => {
  const silent = await receiver(() => undefined)
  const options = { fetch, retriesMax: 0, timeoutMs: 1 }
  const late = new Standing({ ...options, baseUrl: silent.url }).score.get('a')
  await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' })
  await silent.close()
  const away = new Standing({ ...options, timeoutMs: 30_000, baseUrl: silent.url }).score.get('a')
  await expect(away).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: expect.stringMatching(/ECONNREFUSED/),
  })
})

test('the certificate must be trusted and must match the host name', async () => {
  const server = await httpsReceiver(['localhost'], (_, response) => response.end('secret'))
  onTestFinished(server.close)
  const url = `https://localhost:${server.port}`
  await expect(fetch(url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  globalAgent.options.ca = server.cert
  onTestFinished(() => {
    delete globalAgent.options.ca
  })
  expect(await (await fetch(url)).text()).toBe('secret')
  const byAddress = fetch(`https://127.0.0.1:${server.port}`)
  await expect(byAddress).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('requests go through the proxy of the environment, except to this machine and to NO_PROXY', async () => {
  const seen: string[] = []
  const proxy = await receiver((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.writeHead(207, { 'x-request-id': 'p1' }).end('by proxy')
  })
  const direct = await receiver((_, response) => response.end('direct'))
  const through = fetchOf({ env: { HTTP_PROXY: proxy.url, no_proxy: '0.0.0.0' } })
  const response = await through('http://trust.example:8080/v1/x', { method: 'POST', body: 'b' })
  expect([response.status, response.headers.get('x-request-id')]).toEqual([207, 'p1'])
  expect(await response.text()).toBe('by proxy')
  expect(await (await through(direct.url)).text()).toBe('direct')
  expect(await (await through(`http://0.0.0.0:${direct.port}`)).text()).toBe('direct')
  expect(seen).toEqual(['POST http://trust.example:8080/v1/x'])
})

test('https goes through a tunnel of the proxy, with the user name and password of its URL', async () => {
  const server = await httpsReceiver(['trust.example'], (_, response) => response.end('secret'))
  onTestFinished(server.close)
  const seen: (string | undefined)[] = []
  const proxy = await tcpReceiver((socket) => {
    socket.once('data', (bytes) => {
      const head = bytes.toString()
      seen.push(head.split('\r\n')[0], /^proxy-authorization: (.*)$/im.exec(head)?.[1])
      const upstream = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
    })
  })
  onTestFinished(proxy.close)
  const env = { https_proxy: `http://ada:secret@127.0.0.1:${proxy.port}` }
  // The tunnel ends at the service itself: what it shows is not trusted.
  const cause = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
  await expect(fetchOf({ env })('https://trust.example/')).rejects.toMatchObject({ cause })
  expect(seen).toEqual(['CONNECT trust.example:443 HTTP/1.1', `Basic ${btoa('ada:secret')}`])
  expect(server.serverNames).toEqual([])
})

test('an invalid proxy URL is named in the error', async () => {
  const through = fetchOf({ env: { HTTPS_PROXY: 'proxy:port' } })
  await expect(through('https://trust.example/')).rejects.toThrow(/HTTPS_PROXY proxy:port/)
})
