import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { applyRetention } from '../src/retention/retention.ts'
import { checkAgent } from '../src/scoring/check-agent.ts'
import { verifyProof } from '../src/scoring/verify-receipt.ts'
import type { RetentionSettings } from '../src/settings/retention.ts'
import { readCluster } from '../src/store/postgres/cluster.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { brokenAt } from './support/audit-chain.ts'
import { refusal } from './support/http.ts'
import { importPast } from './support/past.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
const DAY_MS = 86_400_000

/** A service that reads nothing on its own. */
const quiet = await startService({ STANDING_RATE_LIMITS: 'off' }, { backgroundMs: DAY_MS })

const sources = { store, newId: () => crypto.randomUUID() }

/** Applies retention as it would be in so many days. */
async function inDays(days: number, retention: Partial<RetentionSettings>, from = sources) {
  const removed: Record<string, number> = {}
  await applyRetention({
    ...from,
    now: () => Date.now() + days * DAY_MS,
    retention: {
      texts: null,
      audit: null,
      deliveries: 30,
      archive: null,
      snapshots: null,
      ...retention,
    },
    isStopping: () => false,
    onRemoved: (what, count) => {
      removed[what] = (removed[what] ?? 0) + count
    },
    onFailed(error) {
      throw error
    },
  })
  return removed
}

async function exported() {
  const rows = []
  for await (const row of at.operator.operator.exportAudit()) {
    rows.push({ ...row, createdAt: Date.parse(row.createdAt) })
  }
  return rows
}

test('old texts and names of events are deleted; score, receipt and replay stay the same', async () => {
  const { agent } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  await platform.events.report(agent.id, [
    { type: 'task.failed', data: { errorCode: 'E42-private' }, externalId: 'order-private' },
    { type: 'task.completed', data: { duration: 5 } },
  ])
  const { receipt } = await at.anyone.score.getReceipt(agent.id)
  expect(await inDays(364, { texts: 365 })).toEqual({})
  expect(await inDays(366, { texts: 365 })).toEqual({ texts: 1 })
  expect(await inDays(366, { texts: 365 })).toEqual({})
  const text = await at.operator.events.export(agent.id)
  expect(text).not.toContain('private')
  const lines = text.trimEnd().split('\n')
  expect(await verifyProof({ receipt, lines, keys: null })).toMatchObject({ problem: null })
  expect(await checkAgent(store, agent.id)).toMatchObject({ difference: null })
  const { rows } = await pool.query('select 1 from external_ids where external_id = $1', [
    'order-private',
  ])
  expect(rows).toEqual([])
})

test('texts are removed without another look at events that were looked at before, or are newer', async () => {
  const { agent } = await newAgent(quiet)
  const { platform } = await newPlatform(quiet)
  const lines = Array.from({ length: 300 }, (_, i) => ({
    at: Date.now() - (i < 200 ? 200 : 50) * DAY_MS + i,
    agent: agent.id,
    by: platform.id,
    type: 'task.failed',
    data: { errorCode: `E${i}` },
  }))
  await importPast(quiet, lines)
  const one = createPool({ url: quiet.database.url }, { max: 1 })
  onTestFinished(() => one.end())
  const texts = { ...sources, store: createPostgresStore(one) }
  const eventsRead = async () => {
    await one.query('select pg_stat_force_next_flush()')
    const { rows } = await one.query<{ count: number }>(
      "select seq_tup_read + idx_tup_fetch as count from pg_stat_user_tables where relname = 'events'",
    )
    return rows[0]?.count ?? 0
  }
  expect(await inDays(0, { texts: 100 }, texts)).toEqual({ texts: 200 })
  const before = await eventsRead()
  expect(await inDays(0, { texts: 100 }, texts)).toEqual({})
  expect((await eventsRead()) - before).toBeLessThan(5)
  expect(await inDays(60, { texts: 100 }, texts)).toEqual({ texts: 100 })
})

test('old audit entries are deleted; the rest is a chain from the checkpoint in the log', async () => {
  for (let i = 0; i < 5; i++) {
    await newPlatform(at)
  }
  const before = await exported()
  expect(await inDays(10, { audit: 30 })).toEqual({ audit: 0 })
  expect(await exported()).toHaveLength(before.length)
  await inDays(31, { audit: 30 })
  const after = await exported()
  expect(after).toHaveLength(2)
  const { details } = after.at(-1) ?? {}
  expect(after.at(-1)?.action).toBe('audit.pruned')
  expect(details).toEqual({ number: before.length - 1, hash: before.at(-2)?.hash })
  expect(brokenAt(after, String(details?.hash))).toBeNull()
  expect(brokenAt(after)).not.toBeNull()
})

