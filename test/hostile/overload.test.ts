import { afterAll, expect, test } from 'vitest'
import { flood as floodFor } from '../../lab/bench/overload/flood.ts'
import { probe } from '../../lab/bench/overload/probe.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { lockAgent } from '../support/hold-locks.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

// As in production: what waits too long for the database is refused.
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { databaseLimits: {} })
const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => pool.end())

/** An agent whose reports wait until the function returned is called. */
async function lockedAgent() {
  const { agent } = await newAgent(at)
  return { id: agent.id, unlock: await lockAgent(pool, agent.id) }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${at.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** 24 KiB: four of them are all that one account may have in progress. */
const EVENTS = Array.from({ length: 100 }, () => ({
  type: 'task.failed',
  data: { errorCode: 'E'.repeat(195) },
}))
const REPORTS = 8

/**
 * Reports that wait for the lock of an agent, until the account has no room left: some wait for it,
 * or the first was refused already, while a machine was too busy to look.
 */
async function flood(agentId: string, keys: readonly string[]) {
  const reports = keys.flatMap((key) =>
    Array.from({ length: REPORTS }, () =>
      send(`${at.url}/v1/agents/${agentId}/events/batch`, { key, json: { events: EVENTS } }),
    ),
  )
  const waiting = eventually(async () => {
    expect(await metric('standing_queue_waiting{queue="write"}')).toBeGreaterThan(0)
  })
  await Promise.race([waiting, ...reports])
  return reports
}

test('an account that floods is refused in time; others are served, and no accepted report is lost', async () => {
  const flooder = await newPlatform(at)
  const honest = await newPlatform(at)
  const { agent: other } = await newAgent(at)
  const locked = await lockedAgent()
  const reports = await flood(locked.id, [flooder.platform.apiKey])

  const accepted = await honest.client.events.submit(other.id, { type: 'task.completed' })
  expect(accepted.agentId).toBe(other.id)
  expect((await send(`${at.url}/healthz`)).status).toBe(200)

  await eventually(async () =>
    expect(await metric('standing_queue_waiting{queue="write"}')).toBe(0),
  )
  await locked.unlock()
  const answers = await Promise.all(reports)
  const overloaded = answers.filter(({ body }) => body.error?.details.reason === 'overloaded')
  expect(overloaded.length).toBeGreaterThan(0)
  for (const { status, headers, body } of overloaded) {
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(headers.get('retry-after')).toBe('1')
    // A new connection would cost the service more than the refusal.
    expect(headers.get('connection')).toBe('keep-alive')
  }
  const { rows } = await pool.query(
    'select count(*)::int as count from events where agent_id = $1',
    [locked.id],
  )
  const stored = answers.filter(({ status }) => status < 300).length * EVENTS.length
  expect(rows).toEqual([{ count: stored }])
  await flooder.client.events.submit(locked.id, { type: 'task.completed' })
  // Metrics may be as old as a scrape just before.
  await eventually(async () => expect(await metric('standing_writes_in_progress_bytes')).toBe(0))
})

test('reads are served during a flood of writes', async () => {
  const platforms = await Promise.all([newPlatform(at), newPlatform(at)])
  const locked = await lockedAgent()
  const keys = platforms.map(({ platform }) => platform.apiKey)
  const reports = await flood(locked.id, keys)
  const score = await fetch(`${at.url}/v1/agents/${locked.id}/score`)
  expect(score.status).toBe(200)
  await locked.unlock()
  await Promise.all(reports)
})

/** Ten times as many as keep it busy, for as long as it takes to see what becomes of them. */
const CLIENTS = 160
const FLOOD_MS = 2_000
const TURNS_MAX = 10

test('at ten times its capacity the service serves what it can, refuses the rest, and recovers', async () => {
  const platforms = await Promise.all([newPlatform(at), newPlatform(at)])
  const agents = await Promise.all([newAgent(at), newAgent(at), newAgent(at)])
  const { host, port } = new URL(at.url)
  const body = JSON.stringify({ events: EVENTS })
  const requests = platforms.flatMap(({ platform }) =>
    agents.map(({ agent }) =>
      Buffer.from(
        `POST /v1/agents/${agent.id}/events/batch HTTP/1.1\r\nHost: ${host}\r\n` +
          `X-API-Key: ${platform.apiKey}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    ),
  )
  const options = { port: Number(port), clients: CLIENTS, requests, warmMs: 0, ms: FLOOD_MS }
  let accepted = 0
  let refused = 0
  // The service serves in two seconds what the machine leaves it: on a busy one it takes more of them.
  for (let turn = 0; turn < TURNS_MAX && (accepted === 0 || refused === 0); turn++) {
    const flooding = floodFor(options)
    // Each has to be answered; `npm run bench:overload` measures how soon.
    const health = await probe(`${at.url}/healthz`, flooding, 0)
    expect(health.length).toBeGreaterThan(0)
    const { acceptedPerSecond, refusedPerSecond } = await flooding
    accepted += Math.round((acceptedPerSecond * FLOOD_MS) / 1_000)
    refused += Math.round((refusedPerSecond * FLOOD_MS) / 1_000)
  }
  expect(accepted).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)

  const [first] = platforms
  const [about] = agents
  const event = await first?.client.events.submit(about?.agent.id ?? '', { type: 'task.completed' })
  expect(event?.agentId).toBe(about?.agent.id)
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from events where agent_id = any($1)',
    [agents.map(({ agent }) => agent.id)],
  )
  // Those whose answer did not come within the time may be stored as well.
  expect(rows[0]?.count).toBeGreaterThan(accepted * EVENTS.length)
})
