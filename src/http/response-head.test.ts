import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestTo, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { okContent, type Response } from './response.ts'
import { writeResponse } from './write-response.ts'

const LIMIT = { limit: 60, remaining: 59, resetSeconds: 30, allowed: true }
const CONTEXT = { requestId: 'r-1', limit: LIMIT, isPublic: true, isSecure: true, closes: false }

let server: Server | null = null

afterEach(() => {
  server?.close()
})

/** A server that answers each request with this response. */
async function serveAll(response: Response): Promise<number> {
  server = createServer((req, res) => {
    try {
      writeResponse(req, res, response, CONTEXT)
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

test('a header with a line break is not sent', async () => {
  const headers = { location: '/a\r\nset-cookie: session=stolen' }
  const port = await serveAll(okContent('{}', 'application/json', headers))
  const response = await get(port, 'keep-alive')
  expect(response.status).toBe(500)
  expect(response.headers).not.toHaveProperty('set-cookie')
})
