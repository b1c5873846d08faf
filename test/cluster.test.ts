import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { Standing } from '@standing/sdk'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../packages/embedded-postgres/src/process.ts'
import { freePort } from '../src/lib/testing/free-port.ts'
import { checkAgent } from '../src/scoring/check-agent.ts'
import { startEmbeddedDatabase } from '../src/startup/embedded-database.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { createDataDir } from './support/data-dir.ts'
import { eventually } from './support/eventually.ts'
import { newDirectory } from './support/once.ts'
import { type RunningService, runService } from './support/process.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const dataDir = join(await newDirectory('cluster-'), 'data')
beforeAll(() => createDataDir(dataDir))

/** The processes of workers in the order in which they began to listen, by the log. */
function workersOf({ lines }: RunningService): readonly { worker: number; workerPid: number }[] {
  return lines
    .filter((line) => line.includes('"a worker listens"'))
    .map((line) => JSON.parse(line) as { worker: number; workerPid: number })
}

/** Each of them has to lock the rows of an agent before two others. */
const WORKERS = ['1', '2', '3']

/** Longer than any request waits for the database, and shorter than a test waits for a client. */
const GIVEN_UP_MS = 10_000

/** Enough that all workers have reports about each agent at the same time. */
const CLIENTS = 24
const REPORTS = 240

/** The worker that answers on a connection of its own. */
async function answering({ url }: RunningService): Promise<string | undefined> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
  return /worker="(\d+)"/.exec(await response.text())?.[1]
}

test('several processes serve one address and count each event once; a killed one is replaced, every score equals its replay, and all end together', async () => {
  const service = await runService({
    STANDING_CLUSTER: String(WORKERS.length),
    STANDING_DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => service.close())
  const first = workersOf(service)
  expect(first.map(({ worker }) => String(worker)).sort()).toEqual(WORKERS)

  const seen = new Set<string | undefined>()
  await eventually(async () => {
    seen.add(await answering(service))
    expect(seen).toEqual(new Set(WORKERS))
  })

  // What one of them wrote, the others read. The set-up link works on all of them.
  const anyone = new Standing({ baseUrl: service.url })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const owner = anyone.with({ token })
  const agents = await Promise.all(
    ['first', 'second', 'third'].map((displayName) => owner.agents.register({ displayName })),
  )
  const link = /http\S+\/setup\?token=\S+/.exec(service.lines.join('\n'))?.[0] ?? ''
  const headers = { connection: 'close' }
  for (let i = 0; i < 2 * WORKERS.length; i++) {
    const read = await fetch(`${service.url}/v1/agents/${agents[0]?.id}/score`, { headers })
    expect(await read.json()).toMatchObject({ agentId: agents[0]?.id, score: 100 })
    expect((await fetch(link, { headers })).status).toBe(200)
  }
  const { operator } = anyone.with({ operatorKey: await claim(link) })
  const platforms = await Promise.all(
    ['one', 'two'].map((name) => operator.createPlatform({ name, verified: true })),
  )

  // Each request on a connection of its own, which the workers get in turn. A retry has the same name. A client
  // has to give up at some time: a connection that a killed worker was about to get is never answered.
  const reportOnce = async (i: number): Promise<void> => {
    const response = await fetch(`${service.url}/v1/agents/${agents[i % 3]?.id}/events`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'x-api-key': platforms[i % 2]?.apiKey ?? '',
      },
      body: JSON.stringify({ type: 'task.completed', externalId: `event ${i}` }),
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    })
    expect([200, 201]).toContain(response.status)
  }
  const waiting = Array.from({ length: REPORTS }, (_, i) => i)
  const reportAll = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
      const number = i
      await eventually(() => reportOnce(number))
    }
  }
  const clients = Array.from({ length: CLIENTS }, reportAll)
  await eventually(() => expect(waiting.length).toBeLessThan(REPORTS / 2))
  // It records the reports of all.
  const killed = first.find(({ worker }) => worker === 1)
  process.kill(Number(killed?.workerPid), 'SIGKILL')
  await Promise.all(clients)
  await eventually(() => {
    const last = workersOf(service).at(-1)
    expect(last).toMatchObject({ worker: killed?.worker })
    expect(last?.workerPid).not.toBe(killed?.workerPid)
  })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

  expect(await service.stop()).toBe(0)
  const alive = await Promise.all(workersOf(service).map(({ workerPid }) => isAlive(workerPid)))
  expect(alive).toEqual([false, false, false, false])

  const embedded = await startEmbeddedDatabase({ dataDir })
  const pool = createPool(embedded.connection)
  onTestFinished(async () => {
    await pool.end()
    await embedded.stop()
  })
  const store = createPostgresStore(pool)
  let events = 0
  for (const { id } of agents) {
    const checked = await checkAgent(store, id)
    expect(checked?.difference).toBeNull()
    events += checked?.events ?? 0
  }
  expect(events).toBe(REPORTS)
})

