import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const database = await createDatabase()
const { proxy, url } = await startDatabaseProxy(database.url)
// As in production: what waits too long for the database fails, and its connection is closed.
const at = await startService(
  { DATABASE_URL: url, STANDING_RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' },
  { databaseLimits: {} },
)
afterAll(async () => {
  await proxy.close()
  await database.drop()
})

/** In how many milliseconds an answer came, and its status. */
async function timed(path: string): Promise<{ readonly status: number; readonly ms: number }> {
  const startedAt = performance.now()
  const { status } = await fetch(at.url + path)
  return { status, ms: performance.now() - startedAt }
}

/**
 * Each answer has this status, and one of them comes in time: on a busy machine many are late, and of a
 * service that waits for its database all are.
 */
async function answersWithin(path: string, status: number, msMax: number): Promise<void> {
  const statuses = new Set<number>()
  await eventually(async () => {
    const answer = await timed(path)
    statuses.add(answer.status)
    expect(answer.ms).toBeLessThan(msMax)
  })
  expect([...statuses]).toEqual([status])
}

test('when the database becomes unreachable without an error, readiness says so in a second, a node can end, and the service recovers', async () => {
  const ending = await at.node()
  const { platform } = await newPlatform(at)
  const { agent } = await newAgent(at)
  let answered = 0
  let isOver = false
  const report = () =>
    send(`${at.url}/v1/agents/${agent.id}/events`, {
      key: platform.apiKey,
      json: { type: 'task.completed' },
    })
  // More than there are connections, so that each of them has a statement under way.
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const { status } = await report().catch(() => ({ status: 0 }))
      answered += status === 201 ? 1 : 0
    }
  })
  await eventually(() => expect(answered).toBeGreaterThan(50))

  proxy.swallow()
  const ended = ending.close()
  await eventually(async () => expect((await timed('/readyz')).status).toBe(503))
  await answersWithin('/readyz', 503, 1_500)
  await answersWithin('/healthz', 200, 1_000)
  const scraped = await (await fetch(`${at.url}/metrics`)).text()
  expect(scraped).toMatch(/^standing_stats_up 0$/m)
  expect(scraped).toMatch(/^standing_ready 0$/m)
  expect(scraped).not.toMatch(/^standing_backlog\{/m)
  // Before the network is back: without a bound it waited for that.
  await ended

  proxy.heal()
  const before = answered
  // Without time-outs on this side it never was. `npm run torture` measures how soon it is.
  await eventually(() => expect(answered).toBeGreaterThan(before + 50))
  await eventually(async () => expect((await timed('/readyz')).status).toBe(200))
  isOver = true
  await Promise.all(clients)
})
