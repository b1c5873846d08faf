import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => pool.end())

/** An agent whose reports wait until the function returned is called. */
async function lockedAgent() {
  const { agent } = await newAgent(at)
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from agent_states where agent_id = $1 for update', [agent.id])
  return {
    id: agent.id,
    async unlock() {
      await client.query('rollback')
      client.release()
    },
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${at.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** More than one account may have in progress (96) and less than may wait (1,000). */
const REPORTS = 120

test('an account that floods is refused in time; others are served, and nothing accepted is lost', async () => {
  const flooder = await newPlatform(at)
  const honest = await newPlatform(at)
  const { agent: other } = await newAgent(at)
  const locked = await lockedAgent()
  const report = (key: string, agentId: string, externalId: string) =>
    send(`${at.url}/v1/agents/${agentId}/events`, {
      key,
      json: { type: 'task.completed', externalId },
    })
  const flood = Array.from({ length: REPORTS }, (_, i) =>
    report(flooder.platform.apiKey, locked.id, `flood ${i}`),
  )
  await eventually(async () => {
    expect(await metric('standing_writes_in_progress_kibibytes')).toBe(96)
  })

  const startedAt = performance.now()
  const accepted = await report(honest.platform.apiKey, other.id, 'honest')
  const health = await send(`${at.url}/healthz`)
  expect([accepted.status, health.status]).toEqual([201, 200])
  expect(performance.now() - startedAt).toBeLessThan(2_000)

  await eventually(async () => expect(await metric('standing_writes_waiting')).toBe(0))
  await locked.unlock()
  const answers = await Promise.all(flood)
  const overloaded = answers.filter(({ body }) => body.error?.details.reason === 'overloaded')
  expect(overloaded.length).toBeGreaterThan(0)
  for (const { status, headers, body } of overloaded) {
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('connection')).toBe('close')
  }
  const { eventCount } = await at.anyone.score.get(locked.id)
  expect(eventCount).toBe(answers.filter(({ status }) => status === 201).length)

  const again = await report(flooder.platform.apiKey, locked.id, 'after the flood')
  expect(again.status).toBe(201)
  expect(await metric('standing_writes_in_progress_kibibytes')).toBe(0)
})

test('a flood of writes leaves reads their room', async () => {
  const { platform } = await newPlatform(at)
  const { platform: second } = await newPlatform(at)
  const locked = await lockedAgent()
  const body = { json: { type: 'task.completed' } }
  const flood = [platform, second].flatMap(({ apiKey: key }) =>
    Array.from({ length: 80 }, () =>
      send(`${at.url}/v1/agents/${locked.id}/events`, { key, ...body }),
    ),
  )
  await eventually(async () => {
    expect(await metric('standing_writes_in_progress_kibibytes')).toBe(128)
  })
  const score = await fetch(`${at.url}/v1/agents/${locked.id}/score`)
  expect(score.status).toBe(200)
  await locked.unlock()
  await Promise.all(flood)
})
