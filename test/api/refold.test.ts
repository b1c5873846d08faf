import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { encodeEvidence } from '../../src/domain/evidence-codec.ts'
import { newEvidence } from '../../src/domain/evidence-state.ts'
import { MODEL, MODEL_VERSION } from '../../src/domain/model.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { migrateAgent } from '../../src/scoring/migrate-model.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { eventually } from '../support/eventually.ts'
import { lockAgent } from '../support/hold-locks.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator
const scores = at.anyone.score
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

const { client: platform } = await newPlatform(at)

/** An agent with a history, of which one event is held; and what is served of it. */
async function agentWithHistory() {
  const { agent } = await newAgent(at)
  const { data } = await platform.events.report(agent.id, [
    ...Array.from({ length: 9 }, () => ({ type: 'task.completed' as const })),
    { type: 'task.completed', data: { success: false } },
    { type: 'task.failed' },
  ])
  const { score } = await scores.get(agent.id)
  return { id: agent.id, held: data[9]?.id ?? '', score }
}

/** Leaves an agent as a model without memory would: nothing in its evidence, and scores of its own published. */
async function foldedByAnother(id: string): Promise<void> {
  const client = await store.agentStates.find({ agentId: id })
  const nothing = encodeEvidence(newEvidence(MODEL, client?.evidence.registeredAt ?? 0))
  await pool.query(
    `update agent_states set evidence = $2, score = 77, model_version = '0.9.0' where agent_id = $1`,
    [id, nothing],
  )
  await pool.query(
    `update snapshots set score = 70 + number, model_version = '0.9.0' where agent_id = $1`,
    [id],
  )
}

async function historyOf(id: string) {
  return (await scores.getHistory(id)).data
}

async function versionOf(id: string): Promise<string | undefined> {
  return (await store.agentStates.find({ agentId: id }))?.modelVersion
}

/** Resolves once no agent is left that another model folded; starts a node that sees to it. */
async function upgraded(ids: readonly string[]): Promise<void> {
  await at.node()
  for (const id of ids) {
    await eventually(async () => expect(await versionOf(id)).toBe(MODEL_VERSION))
  }
}

test('after a change of the model, scores follow from the log, and the history shows the change', async () => {
  const one = await agentWithHistory()
  const { agent: fresh } = await newAgent(at)
  for (const id of [one.id, fresh.id]) {
    await foldedByAnother(id)
  }
  await upgraded([one.id, fresh.id])

  await eventually(async () => expect((await scores.get(one.id)).score).toBe(one.score))
  expect((await scores.get(fresh.id)).score).toBe(100)
  for (const id of [one.id, fresh.id]) {
    expect((await checkAgent(store, id))?.difference).toBeNull()
  }
  const data = await historyOf(one.id)
  const [took, before, ...rest] = data
  expect(took).toMatchObject({
    score: one.score,
    trigger: { kind: 'model', type: 'task.failed' },
    modelVersion: MODEL_VERSION,
  })
  expect(before?.modelVersion).toBe('0.9.0')
  expect(rest.every(({ score }) => score < 100)).toBe(true)
  expect(await historyOf(fresh.id)).toEqual([])
})

test('an agent whose evidence has another model’s format is served from the log until it is migrated', async () => {
  const one = await agentWithHistory()
  const { agent: other } = await newAgent(at)
  await foldedByAnother(one.id)
  await pool.query(
    'update agent_states set evidence = set_byte(evidence, 0, 255) where agent_id = $1',
    [one.id],
  )
  const json = { agentIds: [one.id, other.id] }
  const { body } = await send(`${at.url}/v1/scores/batch`, { json })
  const data: readonly { readonly score: number }[] = body.data
  expect(data.map(({ score }) => score)).toEqual([one.score, 100])
  const { isQuarantined } = await platform.events.submit(one.id, { type: 'task.completed' })
  expect(isQuarantined).toBe(false)
  await upgraded([one.id])
  expect(await checkAgent(store, one.id)).toMatchObject({ events: 12, difference: null })
})

test('events and reviews continue after the migration, and everything still follows from the log', async () => {
  const { id, held } = await agentWithHistory()
  await foldedByAnother(id)
  await upgraded([id])
  await platform.events.submit(id, { type: 'task.failed' })
  expect(await checkAgent(store, id)).toMatchObject({ events: 12, difference: null })
  await operator.review(held, { decision: 'released', reason: 'It is fine.' })
  expect((await checkAgent(store, id))?.difference).toBeNull()
  const numbers = (await store.snapshots.list({ agentId: id }, null, 50)).rows
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, i) => numbers.length - i))
})

test('events added to another model’s evidence are marked, and computed again', async () => {
  const { id } = await agentWithHistory()
  await foldedByAnother(id)
  await platform.events.submit(id, { type: 'task.completed' })
  expect(await versionOf(id)).toBe('')
  expect((await checkAgent(store, id))?.difference?.what).toMatch(/by more than one is stored/)
  await upgraded([id])
  expect((await checkAgent(store, id))?.difference).toBeNull()
})

test('two nodes that start together migrate each agent once', async () => {
  const agents = await Promise.all(Array.from({ length: 5 }, agentWithHistory))
  for (const { id } of agents) {
    await foldedByAnother(id)
  }
  const ids = agents.map(({ id }) => id)
  await Promise.all([upgraded(ids), upgraded(ids)])
  for (const id of ids) {
    const data = await historyOf(id)
    expect(data.filter(({ trigger }) => trigger.kind === 'model')).toHaveLength(1)
    expect((await checkAgent(store, id))?.difference).toBeNull()
  }
})

test('a locked agent is skipped for now, without waiting', async () => {
  const { id } = await agentWithHistory()
  await foldedByAnother(id)
  const unlock = await lockAgent(pool, id)
  const means = { store, now: Date.now, newId: randomUUID }
  expect(await migrateAgent(means, id, { skipsLocked: true })).toBe(false)
  await unlock()
  expect(await migrateAgent(means, id, { skipsLocked: true })).toBe(true)
  expect((await checkAgent(store, id))?.difference).toBeNull()
})

test('an agent whose log was changed in the database is not migrated; the others are', async () => {
  const [changed, other] = [await agentWithHistory(), await agentWithHistory()]
  for (const { id } of [changed, other]) {
    await foldedByAnother(id)
  }
  await pool.query(`update events set type = 'task.failed' where seq = 3 and agent_id = $1`, [
    changed.id,
  ])
  await upgraded([other.id])
  expect(await versionOf(changed.id)).toBe('0.9.0')
  expect((await checkAgent(store, changed.id))?.difference?.what).toMatch(/not what was chained/)
})
