import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { newKey } from '../../src/auth/key-format.ts'
import { serve } from '../../src/http/server.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({
  STANDING_RATE_LIMITS: 'off',
  STANDING_EVENTS_PER_AGENT_HOUR: '100000',
})
const { agent } = await newAgent(at)
const { platform } = await newPlatform(at)

/** Many more than a host of the same machine has of its own. */
const CLIENTS = 200

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) {
    socket.destroy()
  }
})

/** Connections on each of which these bytes were sent; what comes back is not read. */
async function openAll(bytes: string, count = CLIENTS, url = at.url): Promise<void> {
  const { hostname, port } = new URL(url)
  const connected = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.on('connect', () => socket.write(bytes))
    socket.pause()
    sockets.push(socket)
    return once(socket, 'connect')
  })
  await Promise.all(connected)
}

/**
 * Without a bound others waited for a minute, or for as long as the connections were open. Only one of
 * five turns has to be within it: clients, service and other processes share the cores.
 */
const SERVED_WITHIN_MS = 10_000
const TURNS_MAX = 5

/** Asks as somebody who means well, until one turn is within the bound. */
async function expectServed(url = at.url): Promise<void> {
  let tookMs = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < TURNS_MAX && tookMs >= SERVED_WITHIN_MS; turn++) {
    tookMs = await serveMs(url)
  }
  expect(tookMs).toBeLessThan(SERVED_WITHIN_MS)
}

/** How long a read, a report and another read take, each on a connection of its own. */
async function serveMs(url: string): Promise<number> {
  const close = { connection: 'close' }
  const startedAt = performance.now()
  const health = await send(`${url}/healthz`, { headers: close })
  const report = await send(`${url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
    headers: close,
  })
  const score = await send(`${url}/v1/agents/${agent.id}/score`, {
    key: platform.apiKey,
    headers: close,
  })
  expect([health.status, report.status, score.status]).toEqual([200, 201, 200])
  return performance.now() - startedAt
}

const HOST = `Host: ${new URL(at.url).host}\r\n`
const POST = `POST /v1/agents/${agent.id}/events HTTP/1.1\r\n${HOST}X-API-Key: ${platform.apiKey}\r\n`
const JSON_BODY = 'Content-Type: application/json\r\n'

const HOSTILE: Readonly<Record<string, string>> = {
  'send nothing': '',
  'stop within their headers': `GET /v1/scores/classifications HTTP/1.1\r\n${HOST}X-Slow: `,
  'stop within their bodies': `${POST}${JSON_BODY}Content-Length: 200000\r\n\r\n{"type":"`,
  'stop within chunks': `${POST}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nffff\r\n{"type":"`,
  'wait for permission to continue': `${POST}${JSON_BODY}Expect: 100-continue\r\nContent-Length: 200000\r\n\r\n`,
  'read nothing of a large response': `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`,
  'send many requests ahead and read nothing': `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(
    50,
  ),
  'send thousands of requests ahead': `GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(1_000),
  'send requests within a request': `${POST}${JSON_BODY}Content-Length: 5\r\n\r\n{}\r\n\r\nGET /v1/operator/audit HTTP/1.1\r\n${HOST}\r\n`,
}

describe('others are served while two hundred clients', () => {
  test.each(Object.entries(HOSTILE))('%s', async (_name, bytes) => {
    await openAll(bytes)
    await expectServed()
  })
})

test.each([
  ['/v1/scores/batch', { agentIds: [agent.id] }, 200],
  ['/v1/auth/login', { email: 'unknown@example.com', password: 'a wrong password' }, 401],
  ['/v1/auth/password-reset/confirm', { token: 'invented', password: 'a new long password' }, 400],
])(
  'clients that stop within their bodies at %s take no room, not even from their own address',
  async (path, json, status) => {
    await openAll(
      `POST ${path} HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 200000\r\n\r\n{"ids":`,
    )
    const answer = await send(at.url + path, { json, headers: { connection: 'close' } })
    expect(answer.status).toBe(status)
  },
)

test('clients that stop before the last byte of large bodies do not keep others from sending theirs', async () => {
  // More than all bodies in memory may have together.
  const bodies = 300
  const bytes = 256 * 1024
  await openAll(
    `${POST}${JSON_BODY}Content-Length: ${bytes}\r\n\r\n${' '.repeat(bytes - 1)}`,
    bodies,
  )
  let refused = 0
  for (const socket of sockets) {
    socket.on('data', () => refused++).resume()
  }
  await eventually(() => expect(refused).toBeGreaterThan(bodies / 8))
  const { platform: other } = await newPlatform(at)
  const report = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: other.apiKey,
    json: { type: 'task.completed' },
  })
  expect(report.status).toBe(201)
})

