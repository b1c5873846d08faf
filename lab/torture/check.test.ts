import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { newAgent, newPlatform, startService } from '../../test/support/service.ts'
import { check } from './check.ts'
import { openLedger, readLedger } from './ledger.ts'
import { startLoad } from './load.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
const receiver = await httpReceiver((_request, response) => response.end())
afterAll(async () => {
  await pool.end()
  await receiver.close()
})

/** Enough for two batches, and some reports that are sent twice. */
const REPORTS = 30

let firstN = 1

/** Reports to a service, and the verdict on what its database has of them. */
async function judge(url: string, plant: (agentId: string) => Promise<unknown> = async () => {}) {
  const dir = await mkdtemp(join(tmpdir(), 'standing-ledger-'))
  const path = join(dir, 'ledger.jsonl')
  const { agent, owner } = await newAgent(at)
  await owner.client.webhooks.create({ url: `http://127.0.0.1:${receiver.port}/`, events: ['*'] })
  const { platform } = await newPlatform(at)
  const ledger = await openLedger(path)
  firstN += 1_000
  const load = startLoad({
    ledger,
    urls: [url],
    apiKey: platform.apiKey,
    agentIds: [agent.id],
    workers: 4,
    firstN,
  })
  await load.more(REPORTS)
  const { faults, unknown } = await load.stop()
  await ledger.close()
  await plant(agent.id)
  const options = { agentIds: [agent.id], numbers: [firstN, firstN + 999] } as const
  const verdict = await check(pool, readLedger(path), options)
  await rm(dir, { recursive: true })
  const { acknowledged, lost, doubled, mismatched } = verdict
  expect([faults, unknown, acknowledged >= REPORTS]).toEqual([[], 0, true])
  return [lost.length > 0, doubled.length > 0, mismatched.length > 0]
}

const NOTHING = [false, false, false]

/** A server in front of the service that does to every fifth report what `lie` does. */
async function liar(lie: (send: () => Promise<Response>) => Promise<Response | object>) {
  let count = 0
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) {
      chunks.push(chunk as Buffer)
    }
    const isLie = req.url?.endsWith('/events') && ++count % 5 === 0
    const headers = new Headers({ 'content-type': 'application/json' })
    headers.set('x-api-key', String(req.headers['x-api-key']))
    if (!isLie) {
      headers.set('idempotency-key', String(req.headers['idempotency-key']))
    }
    const body = Buffer.concat(chunks).toString()
    const nameless = isLie ? JSON.stringify({ ...JSON.parse(body), externalId: undefined }) : body
    const send = () => fetch(`${at.url}${req.url}`, { method: 'POST', headers, body: nameless })
    const answer = await (isLie ? lie(send) : send())
    const isResponse = answer instanceof Response
    res.statusCode = isResponse ? answer.status : 201
    res.end(isResponse ? await answer.text() : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a correct service passes the check', async () => {
  expect(await judge(at.url)).toEqual(NOTHING)
})

test('the check finds a service that acknowledges an event without storing it', async () => {
  const url = await liar(async () => ({ id: '01a0f0c0-0000-7000-8000-000000000000' }))
  expect((await judge(url))[0]).toBe(true)
})

test('the check finds a service that stores a report twice', async () => {
  const url = await liar(async (send) => {
    await send()
    return send()
  })
  expect((await judge(url))[1]).toBe(true)
})

test.each([
  ['an event is gone', 'delete from events where agent_id = $1 and seq = 7', 0],
  ['a notification is gone', 'delete from notifications where agent_id = $1', 0],
  [
    'an event is there twice',
    `insert into events
     select (jsonb_populate_record(e, jsonb_build_object('seq', seq + 10000, 'id', gen_random_uuid()))).*
     from events e where agent_id = $1 and seq = 7`,
    1,
  ],
  ['a score is another', 'update agent_states set score = score + 1 where agent_id = $1', 2],
  [
    'an event says something else',
    "update events set type = 'task.timeout' where agent_id = $1 and seq = 7",
    2,
  ],
] as const)('the check finds a database where %s', async (_name, sql, expected) => {
  const verdict = await judge(at.url, (agentId) => pool.query(sql, [agentId]))
  expect(verdict[expected]).toBe(true)
})
