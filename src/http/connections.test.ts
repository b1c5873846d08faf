import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import type { RequestListener } from './connections.ts'
import { PIPELINED_MAX } from './pipelining.ts'
import { type HttpServer, serve } from './server.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

const opened: (Socket | HttpServer)[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await ('port' in one ? one.close() : one.destroy())
  }
})

async function listen(handle: RequestListener): Promise<number> {
  const options = { host: '127.0.0.1', port: 0, drainMaxMs: 10 }
  const server = await serve(handle, { newId: () => 'id', basePath: '' }, options)
  opened.push(server)
  return server.port
}

function send(port: number, bytes: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
  socket.on('error', () => {})
  opened.push(socket)
  return socket
}

test('pipelined requests of one connection are answered in order', async () => {
  const started: ServerResponse[] = []
  const port = await listen((_req, res) => void started.push(res))
  let received = ''
  send(port, REQUEST.repeat(5)).on('data', (chunk) => {
    received += chunk
  })
  for (let n = 1; n <= 5; n++) {
    await eventually(() => expect(started).toHaveLength(n))
    started[n - 1]?.end(`response ${n}`)
    await eventually(() => expect(received).toContain(`response ${n}`))
  }
  expect(received.match(/response \d/g)).toEqual([1, 2, 3, 4, 5].map((n) => `response ${n}`))
})

test('a client that reads nothing gets no further responses prepared', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024)
  let started = 0
  const port = await listen((_req, res) => {
    started++
    res.end(body)
  })
  const socket = send(port, REQUEST.repeat(50))
  socket.pause()
  await eventually(() => expect(started).toBe(1))
  // The response on another connection shows that the first one had its turn.
  const other = await fetch(`http://127.0.0.1:${port}/`)
  await other.arrayBuffer()
  expect(started).toBe(2)
})

test('a connection that sends thousands of requests ahead is closed', async () => {
  let started = 0
  const port = await listen(() => void started++)
  const socket = send(port, REQUEST.repeat(2_000))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await closed
  expect(started).toBe(1)
})

test('a request gets its own response, whatever follows it that cannot be read', async () => {
  const started: ServerResponse[] = []
  const port = await listen((_req, res) => void started.push(res))
  let received = ''
  let isClosed = false
  const socket = send(port, `${REQUEST}no request\r\n\r\n`)
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('close', () => {
    isClosed = true
  })
  await eventually(() => expect(started).toHaveLength(1))
  socket.write('nor is this\r\n\r\n')
  // The response on another connection shows that the bytes were read.
  send(port, REQUEST)
  await eventually(() => expect(started).toHaveLength(2))
  started[0]?.end('its own')
  await eventually(() => expect(isClosed).toBe(true))
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(received).toContain('its own')
})

test('the permitted number of pipelined requests is answered', async () => {
  let started = 0
  const port = await listen((_req, res) => {
    started++
    res.end('.')
  })
  send(port, REQUEST.repeat(PIPELINED_MAX)).resume()
  await eventually(() => expect(started).toBe(PIPELINED_MAX))
})

test('requests of a disconnected client are not started', async () => {
  const started: { readonly from: Socket; readonly res: ServerResponse }[] = []
  const port = await listen((req, res) => void started.push({ from: req.socket, res }))
  const gone = send(port, REQUEST.repeat(10))
  await eventually(() => expect(started).toHaveLength(1))
  gone.resetAndDestroy()
  const [first] = started
  const closed = new Promise((resolve) => first?.res.on('close', resolve))
  first?.res.end(Buffer.alloc(1024 * 1024))
  await closed
  send(port, REQUEST)
  await eventually(() => expect(started).toHaveLength(2))
  expect(started[1]?.from).not.toBe(first?.from)
})

test('pipelined requests with a body, Expect or Upgrade are answered in order', async () => {
  const port = await listen(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString()
    res.end(`<${req.method} ${body}>`)
  })
  const post = (header: string, body: string) =>
    `POST / HTTP/1.1\r\nHost: localhost\r\n${header}Content-Length: ${body.length}\r\n\r\n${body}`
  const requests = [
    post('', 'first'),
    post('Expect: 100-continue\r\n', 'second'),
    REQUEST,
    post('Connection: Upgrade\r\nUpgrade: h2c\r\n', 'last'),
  ]
  let received = ''
  send(port, requests.join('')).on('data', (chunk) => {
    received += chunk
  })
  await eventually(() => expect(received).toContain('<POST last>'))
  const [, second] = received.split('<POST first>')
  expect(second).toMatch(/HTTP\/1\.1 100 Continue[^<]*<POST second>[^<]*<GET >/)
})
