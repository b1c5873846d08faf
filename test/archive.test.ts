import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runErasures } from '../src/erasure/run.ts'
import { applyRetention } from '../src/retention/retention.ts'
import { checkAgent } from '../src/scoring/check-agent.ts'
import { migrateAgent } from '../src/scoring/migrate-model.ts'
import { verifyProof } from '../src/scoring/verify-receipt.ts'
import type { RetentionSettings } from '../src/settings/retention.ts'
import { readCluster } from '../src/store/postgres/cluster.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { PATIENT } from './support/database.ts'
import { holdLocks, waitForLocks } from './support/hold-locks.ts'
import { refusal } from './support/http.ts'
import { newSigningKey } from './support/keys.ts'
import { importPast } from './support/past.ts'
import { newAgent, newOwner, newPlatform, startService } from './support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 4, limits: PATIENT })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

const DAY = 86_400_000
const OFF: RetentionSettings = {
  texts: null,
  audit: null,
  deliveries: 30,
  archive: null,
  snapshots: null,
}
const sources = { store, newId: () => crypto.randomUUID(), isStopping: () => false }
const { operator } = at.operator

/** Applies retention as a node does, now or in so many days. */
async function retain(retention: Partial<RetentionSettings>, inDays = 0) {
  const removed: Record<string, number> = {}
  await applyRetention({
    ...sources,
    now: () => Date.now() + inDays * DAY,
    retention: { ...OFF, ...retention },
    onRemoved: (what, count) => {
      removed[what] = (removed[what] ?? 0) + count
    },
    onFailed(error) {
      throw error
    },
  })
  return removed
}

/** Four events a day that ended two days ago. The first of each ten failed, and says so in a text. */
async function workBefore(agent: string, by: string, events: number) {
  // Three hours aside: no event is exactly so many days old.
  const start = Date.now() - (events / 4 + 2 - 1 / 8) * DAY
  const lines = Array.from({ length: events }, (_, i) => {
    const data = i % 10 === 0 ? { errorCode: `E-private-${i}` } : { duration: 900 + i }
    const type = i % 10 === 0 ? 'task.failed' : 'task.completed'
    return { at: start + (i * DAY) / 4, agent, by, type, externalId: `order-${i}`, data }
  })
  await importPast(at, lines)
}

// An owner runs it: its events have a voter.
const { client: platform, platform: reporter } = await newPlatform(at, {
  ownerId: (await newOwner(at)).owner.id,
})

async function agentWithPast(events: number) {
  const made = await newAgent(at)
  await workBefore(made.agent.id, reporter.id, events)
  return { ...made, id: made.agent.id, reads: made.owner.client }
}

async function rowsOf(id: string) {
  const { rows } = await pool.query<{ events: number; archived: number; parts: number }>(
    `select (select count(*)::int from events where agent_id = $1) as events,
       coalesce(sum(last_seq - first_seq + 1), 0)::int as archived, count(*)::int as parts
     from archived_events where agent_id = $1`,
    [id],
  )
  return rows[0]
}

async function all<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const rows: T[] = []
  for await (const row of list) {
    rows.push(row)
  }
  return rows
}

/** Everything that is answered about an agent and comes from its events. */
async function answersAbout({ id, reads }: Awaited<ReturnType<typeof agentWithPast>>) {
  const { score: scores, events: lists } = reads
  const events = await all(lists.list(id, { limit: 100 }))
  const then = new Date(Date.now() - 100 * DAY).toISOString()
  const asked = { without: events.at(-5)?.id ?? '' }
  const { score, reasons, without, contributions } = await scores.explain(id, asked)
  const { computedAt: _, ...past } = await scores.get(id, { at: then })
  return {
    events,
    failed: await all(lists.list(id, { type: 'task.failed', limit: 100 })),
    explanation: { score, reasons, without, contributions },
    past,
    exported: await lists.export(id),
    history: (await scores.getHistory(id, { limit: 100 })).data,
  }
}