/** Requests on one connection, which one worker gets. */
function onOneConnection(url: string, apiKey: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const request = httpRequest(`${url}${path}`, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    })
    request.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, text: await textOf(response) }
  }
}

type Ask = ReturnType<typeof onOneConnection>

/** The worker behind a connection, and how many events it has recorded. */
async function recordedBy(ask: Ask): Promise<{ worker: string; events: number }> {
  const { text } = await ask('/metrics')
  const counts = text.matchAll(/^standing_events_total\{.*\} (\d+)$/gm)
  return {
    worker: /worker="(\d+)"/.exec(text)?.[1] ?? '',
    events: Array.from(counts, ([, count]) => Number(count)).reduce((a, b) => a + b, 0),
  }
}

test('one worker records what all of them get, and each shows it in its next response; another one records while that one is gone or stands still', async () => {
  const own = join(await newDirectory('cluster-reports-'), 'data')
  await createDataDir(own)
  const service = await runService({
    STANDING_CLUSTER: '2',
    STANDING_DATA_DIR: own,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => service.close())
  const anyone = new Standing({ baseUrl: service.url })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const { id } = await anyone.with({ token }).agents.register({ displayName: 'reported' })
  const { operator } = anyone.with({ operatorKey: OPERATOR_KEY })
  const { apiKey } = await operator.createPlatform({ name: 'one', verified: true })
  const asks = new Map<string, Ask>()
  await eventually(async () => {
    const ask = onOneConnection(service.url, apiKey)
    asks.set((await recordedBy(ask)).worker, ask)
    expect([...asks.keys()].sort()).toEqual(['1', '2'])
  })
  const first = asks.get('1') as Ask
  const second = asks.get('2') as Ask

  // The responses are the same as without other workers.
  const path = `/v1/agents/${id}/events`
  const report = (externalId: string) => ({ type: 'task.completed', externalId })
  const countOf = async (ask: Ask) => {
    const { text } = await ask(`/v1/agents/${id}/score`)
    return (JSON.parse(text) as { eventCount: number }).eventCount
  }
  // The workers find each other soon after they listen.
  const passedOn = async () => {
    const before = await recordedBy(first)
    await second(path, report(randomUUID()))
    expect((await recordedBy(first)).events).toBeGreaterThan(before.events)
  }
  await eventually(passedOn)
  const { events: alone } = await recordedBy(second)
  const count = await countOf(second)
  for (let i = 1; i <= 3; i++) {
    expect(await second(path, report(`${i}`))).toMatchObject({ status: 201 })
    expect(await countOf(second)).toBe(count + i)
  }
  expect((await second(path, report('1'))).status).toBe(200)
  expect((await second(path, { type: 'task.completed', data: 1 })).status).toBe(400)
  expect((await second(`/v1/agents/${randomUUID()}/events`, report('4'))).status).toBe(404)
  const seen = async (ask: Ask, events: number) =>
    expect((await recordedBy(ask)).events).toBe(events)
  await eventually(() => seen(first, count + 3 - alone))
  await eventually(() => seen(second, alone))

  const pid = Number(workersOf(service).find(({ worker }) => worker === 1)?.workerPid)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGCONT')))
  expect(await second(path, report('4'))).toMatchObject({ status: 503 })
  expect((await second(path, report('4'))).status).toBe(201)
  process.kill(pid, 'SIGKILL')
  expect((await second(path, report('5'))).status).toBe(201)
  expect(await countOf(second)).toBe(count + 5)
  await eventually(() => seen(second, alone + 2))
  await eventually(async () => {
    const ask = onOneConnection(service.url, apiKey)
    expect((await recordedBy(ask)).worker).toBe('1')
    await second(path, report(randomUUID()))
    expect((await recordedBy(ask)).events).toBeGreaterThan(0)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The operator's key, which a set-up link gives once. */
async function claim(link: string): Promise<string> {
  const { origin, searchParams } = new URL(link)
  const page = await fetch(`${origin}/setup`, { method: 'POST', body: searchParams })
  return /avo_[0-9A-Za-z]{38}/.exec(await page.text())?.[0] ?? ''
}

test('workers that are killed together are all replaced', async () => {
  const own = join(await newDirectory('cluster-kill-'), 'data')
  await createDataDir(own)
  const service = await runService({
    STANDING_CLUSTER: '2',
    STANDING_DATA_DIR: own,
    // Without a port of its own the address ends with the last worker.
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => service.close())
  const killed = workersOf(service)
  for (const { workerPid } of killed) {
    process.kill(workerPid, 'SIGKILL')
  }
  await eventually(() => {
    const replaced = workersOf(service).slice(killed.length)
    expect(replaced.map(({ worker }) => worker).sort()).toEqual([1, 2])
  })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})

test('a worker that is killed while the service shuts down leaves the others their database', async () => {
  const own = join(await newDirectory('cluster-stop-'), 'data')
  await createDataDir(own)
  const service = await runService({
    STANDING_CLUSTER: '2',
    STANDING_DATA_DIR: own,
    STANDING_SHUTDOWN_GRACE: '300',
    STANDING_RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => service.close())
  // Each has had a request lately, and so serves during the grace period.
  const seen = new Set<string | undefined>()
  await eventually(async () => {
    seen.add(await answering(service))
    expect(seen.size).toBe(2)
  })
  service.signal('SIGTERM')
  await eventually(() => {
    const ending = service.lines.filter((line) => line.includes('"shutting down"'))
    expect(ending).toHaveLength(3)
  })
  const pid = Number(workersOf(service)[0]?.workerPid)
  process.kill(pid, 'SIGKILL')
  await eventually(async () => expect(await isAlive(pid)).toBe(false))
  const statuses = new Set<number>()
  for (let i = 0; i < READS; i++) {
    await eventually(async () => statuses.add(await readUnknown(service)))
  }
  expect([...statuses]).toEqual([404])
})

/** Enough that the first process would have stopped the database meanwhile. */
const READS = 200

/** The status of the score of an agent that does not exist, which the database says. */
async function readUnknown({ url }: RunningService): Promise<number> {
  const { status } = await fetch(`${url}/v1/agents/${randomUUID()}/score`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(GIVEN_UP_MS),
  })
  return status
}

test('if a worker cannot start, the service does not start, and says why', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const env = { STANDING_CLUSTER: '2', STANDING_DATA_DIR: dataDir, PORT: String(port) }
  const failed = await runService(env).catch((error: unknown) => String(error))
  expect(failed).toMatch(/Port \d+ of 127.0.0.1 is in use/)
  // The workers that are ended with it are no failure of their own.
  expect(failed).not.toMatch(/shutting down failed| {4}at /)
  await new Promise((resolve) => other.close(resolve))
})
