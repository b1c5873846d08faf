import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { loadHttp, measure } from './load.ts'
import { requestBytes } from './requests.ts'

const REQUEST = requestBytes('GET', '/', {})

/** One connection, and at least one request on it. */
const ask = (port: number) => loadHttp({ port, clients: 1, requests: [REQUEST], warmMs: 0, ms: 1 })

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * A server that sends the parts of a response one after the other, and how many it has sent. A request that
 * comes before the last part ends the connection.
 */
async function sendInParts(parts: readonly string[]) {
  const sockets: Socket[] = []
  let sent = 0
  const server = createTcpServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    let isSending = false
    socket.on('data', async () => {
      if (isSending) {
        return socket.destroy()
      }
      isSending = true
      for (const part of parts.slice(0, -1)) {
        socket.write(part)
        await nextTurn()
      }
      isSending = false
      sent++
      socket.write(parts.at(-1) ?? '')
    })
  })
  const port = await portOf(server)
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy()
    }
    server.close()
  })
  return { port, sent: () => sent }
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  const port = await portOf(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return port
}

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
/** The first chunk looks like an end; sizes have an extension, spaces and capital letters. */
const CHUNKS = '5;a="b"\r\n0\r\n\r\n\r\nA \r\n0123456789\r\n0\r\n'

test.each([
  ['without trailers', `${HEAD}${CHUNKS}\r\n`],
  ['with trailers', `${HEAD}${CHUNKS}Server-Timing: a\r\nDigest: b\r\n\r\n`],
])('a response in chunks %s is read to its end, wherever its bytes are split', async (_, all) => {
  const splits = Array.from({ length: all.length - 1 }, (_, i) => [
    all.slice(0, i + 1),
    all.slice(i + 1),
  ])
  for (const parts of [[all], [...all], ...splits]) {
    const { port, sent } = await sendInParts(parts)
    expect(await ask(port)).toMatchObject({ total: sent() })
  }
})

test('responses with a length and in chunks may take turns on a connection', async () => {
  let asked = 0
  const port = await serve((_, response) => {
    asked++
    if (asked % 2 === 0) {
      response.setHeader('content-length', 5)
    }
    response.write('ab')
    response.end('cde')
  })
  const { total } = await loadHttp({ port, clients: 2, requests: [REQUEST], warmMs: 0, ms: 20 })
  expect(total).toBe(asked)
})

test.each([
  ['a chunk without a size', `${HEAD}x\r\n`, /not the size of a chunk: "x\\r\\n"/],
  ['a chunk longer than its size', `${HEAD}1\r\nabc\r\n0\r\n\r\n`, /not the size of a chunk/],
  ['a response without a length', 'HTTP/1.1 200 OK\r\n\r\n', /an answer of unknown length/],
  [
    'an error',
    'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n',
    /not answered as hoped:\nHTTP\/1.1 500/,
  ],
])('%s ends the load with an error that shows it', async (_, response, message) => {
  const { port } = await sendInParts([response])
  await expect(ask(port)).rejects.toThrow(message)
})

test('what lasts longer than the time measured counts by the part of it within', async () => {
  const startedAt = performance.now()
  let overAt = startedAt
  const { perSecond, total } = await measure({ warmMs: 0, ms: 1 }, async ({ done, note }) => {
    while (!done()) {
      await nextTurn()
    }
    overAt = performance.now()
    note(startedAt)
  })
  expect(total).toBe(1)
  expect(perSecond).toBeLessThanOrEqual(1_000 / (overAt - startedAt))
  expect(perSecond).toBeGreaterThanOrEqual(1_000 / (performance.now() - startedAt))
})