describe('archived events', () => {
  let agent: Awaited<ReturnType<typeof agentWithPast>>
  let before: Awaited<ReturnType<typeof answersAbout>>

  beforeAll(async () => {
    agent = await agentWithPast(1_700)
    before = await answersAbout(agent)
    expect(await retain({ archive: 91 })).toMatchObject({ events: 1_344 })
  })

  test('are returned as before: lists, filters, past scores, explanations, export', async () => {
    expect(await rowsOf(agent.id)).toMatchObject({ events: 356, archived: 1_344, parts: 2 })
    expect(await answersAbout(agent)).toEqual(before)
    expect(before.failed).toHaveLength(170)
  })

  test('take less than a quarter of the space, without their indexes', async () => {
    const { rows } = await pool.query<{ row: number; archived: number }>(
      `select (select avg(pg_column_size(e.*))::float8 from events e where agent_id = $1) as row,
         sum(octet_length(body))::float8 / 1344 as archived
       from archived_events where agent_id = $1`,
      [agent.id],
    )
    const [{ row = 0, archived = 0 } = {}] = rows
    expect(archived).toBeLessThan(row / 4)
  })

  test('still verify an earlier receipt, and replay to the last bit', async () => {
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const lines = (await agent.reads.events.export(agent.id)).trimEnd().split('\n')
    expect(await verifyProof({ receipt, lines, keys: null })).toMatchObject({ problem: null })
    expect(await checkAgent(store, agent.id)).toEqual({ events: 1_700, difference: null })
  })

  test('are known by the names of their reporters: a repeated report adds nothing', async () => {
    const { id } = agent
    const again = { type: 'task.completed', externalId: 'order-1' } as const
    const same = await platform.events.submit(id, { ...again, data: { duration: 901 } })
    expect(same).toEqual(before.events.at(-2))
    const other = platform.events.submit(id, { ...again, data: { duration: 1 } })
    expect(await refusal(other)).toMatchObject({ code: 'CONFLICT' })
  })

  test('are used to compute the score by another model', async () => {
    const { id } = agent
    await pool.query(
      `update agent_states set score = 77, model_version = '0.9.0' where agent_id = $1`,
      [id],
    )
    const migration = { ...sources, now: () => Date.now() }
    expect(await migrateAgent(migration, id)).toBe(true)
    expect((await at.anyone.score.get(id)).score).toBe(before.explanation.score)
    expect(await checkAgent(store, id)).toMatchObject({ difference: null })
  })
})

