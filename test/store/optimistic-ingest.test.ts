import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { MODEL } from '../../src/domain/model.ts'
import { ESTABLISHED, REPORTER_WEIGHTS } from '../../src/fraud/establishment.ts'
import { registeredState } from '../../src/ingest/fold.ts'
import { insertAgentState } from '../../src/store/postgres/agent-state-writes.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { recordReport } from '../support/record-report.ts'

const database = await createDatabase()
const one = node()
const two = node()
const platformId = randomUUID()
const INSERT_PLATFORMS = `insert into platforms
    (id, name, tier, status, require_attestation, verified, created_at, updated_at)
  select id, 'a platform', 'free', 'active', false, $2, 0, 0 from unnest($1::uuid[]) as t(id)`
await one.pool.query(INSERT_PLATFORMS, [[platformId], false])
afterAll(async () => {
  await one.pool.end()
  await two.pool.end()
  await database.drop()
})

/** A node as far as it stores reports, and the statements that it has sent. */
function node(url = database.url) {
  const pool = createPool({ url })
  const statements: string[] = []
  const clients: pg.PoolClient[] = []
  pool.on('connect', (client) => {
    clients.push(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(...args: unknown[]) {
        const sent = args[0] as string | { readonly text: string }
        statements.push(typeof sent === 'string' ? sent : sent.text)
        return query(...args)
      },
    })
  })
  // Statements that notify other nodes do not count.
  const scoreNotifier = { changed() {}, async idle() {} }
  return { pool, store: createPostgresStore(pool, { scoreNotifier }), statements, clients }
}

async function newAgent(): Promise<{ readonly id: string; readonly ownerId: string }> {
  const [id, ownerId] = [randomUUID(), randomUUID()]
  await one.pool.query('insert into owners (id, email, created_at) values ($1, $2, 0)', [
    ownerId,
    `${ownerId}@example.com`,
  ])
  await one.pool.query(
    `insert into agents
       (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at)
     values ($1, $2, 'agent', '{}', false, 0, 0)`,
    [id, ownerId],
  )
  const state = registeredState(MODEL, { id, ownerId, status: 'active', createdAt: 0 })
  await insertAgentState(sqlOn(one.pool), state)
  return { id, ownerId }
}

function report(
  store: Store,
  agentId: string,
  given: Partial<Parameters<typeof recordReport>[2]> = {},
) {
  return recordReport(store, agentId, { platformId, ...given })
}

/** Part of each statement that counts the established platforms. */
const ESTABLISHED_COUNT = 'with recursive voters'