/** Two events a day that ended yesterday, some good and some bad, so that the score never rests. */
async function workBefore(agent: string, by: string, days: number) {
  const start = Math.floor(Date.now() / DAY_MS - days) * DAY_MS
  const lines = Array.from({ length: 2 * days - 2 }, (_, i) => ({
    at: start + (i * DAY_MS) / 2,
    agent,
    by,
    type: i < 10 || i % 3 === 2 ? 'task.failed' : 'task.completed',
  }))
  await importPast(at, lines)
}

async function historyOf(agentId: string) {
  const snapshots = []
  for await (const snapshot of at.anyone.score.getHistory(agentId, { limit: 100 })) {
    snapshots.push(snapshot)
  }
  return snapshots
}

describe('old snapshots', () => {
  const dayOf = (time: string) => Math.floor(Date.parse(time) / DAY_MS)

  test('are deleted except the last of each day, and after a year of each week; the rest still verifies', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at, { verified: true })
    await workBefore(agent.id, platform.id, 500)
    const before = await historyOf(agent.id)
    const { snapshots = 0 } = await inDays(0, { snapshots: 40 })
    const after = await historyOf(agent.id)
    expect(after).toHaveLength(before.length - snapshots)
    expect(snapshots).toBeGreaterThan(300)
    const ageOf = (time: string) => (Date.now() - Date.parse(time)) / DAY_MS
    const weekOf = (time: string) => Math.floor((dayOf(time) + 3) / 7)
    // Newest first: in front of each is the one after it.
    const left = before.filter(({ createdAt }, i) => {
      const next = before[i - 1]?.createdAt ?? ''
      const periodOf = ageOf(createdAt) > 405 ? weekOf : dayOf
      return !(ageOf(next) > 40) || periodOf(next) !== periodOf(createdAt)
    })
    expect(after).toEqual(left)
    expect(await checkAgent(store, agent.id)).toMatchObject({ difference: null })
    await inDays(0, { snapshots: 40 })
    expect(await historyOf(agent.id)).toEqual(after)
    const since = before.find(({ id }) => !after.some((one) => one.id === id))?.id ?? ''
    expect(await refusal(at.anyone.score.explain(agent.id, { since }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await pool.query('delete from snapshots where agent_id = $1 and id = $2', [
      agent.id,
      after[3]?.id,
    ])
    const { difference } = (await checkAgent(store, agent.id)) ?? {}
    expect(difference?.what).toMatch(/^snapshot number \d+ is missing$/)
  })

  test('of a low score stay for a year: the next agent of the owner starts as low', async () => {
    const { agent, owner } = await newAgent(at)
    const { platform } = await newPlatform(at, { verified: true })
    await workBefore(agent.id, platform.id, 100)
    const startOf = async () => at.anyone.score.get((await newAgent(at, owner)).agent.id)
    const { score } = await startOf()
    expect(score).toBeLessThan(100)
    await inDays(0, { snapshots: 31 })
    expect((await startOf()).score).toBe(score)
  })
})

test('all data is kept by default', async () => {
  const { retention } = readConfig({})
  expect(retention).toEqual({
    texts: null,
    audit: null,
    deliveries: 30,
    archive: null,
    snapshots: null,
  })
  const { length } = await exported()
  expect(await inDays(10_000, retention)).toEqual({})
  expect(await exported()).toHaveLength(length)
})

test.each(['texts', 'events=3', 'audit=', 'audit=-1', 'texts=1;audit=2', 'texts=1,texts=2'])(
  'the setting %s is refused with an example',
  (text) => {
    expect(() => readConfig({ STANDING_RETENTION: text })).toThrow(
      'texts=365,audit=730,archive=180',
    )
  },
)

test.each([
  ['audit=0', 'audit must be at least 1 day'],
  ['archive=90', 'archive must be at least 91 days'],
  ['snapshots=30', 'snapshots must be at least 31 days'],
])('the setting %s is refused with its minimum', (text, reason) => {
  expect(() => readConfig({ STANDING_RETENTION: text })).toThrow(reason)
})

test('a run that begins while the service stops reads no agents', async () => {
  let parts = 0
  async function* agentIds() {
    for await (const ids of store.agentStates.agentIds()) {
      parts += 1
      yield ids
    }
  }
  await newAgent(at)
  await applyRetention({
    store: { ...store, agentStates: { ...store.agentStates, agentIds } },
    now: Date.now,
    newId: () => crypto.randomUUID(),
    retention: { texts: 30, audit: 30, deliveries: 30, archive: 91, snapshots: 30 },
    isStopping: () => true,
    onRemoved: () => expect.fail('something was removed'),
    onFailed: () => expect.fail('something failed'),
  })
  expect(parts).toBe(0)
})