describe('an agent with archived events', () => {
  test('receives further events, which join the last part until it is full', async () => {
    const { agent } = await newAgent(at)
    await workBefore(agent.id, reporter.id, 800)
    await retain({ archive: 150 })
    expect(await rowsOf(agent.id)).toEqual({ events: 592, archived: 208, parts: 1 })
    await retain({ archive: 110 })
    expect(await rowsOf(agent.id)).toEqual({ events: 432, archived: 368, parts: 1 })
    await platform.events.submit(agent.id, { type: 'task.completed' })
    await retain({ archive: 151 }, 150)
    expect(await rowsOf(agent.id)).toEqual({ events: 1, archived: 800, parts: 1 })
    expect(await checkAgent(store, agent.id)).toEqual({ events: 801, difference: null })
  })

  test('has a part filled as soon as events are old enough, however few it has room for', async () => {
    const { agent } = await newAgent(at)
    await workBefore(agent.id, reporter.id, 1_400)
    await retain({ archive: 110 })
    expect(await rowsOf(agent.id)).toEqual({ events: 432, archived: 968, parts: 1 })
    await retain({ archive: 95 })
    expect(await rowsOf(agent.id)).toEqual({ events: 376, archived: 1_024, parts: 1 })
  })

  test('keeps the external ids of its reports, and drops signatures that are too old to be replayed', async () => {
    const key = newSigningKey()
    const signer = await newPlatform(at, { publicKey: key.publicKey })
    const signed = signer.client.with({ signingKey: key.jwk })
    const { agent, owner } = await newAgent(at)
    const named = { type: 'task.completed', externalId: 'order-1' } as const
    const first = await signed.events.submit(agent.id, named)
    expect(await signed.events.submit(agent.id, { type: 'task.completed' })).toMatchObject({
      attestationVerified: true,
    })
    const names = async () => {
      const found = 'select external_id from external_ids where agent_id = $1 order by 1'
      const { rows } = await pool.query<{ external_id: string }>(found, [agent.id])
      return rows.map(({ external_id }) => external_id)
    }
    expect(await names()).toEqual(['order-1', expect.stringMatching(/^signature:[0-9a-f]{128} 0$/)])
    await retain({ archive: 91 }, 200)
    expect(await rowsOf(agent.id)).toMatchObject({ events: 0, archived: 2 })
    expect(await names()).toEqual(['order-1'])
    expect(await signed.events.submit(agent.id, named)).toEqual(first)
    expect(await all(owner.client.events.list(agent.id))).toHaveLength(2)
  })

  test('has a few events archived only a month later', async () => {
    const { agent } = await newAgent(at)
    await platform.events.report(agent.id, [{ type: 'task.completed' }, { type: 'task.failed' }])
    expect(await retain({ archive: 91 }, 120)).not.toHaveProperty('events', 2)
    expect(await rowsOf(agent.id)).toMatchObject({ events: 2 })
    await retain({ archive: 91 }, 122)
    expect(await rowsOf(agent.id)).toEqual({ events: 0, archived: 2, parts: 1 })
  })

  test('keeps the events after an open review; once released the event counts from its own time on', async () => {
    const { agent, owner } = await newAgent(at)
    const wrong = { type: 'task.completed', data: { success: false } } as const
    const reports = Array.from({ length: 6 }, (_, i) => ({
      type: i === 2 ? ('task.failed' as const) : ('task.completed' as const),
    }))
    const { data } = await platform.events.report(agent.id, [
      ...reports.slice(0, 3),
      wrong,
      ...reports.slice(3),
      wrong,
    ])
    const [pending, upheld] = [data[3]?.id ?? '', data[7]?.id ?? '']
    await operator.review(upheld, { decision: 'upheld', reason: 'It did fail.' })
    await retain({ archive: 91 }, 130)
    expect(await rowsOf(agent.id)).toEqual({ events: 5, archived: 3, parts: 1 })
    await operator.review(pending, { decision: 'released', reason: 'A mistake.' })
    const { score } = await at.anyone.score.get(agent.id)
    await retain({ archive: 91 }, 130)
    expect(await rowsOf(agent.id)).toEqual({ events: 0, archived: 8, parts: 1 })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ score, eventCount: 7 })
    expect(await checkAgent(store, agent.id)).toEqual({ events: 8, difference: null })
    const late = operator.review(upheld, { decision: 'released', reason: 'Again.' })
    expect(await refusal(late)).toMatchObject({ code: 'CONFLICT' })
    expect((await owner.client.events.list(agent.id)).data[0]?.review?.status).toBe('upheld')
  })

  test('keeps an event that can still be appealed', async () => {
    const { agent } = await newAgent(at)
    const wrong = { type: 'task.completed', data: { success: false } } as const
    const event = await platform.events.submit(agent.id, wrong)
    await operator.review(event.id, { decision: 'upheld', reason: 'It did fail.' })
    const now = Date.now()
    const bounds = { before: now + DAY, partMin: 1, overdueBefore: 0 }
    const add = (appealableSince: number) =>
      store.transaction(({ archive }) => archive.addNext(agent.id, { ...bounds, appealableSince }))
    expect(await add(now - 30 * DAY)).toBe(0)
    expect(await add(now + DAY)).toBe(1)
  })

  test('is known to the platform that reported: its own experience stays', async () => {
    const { agent } = await newAgent(at)
    await platform.events.report(agent.id, [{ type: 'task.completed' }, { type: 'task.failed' }])
    const decide = () => platform.decisions.decide({ agentId: agent.id })
    const { ownExperience } = await decide()
    await retain({ archive: 91 }, 130)
    const node = await at.node()
    const response = await fetch(`${node.url}/v1/decisions`, {
      method: 'POST',
      headers: { 'x-api-key': reporter.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: agent.id }),
    })
    const { ownExperience: later } = (await response.json()) as { ownExperience: unknown }
    expect(later).toEqual(ownExperience)
    expect(ownExperience).toMatchObject({ good: 1, bad: 1 })
  })
})

