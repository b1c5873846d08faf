import { createServer } from 'node:net'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../packages/embedded-postgres/src/process.ts'
import { checkAgent } from '../src/scoring/check-agent.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { createDataDir } from './support/data-dir.ts'
import { createDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { newDirectory } from './support/once.ts'
import { type RunningService, runService } from './support/process.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const dataDir = join(await newDirectory('cluster-'), 'data')
beforeAll(() => createDataDir(dataDir))

/** The processes of workers in the order in which they began to listen, by the log. */
function workersOf({ lines }: RunningService): readonly { worker: number; pid: number }[] {
  return lines
    .filter((line) => line.includes('"a worker listens"'))
    .map((line) => JSON.parse(line) as { worker: number; pid: number })
}

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

test('several processes serve one address; a killed one is replaced, and all end together', async () => {
  const service = await runService({
    STANDING_CLUSTER: '2',
    STANDING_DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
  })
  const first = workersOf(service)
  expect(first.map(({ worker }) => worker).sort()).toEqual([1, 2])

  const seen = new Set<string | undefined>()
  await eventually(async () => {
    seen.add(await answering(service))
    expect(seen).toEqual(new Set(['1', '2']))
  })

  // What one of them wrote, the other reads. The set-up link works on both.
  const anyone = new Standing({ baseUrl: service.url })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const agent = await anyone.with({ token }).agents.register({ displayName: 'shared' })
  const link = /http\S+\/setup\?token=\S+/.exec(service.lines.join('\n'))?.[0] ?? ''
  for (let i = 0; i < 4; i++) {
    const headers = { connection: 'close' }
    const read = await fetch(`${service.url}/v1/agents/${agent.id}/score`, { headers })
    expect(await read.json()).toMatchObject({ agentId: agent.id, score: 100 })
    expect((await fetch(link, { headers })).status).toBe(200)
  }

  const killed = first[0]
  process.kill(killed?.pid ?? 0, 'SIGKILL')
  await eventually(() => {
    const last = workersOf(service).at(-1)
    expect(last).toMatchObject({ worker: killed?.worker })
    expect(last?.pid).not.toBe(killed?.pid)
  })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

  expect(await service.stop()).toBe(0)
  const alive = await Promise.all(workersOf(service).map(({ pid }) => isAlive(pid)))
  expect(alive).toEqual([false, false, false])
})

test('processes that report about the same agents at once count each event once, and every score equals its replay', async () => {
  const database = await createDatabase()
  const pool = createPool({ url: database.url })
  const service = await runService({
    STANDING_CLUSTER: '3',
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    LOG_LEVEL: 'info',
  })
  onTestFinished(async () => {
    await service.stop()
    await pool.end()
    await database.drop()
  })
  const { operator, auth } = new Standing({ baseUrl: service.url, operatorKey: OPERATOR_KEY })
  const { token } = await auth.register({ email: 'grace@example.com', password: PASSWORD })
  const owner = new Standing({ baseUrl: service.url, token })
  const agents = await Promise.all(
    ['first', 'second', 'third'].map((displayName) => owner.agents.register({ displayName })),
  )
  const platforms = await Promise.all(
    ['one', 'two'].map((name) => operator.createPlatform({ name, verified: true })),
  )

  // Each request on a connection of its own, which the workers get in turn. A retry has the same name. A client
  // has to give up at some time: a connection that a killed worker was about to get is never answered.
  const reportOnce = async (i: number): Promise<void> => {
    const response = await fetch(`${service.url}/v1/agents/${agents[i % 3]?.id}/events`, {
      method: 'POST',
      headers: {
        connection: 'close',
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
  process.kill(workersOf(service)[0]?.pid ?? 0, 'SIGKILL')
  await Promise.all(clients)

  const store = createPostgresStore(pool)
  let events = 0
  for (const { id } of agents) {
    const checked = await checkAgent(store, id)
    expect(checked?.difference).toBeNull()
    events += checked?.events ?? 0
  }
  expect(events).toBe(REPORTS)
})

test('if a worker cannot start, the service does not start, and says why', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const env = { STANDING_CLUSTER: '2', STANDING_DATA_DIR: dataDir, PORT: String(port) }
  await expect(runService(env)).rejects.toThrow(/Port \d+ of 127.0.0.1 is in use/)
  await new Promise((resolve) => other.close(resolve))
})
