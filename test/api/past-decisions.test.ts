import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createIds } from '../../src/lib/ids.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { DECISIONS_MAX, type DecisionRow } from '../../src/store/store.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool)
afterAll(() => pool.end())

const newId = createIds()

/** What a client of MCP takes. */
const ACCEPT = 'application/json, text/event-stream'

test('a platform lists its past decisions, whichever way it requested them', async () => {
  const { agent } = await newAgent(at)
  const { platform, client } = await newPlatform(at)
  await client.policies.put('purchase', { minScore: 900 })
  const key = { 'x-api-key': platform.apiKey }
  const post = (path: string, json: unknown) =>
    fetch(`${at.url}${path}`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json', accept: ACCEPT },
      body: JSON.stringify(json),
    })
  await client.decisions.decide({ agentId: agent.id, action: 'purchase' })
  await client.decisions.decide({ identifier: 'stranger.example.com', policy: { minScore: 50 } })
  const subject = { type: 'agent', id: agent.id }
  const request = { subject, action: { name: 'read' }, resource: { type: 'record', id: '1' } }
  await post('/access/v1/evaluations', { ...request, evaluations: [{}, { action: { name: 7 } }] })
  await fetch(`${at.url}/v1/gate`, { headers: { ...key, 'x-agent-id': agent.id } })
  await fetch(`${at.url}/v1/gate`, { headers: key })
  const tool = { name: 'decide', arguments: { agent: agent.id, policy: { minScore: 0 } } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
  expect(await (await post('/mcp', call)).text()).toContain('meets_policy')
  const { data, nextCursor } = await client.decisions.list()
  const shown = { id: agent.id, displayName: 'agent' }
  const known = { agent: expect.objectContaining(shown), identifier: null, score: 100 }
  const unknown = { agent: null, score: null }
  expect(nextCursor).toBeNull()
  expect(data).toMatchObject([
    { ...known, via: 'api', decision: 'allow', policy: null, action: null },
    { ...unknown, via: 'gate', decision: 'review', identifier: null },
    { ...known, via: 'gate', decision: 'deny', action: 'gate', policy: null },
    { ...known, via: 'authzen', decision: 'deny', action: 'read', policy: null },
    { ...unknown, via: 'api', decision: 'review', identifier: 'stranger.example.com' },
    { ...known, via: 'api', decision: 'deny', action: 'purchase', policy: 'purchase' },
  ])
  expect(data[5]?.reasons).toEqual([
    { code: 'score_too_low', message: expect.stringContaining('900') },
  ])
  const paged: string[] = []
  for await (const { id } of client.decisions.list({ limit: 1 })) {
    paged.push(id)
  }
  expect(paged).toEqual(data.map(({ id }) => id))
})

test('a name that was not proven at the time of its decision stays so in the list', async () => {
  const { client } = await newPlatform(at)
  const nobody = randomUUID()
  await client.decisions.decide({ agentId: nobody })
  expect((await client.decisions.list()).data).toMatchObject([{ agent: null, identifier: nobody }])
})

test('a repeated request counts as one decision, and a refused request is not counted', async () => {
  const { platform, client } = await newPlatform(at)
  const json = { identifier: 'a.example.com' }
  const headers = { 'idempotency-key': randomUUID() }
  for (let i = 0; i < 2; i++) {
    await send(`${at.url}/v1/decisions`, { json, key: platform.apiKey, headers })
  }
  await refusal(client.decisions.decide({ identifier: 'a.example.com', policy: 'nowhere' }))
  expect((await client.decisions.list()).data).toHaveLength(1)
})

test('a platform sees only its own decisions, and an owner has no such list', async () => {
  const [asking, other] = [await newPlatform(at), await newPlatform(at)]
  const { client: agent, owner } = await newAgent(at)
  await asking.client.decisions.decide({ identifier: 'a.example.com' })
  await owner.client.decisions.decide({ identifier: 'a.example.com' })
  const { nextCursor } = await asking.client.decisions.list({ limit: 1 })
  expect(nextCursor).toBeNull()
  expect((await other.client.decisions.list()).data).toEqual([])
  for (const client of [agent, owner.client]) {
    expect(await refusal(client.decisions.list())).toMatchObject({ code: 'FORBIDDEN' })
  }
})

test('the latest thousand decisions of each platform are kept for a month', async () => {
  const [many, few] = [randomUUID(), randomUUID()]
  const ofMany = Array.from({ length: DECISIONS_MAX + 5 }, () => rowOf(many))
  const ofFew = [rowOf(few)]
  await store.decisions.insertAll(ofMany.slice(0, 10))
  await store.decisions.insertAll([...ofFew, ...ofMany.slice(10)])
  const kept = await store.decisions.list(many, null, DECISIONS_MAX)
  expect(kept).toMatchObject({ more: false })
  expect(kept.rows).toEqual(ofMany.slice(5).reverse())
  expect((await store.decisions.list(few, null, 10)).rows).toEqual(ofFew)
  const old = { ...rowOf(few), createdAt: 1_000 }
  await store.decisions.insertAll([old])
  expect(await store.sweep('decisions', 1_000)).toBe(1)
  expect((await store.decisions.list(few, null, 10)).rows).toEqual(ofFew)
})

function rowOf(platformId: string): DecisionRow {
  return {
    id: newId(),
    platformId,
    createdAt: Date.now(),
    via: 'gate',
    agentId: null,
    identifier: 'null',
    action: 'say "no", {please}',
    verdict: 'deny',
    reasons: [{ code: 'agent_unknown', message: 'no agent has the name "a\\b"' }],
    score: null,
    policy: null,
  }
}