describe('the archive', () => {
  test('drops texts and names by age, and everything personal at an erasure', async () => {
    const aged = await agentWithPast(600)
    await retain({ archive: 91 })
    expect(await retain({ texts: 100 })).toEqual({ texts: expect.any(Number) })
    const text = await aged.reads.events.export(aged.id)
    expect(text).not.toContain('E-private-200"')
    expect(text).toContain('E-private-590"')
    expect(await checkAgent(store, aged.id)).toMatchObject({ difference: null })
    await aged.reads.agents.erase(aged.id)
    await runErasures({
      ...sources,
      now: Date.now,
      failed: new Map(),
      onError: (error) => expect.fail(String(error)),
    })
    const erased = await at.operator.events.export(aged.id)
    expect(erased).not.toContain('private')
    expect(await checkAgent(store, aged.id)).toMatchObject({ difference: null })
    const { rows } = await pool.query(
      'select (select count(*)::int from external_ids where agent_id = $1) as names',
      [aged.id],
    )
    expect(rows).toEqual([{ names: 0 }])
  })

  test('has the same content when two nodes archive at once', async () => {
    const { id } = await agentWithPast(500)
    const [one, two] = await Promise.all([retain({ archive: 91 }), retain({ archive: 91 })])
    await retain({ archive: 91 })
    expect((one.events ?? 0) + (two.events ?? 0)).toBeLessThanOrEqual(144)
    expect(await rowsOf(id)).toMatchObject({ events: 356, archived: 144 })
    expect(await checkAgent(store, id)).toEqual({ events: 500, difference: null })
  })

  test('is unchanged if the database crashes during archiving, and complete the next time', async () => {
    const { id } = await agentWithPast(500)
    const unlock = await holdLocks(pool, {
      text: 'select from events where agent_id = $1 and seq = 100 for update',
      values: [id],
    })
    const failed = retain({ archive: 91 }).catch((error: unknown) => error)
    await waitForLocks(pool, 1, failed)
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'active' and query like 'delete from events%'`,
    )
    expect(rowCount).toBe(1)
    expect(await failed).toBeInstanceOf(Error)
    await unlock()
    expect(await rowsOf(id)).toEqual({ events: 500, archived: 0, parts: 0 })
    await retain({ archive: 91 })
    expect(await rowsOf(id)).toMatchObject({ events: 356, archived: 144 })
  })

  test('lets a reader see each event once while events are archived', async () => {
    const { id } = await agentWithPast(1_000)
    const seen: number[] = []
    for await (const part of store.events.log(id)) {
      seen.push(...part.map(({ seq }) => seq))
      await retain({ archive: 91 })
    }
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
  })

  test.each([
    ['changed', `update archived_events set body = overlay(body placing '\\x00' from 20)`],
    ['gone', 'delete from archived_events'],
  ])('is checked: a part that is %s is found', async (_, change) => {
    const { id } = await agentWithPast(500)
    await retain({ archive: 91 })
    await pool.query(`${change} where agent_id = $1`, [id])
    const checked = await checkAgent(store, id).catch((error: unknown) => error)
    expect(checked).not.toMatchObject({ difference: null })
  })
})
