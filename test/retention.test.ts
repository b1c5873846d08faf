import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { applyRetention, type Retention } from '../src/retention/retention.ts'
import { checkAgent } from '../src/scoring/check-agent.ts'
import { verifyProof } from '../src/scoring/verify-receipt.ts'
import { brokenAt } from '../src/store/postgres/audit-chain.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool)
const DAY_MS = 86_400_000

/** Applies retention as it would be in so many days. */
async function inDays(days: number, retention: Partial<Retention>) {
  const removed: Record<string, number> = {}
  await applyRetention({
    store,
    now: () => Date.now() + days * DAY_MS,
    newId: () => crypto.randomUUID(),
    retention: { texts: null, audit: null, deliveries: 30, ...retention },
    isStopping: () => false,
    onRemoved: (what, count) => {
      removed[what] = (removed[what] ?? 0) + count
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

test('old texts and names of events go; score, receipt and replay stay as they are', async () => {
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

test('old audit entries go; the rest is a chain from the checkpoint that the log itself names', async () => {
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

test('by default everything is kept', async () => {
  const { retention } = readConfig({})
  expect(retention).toEqual({ texts: null, audit: null, deliveries: 30 })
  const { length } = await exported()
  expect(await inDays(10_000, retention)).toEqual({})
  expect(await exported()).toHaveLength(length)
})

test.each(['texts', 'events=3', 'audit=0', 'audit=-1', 'texts=1;audit=2'])(
  'the setting %s is refused with an example',
  (text) => {
    expect(() => readConfig({ STANDING_RETENTION: text })).toThrow('texts=365,audit=730')
  },
)
