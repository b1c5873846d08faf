import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { serve, TIMEOUTS } from './server.ts'

const CONNECTIONS_MAX = 3
const site = {
  answer(_req: unknown, res: { end(text: string): void }) {
    res.end('here')
    return true
  },
  fetch: () => new Response(),
}
const server = await serve(site, {
  host: '127.0.0.1',
  port: 0,
  connectionsMax: CONNECTIONS_MAX,
})
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

/** What a new connection hears of its request; nothing where it is closed unheard. */
function ask(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    )
    sockets.push(socket)
    socket.on('data', (bytes) => resolve(bytes.toString()))
    socket.on('error', () => resolve(''))
    socket.on('close', () => resolve(''))
  })
}

test('connections beyond those it bears are closed unheard, the others are served on', async () => {
  for (let i = 0; i < CONNECTIONS_MAX; i++) expect(await ask()).toContain('200 OK')
  expect(await ask()).toBe('')
  expect(await ask()).toBe('')
  sockets[0]?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(
    await new Promise((resolve) => sockets[0]?.once('data', (bytes) => resolve(bytes.toString()))),
  ).toContain('200 OK')
})

test('whoever dawdles has ten seconds for his headers and thirty for all he sends', () => {
  expect(TIMEOUTS).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
  })
})