/** How many statements it took. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = one.statements.length
  await work()
  return one.statements.length - before
}

async function stored(agentId: string) {
  const { rows } = await one.pool.query(
    `select count(*)::int as events, max(seq)::int as last,
       (select seq::int from agent_states s where s.agent_id = $1) as seq
     from events where agent_id = $1`,
    [agentId],
  )
  return rows[0]
}

test('an event about an agent that the node knows takes one statement, even with a key and a name', async () => {
  const { id } = await newAgent()
  await report(one.store, id)
  expect(await statementsOf(() => report(one.store, id))).toBe(1)
  const named = { externalId: 'a name', key: Buffer.alloc(32, 1) }
  expect(await statementsOf(() => report(one.store, id, named))).toBe(1)
  expect(await stored(id)).toEqual({ events: 3, last: 3, seq: 3 })
})

test('an event about an agent that the node does not know takes one more, to read it', async () => {
  const [known, other] = [await newAgent(), await newAgent()]
  await report(one.store, known.id)
  expect(await statementsOf(() => report(one.store, other.id))).toBe(2)
})

test('an event that limits other agents of the owner takes one statement, and leaves a task for them', async () => {
  const { id } = await newAgent()
  await report(one.store, id)
  const tasks = async () => {
    const waiting = await one.store.delegationTasks.waiting([], 1_000)
    return waiting.filter(({ agentId }) => agentId === id).length
  }
  expect(await tasks()).toBe(0)
  for (let i = 0; i < 4; i++) {
    expect(await statementsOf(() => report(one.store, id, { type: 'task.failed' }))).toBe(1)
  }
  expect(await tasks()).toBeGreaterThan(0)
  expect(await stored(id)).toEqual({ events: 5, last: 5, seq: 5 })
})

test('an event after the node lost its connections is stored', async () => {
  const { id } = await newAgent()
  const { proxy, url } = await startDatabaseProxy(database.url)
  const behind = node(url)
  onTestFinished(async () => {
    await behind.pool.end()
    await proxy.close()
  })
  await report(behind.store, id)
  // Of an agent that the node knows: the connection is kept for the next one.
  await report(behind.store, id)
  const lost = behind.clients.map((client) => once(client, 'error'))
  proxy.cut()
  await Promise.all(lost)
  await report(behind.store, id)
  expect(await stored(id)).toEqual({ events: 3, last: 3, seq: 3 })
})

test('two nodes that report on one agent in turn count each event once', async () => {
  const { id } = await newAgent()
  for (let i = 0; i < 12; i++) {
    await report((i % 2 === 0 ? one : two).store, id)
  }
  expect(await stored(id)).toEqual({ events: 12, last: 12, seq: 12 })
})

test('batches decided on top of an uncommitted batch are all stored, in order', async () => {
  const { id } = await newAgent()
  await report(one.store, id)
  await Promise.all(Array.from({ length: 20 }, () => report(one.store, id)))
  expect(await stored(id)).toEqual({ events: 21, last: 21, seq: 21 })
})

test('batches that another node overtook are all stored, once', async () => {
  const { id } = await newAgent()
  await report(one.store, id)
  await report(two.store, id)
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => report((i % 3 === 0 ? two : one).store, id)),
  )
  expect(await stored(id)).toEqual({ events: 22, last: 22, seq: 22 })
})

test('another node’s change of the agent counts for the next event', async () => {
  const { id, ownerId } = await newAgent()
  await report(one.store, id)
  await two.store.agents.update(id, { status: 'deactivated' }, Date.now())
  expect(await report(one.store, id)).toHaveProperty('refusal')
  await two.store.agents.update(id, { status: 'active' }, Date.now())
  expect(await report(one.store, id)).toHaveProperty('events')
  await one.pool.query(
    `insert into listeners (id, owner_id, events, transaction_id, created_at, expires_at)
     values ($1, $2, '{*}', pg_current_xact_id(), 0, $3)`,
    [randomUUID(), ownerId, Date.now() + 60_000],
  )
  await report(one.store, id)
  const { rowCount } = await one.pool.query('select from notifications where owner_id = $1', [
    ownerId,
  ])
  expect(rowCount).toBeGreaterThan(0)
})

test('platforms that another node verified count for the next report of one that is not established', async () => {
  const { id } = await newAgent()
  for (let i = 1; i < ESTABLISHED.provisionalReportsMin; i++) {
    await report(one.store, id)
  }
  const weighing = (reporterWeight: number) => ({ events: [{ event: { reporterWeight } }] })
  expect(await report(one.store, id)).toMatchObject(weighing(REPORTER_WEIGHTS.provisional))
  const verified = Array.from({ length: ESTABLISHED.installationMin }, () => randomUUID())
  await two.pool.query(INSERT_PLATFORMS, [verified, true])
  expect(await report(one.store, id)).toMatchObject(weighing(REPORTER_WEIGHTS.other))
})

test('reports of a verified platform do not count the established platforms of the installation', async () => {
  const [{ id }, verified] = [await newAgent(), randomUUID()]
  await one.pool.query(INSERT_PLATFORMS, [[verified], true])
  // No other node was faster than this one, so it does not lock.
  const fresh = node()
  onTestFinished(() => fresh.pool.end())
  const counts = async (given: Parameters<typeof report>[2] = {}) => {
    const before = fresh.statements.length
    await report(fresh.store, id, given)
    const sent = fresh.statements.slice(before)
    return { sent: sent.length, counting: sent.filter((t) => t.includes(ESTABLISHED_COUNT)).length }
  }
  const settled = { platformId: verified, isVerified: true }
  expect(await counts(settled)).toMatchObject({ counting: 0 })
  expect(await counts(settled)).toEqual({ sent: 1, counting: 0 })
  expect(await counts({ ...settled, type: 'task.failed' })).toEqual({ sent: 1, counting: 0 })
  // The weight of one that is not established depends on it.
  expect(await counts()).toMatchObject({ counting: 1 })
  expect(await counts()).toEqual({ sent: 1, counting: 1 })
  expect(await counts(settled)).toEqual({ sent: 1, counting: 0 })
})

test('a key or a name that another node used is answered with the stored result', async () => {
  const { id } = await newAgent()
  await report(one.store, id)
  const named = { externalId: 'shared', key: Buffer.alloc(32, 2) }
  const first = await report(two.store, id, named)
  expect(first).toHaveProperty('events')
  expect(await report(one.store, id, named)).toBe('answered before')
  const again = await report(one.store, id, { externalId: 'shared' })
  expect(again).toMatchObject({ events: [{ isNew: false }] })
  expect(await stored(id)).toEqual({ events: 2, last: 2, seq: 2 })
})

test('the hourly limit of a platform is exact over two nodes that both know its count', async () => {
  const { id } = await newAgent()
  const { rows } = await one.pool.query<{ count: number }>(
    'select count from platform_hours where platform_id = $1',
    [platformId],
  )
  const eventsPerPlatformHour = (rows[0]?.count ?? 0) + 10
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      report((i % 2 === 0 ? one : two).store, id, { eventsPerPlatformHour }),
    ),
  )
  const taken = outcomes.filter(
    (one) => one !== 'answered before' && 'events' in one && 'event' in (one.events[0] ?? {}),
  )
  expect(taken).toHaveLength(10)
  expect(await stored(id)).toMatchObject({ events: 10 })
})
