import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestTo, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { okContent, type Response } from './response.ts'
import { writeResponse } from './write-response.ts'

const LIMIT = { limit: 60, remaining: 59, resetSeconds: 30, allowed: true }
const CONTEXT = { requestId: 'r-1', limit: LIMIT, isPublic: true, isSecure: true, closes: false }

let server: Server | null = null

afterEach(() => {
  server?.close()
})

/** A server that answers each request with this response, or with the next of several. */
async function serveAll(...responses: readonly [Response, ...Response[]]): Promise<number> {
  let served = 0
  server = createServer((req, res) => {
    try {
      writeResponse(req, res, responses[served++ % responses.length] ?? responses[0], CONTEXT)
    } catch {
      res.writeHead(500).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function get(port: number, connection: 'keep-alive' | 'close') {
  const req = requestTo({ port, host: '127.0.0.1', headers: { connection } }).end()
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const { connection: _, 'keep-alive': __, date, ...headers } = res.headers
  return { status: res.statusCode, headers, hasDate: date !== undefined, body: await text(res) }
}

test('a response is the same on a connection that stays open and one that ends', async () => {
  for (const status of [200, 201, 404, 429]) {
    const headers = { etag: '"v1"', 'cache-control': 'public, max-age=30' }
    const port = await serveAll({
      ...okContent('{"name":"Zoë"}', 'application/json', headers),
      status,
    })
    const kept = await get(port, 'keep-alive')
    expect(kept).toEqual(await get(port, 'close'))
    expect(kept).toMatchObject({ status, hasDate: true, body: '{"name":"Zoë"}' })
    expect(kept.headers).toMatchObject({
      ...headers,
      'content-length': '15',
      'x-request-id': 'r-1',
    })
    server?.close()
  }
})

test('pipelined requests get whole responses in order, whatever their length and their letters', async () => {
  const bodies = ['short', 'Zoë', 'ë'.repeat(2_000_000), 'a'.repeat(2_000_000), 'last']
  const [first, ...others] = bodies.map((body) => okContent(body, 'text/plain')) as [Response]
  const port = await serveAll(first, ...others)
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n'
  socket.write(`${request}\r\n`.repeat(bodies.length - 1))
  socket.write(`${request}Connection: close\r\n\r\n`)
  const received = await text(socket)
  const heads = received.split(/HTTP\/1\.1 200 OK\r\n/).slice(1)
  expect(heads.map((one) => one.slice(one.indexOf('\r\n\r\n') + 4))).toEqual(bodies)
})

test('a header with a line break is not sent', async () => {
  const headers = { location: '/a\r\nset-cookie: session=stolen' }
  const port = await serveAll(okContent('{}', 'application/json', headers))
  const response = await get(port, 'keep-alive')
  expect(response.status).toBe(500)
  expect(response.headers).not.toHaveProperty('set-cookie')
})