/** Without a bound these clients had the service hold three gigabytes; with it, some megabytes. */
const BUFFERED_MAX = 256 * 2 ** 20

function buffered(): number {
  const { external, arrayBuffers } = process.memoryUsage()
  return external + arrayBuffers
}

// The second is the most that a connection may send ahead.
test.each([50, 16])(
  'three hundred clients that send %i requests ahead and read nothing take bounded memory',
  async (ahead) => {
    const limited = await at.node({
      STANDING_RATE_LIMITS: 'on',
      STANDING_TRUST_PROXY: '127.0.0.0/8',
    })
    // An address of their own, so that they use up no quota of other clients.
    const from = `X-Forwarded-For: 203.0.113.${ahead}\r\n`
    const request = `GET /openapi.json HTTP/1.1\r\n${HOST}${from}\r\n`
    const before = buffered()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, buffered())
    }, 5)
    await openAll(request.repeat(ahead), 300, limited.url)
    // While the memory is watched.
    for (let i = 0; i < TURNS_MAX; i++) {
      await expectServed(limited.url)
    }
    clearInterval(watch)
    expect(most - before).toBeLessThan(BUFFERED_MAX)
  },
)

test('guessing keys is limited by address, and a valid key still works', async () => {
  const limited = await at.node({ STANDING_RATE_LIMITS: 'on' })
  const statuses: number[] = []
  for (let i = 0; i < 110; i++) {
    const { status } = await send(`${limited.url}/v1/agents/me`, { key: newKey('agent') })
    statuses.push(status)
  }
  expect(statuses).toEqual([...Array(100).fill(401), ...Array(10).fill(429)])
  const right = await send(`${limited.url}/v1/agents/me`, { key: agent.apiKey })
  expect(right.status).toBe(200)
})

test('a caller is served while two hundred connections try invented API keys', async () => {
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  let guesses = 0
  const guessers = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const { status } = await send(`${at.url}/v1/agents/me`, { key: newKey('agent') })
      expect(status).toBe(401)
      guesses++
    }
  })
  await Promise.race([eventually(() => expect(guesses).toBeGreaterThan(CLIENTS)), ...guessers])
  // Its key is looked up among those of the guessers.
  const { platform: newcomer } = await newPlatform(at)
  const report = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: newcomer.apiKey,
    json: { type: 'task.completed' },
  })
  expect(report.status).toBe(201)
  await expectServed()
  isOver = true
  await Promise.all(guessers)
})

test('connections beyond the maximum of one address are closed, and the others are served', async () => {
  const server = await serve(
    (_req, res) => void res.end('served'),
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, connectionsPerAddressMax: 3 },
  )
  onTestFinished(() => server.close())
  const open = async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  const kept = [await open(), await open(), await open()]
  const fourth = await open()
  await once(fourth, 'close')
  kept[0]?.destroy()
  await once(kept[0] as Socket, 'close')
  const next = await open()
  next.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [bytes] = (await once(next, 'data')) as [Buffer]
  expect(bytes.toString()).toContain('served')
})

// Other systems have one loopback address.
const onLinux = test.runIf(process.platform === 'linux')

onLinux('addresses that take all connections give way to an address that has none', async () => {
  const server = await serve(
    (_req, res) => void res.end('served'),
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, connectionsMax: 40 },
  )
  onTestFinished(() => server.close())
  const open = async (localAddress: string, bytes: string) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }
  // Headers that do not end, from two addresses.
  for (let i = 0; i < 50; i++) {
    await open(`127.0.0.${2 + (i % 2)}`, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  }
  await eventually(() => expect(server.connections()).toBe(40))
  const honest = await open('127.0.0.1', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [bytes] = (await once(honest, 'data')) as [Buffer]
  expect(bytes.toString()).toContain('served')
  // It is not closed for more of those.
  for (let i = 0; i < 50; i++) {
    await open(`127.0.0.${2 + (i % 2)}`, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  }
  honest.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [again] = (await once(honest, 'data')) as [Buffer]
  expect(again.toString()).toContain('served')
  expect(server.connections()).toBeLessThanOrEqual(40)
})
