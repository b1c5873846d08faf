import { Standing } from '@standing/sdk'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { benchRecorder } from '../../lab/bench/recorder.ts'
import { NEW_AGENT_SCORE } from '../../src/domain/tiers.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts'
import { createDelegations } from '../../src/identity/delegation-tasks.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { atEnd } from '../support/at-end.ts'
import { PATIENT } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent } from '../support/hold-locks.ts'
import { importPast } from '../support/past.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  startService,
  type TestService,
} from '../support/service.ts'

/** Work that a locked row keeps waiting fails soon: most tests here are about what follows. */
const limits = { ...PATIENT, lockMs: 1_000 }

// Rounds follow each other soon: some tests wait for several.
const at = await startService(
  { STANDING_RATE_LIMITS: 'off' },
  { databaseLimits: limits, backgroundMs: 100 },
)
const pool = createPool({ url: at.database.url }, { max: 6, limits })
atEnd(() => pool.end())
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })

/** An agent with an event whose release was decided, and is left to the background. */
async function agentAwaitingRelease() {
  const { agentId, eventId } = await agentWithQuarantined()
  const unlock = await holdLocks(pool, reservation('releases', [agentId]))
  await release([eventId])
  return { agentId, unlock }
}

async function agentWithQuarantined() {
  const { agent } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const event = await platform.events.submit(agent.id, contradictory)
  return { agentId: agent.id, eventId: event.id }
}

/** As another node that carries out this work has it: this one leaves the agents alone. */
function reservation(work: 'releases' | 'attributions', agentIds: readonly string[]) {
  return {
    text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || id, 0))
      from unnest($2::text[]) as agents (id)`,
    values: [work, agentIds],
  }
}

/** Decides on these events as a request does that leaves what is long to the background. */
async function release(eventIds: readonly string[]) {
  const review = {
    status: 'released',
    decisions: [{ decision: 'released', reason: 'seen', decidedAt: Date.now() }],
    appeal: null,
    counted: null,
  }
  await pool.query('update events set review = $2 where id = any($1)', [eventIds, review])
}

async function awaiting(): Promise<readonly string[]> {
  const agentIds: string[] = []
  for await (const part of store.agentStates.agentIds({ awaitingRelease: true })) {
    agentIds.push(...part)
  }
  return agentIds
}

test('a release that fails, because its agent is locked, delays those of no other agent', async () => {
  const both = [await agentAwaitingRelease(), await agentAwaitingRelease()]
  const [first = '', second = ''] = await awaiting()
  const unlock = await lockAgent(pool, first)
  for (const one of both) {
    await one.unlock()
  }
  await eventually(async () => expect(await awaiting()).not.toContain(second))
  expect(await awaiting()).toEqual([first])
  await unlock()
  await eventually(async () => expect(await awaiting()).toEqual([]))
})

test('an erasure that fails, because its agent is locked, delays no other erasure', async () => {
  const blocked = await newOwner(at)
  const { agent } = await newAgent(at, blocked)
  const other = await newOwner(at)
  const unlock = await lockAgent(pool, agent.id)
  await blocked.client.auth.erase(blocked.email)
  await other.client.auth.erase(other.email)
  const statusOf = async ({ owner }: typeof other) =>
    (await at.operator.operator.ownerErasure(owner.id)).status
  await eventually(async () => expect(await statusOf(other)).toBe('done'))
  expect(await statusOf(blocked)).toBe('running')
  await unlock()
})

test('ten erasures that always fail delay no other erasure', async () => {
  const failing = await Promise.all(Array.from({ length: 10 }, () => newOwner(at)))
  const other = await newOwner(at)
  const ids = failing.map(({ owner }) => owner.id)
  await refuseWrites(at.database, {
    table: 'erasures',
    before: 'update',
    when: `new.subject_id = any('{${ids.join()}}'::uuid[])`,
  })
  for (const { client, email } of [...failing, other]) {
    await client.auth.erase(email)
  }
  const statusOf = async (id: string) => (await at.operator.operator.ownerErasure(id)).status
  await eventually(async () => expect(await statusOf(other.owner.id)).toBe('done'))
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'running'))
})

/** An agent whose events happened long ago; each has a text. */
async function agentWithPast(events: number, daysAgo: number) {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const lines = Array.from({ length: events }, (_, i) => ({
    at: Date.now() - daysAgo * DAY_MS + i,
    agent: agent.id,
    by: platform.id,
    type: 'task.failed',
    data: { errorCode: `E${i}` },
  }))
  await importPast(at, lines)
  return agent.id
}

test('old data of an agent that is locked is removed an hour later, and that of others at once', async () => {
  const ids = [await agentWithPast(2, 200), await agentWithPast(2, 200)] as const
  const unlock = await lockAgent(pool, ids[0])
  const node = await at.node({ STANDING_RETENTION: 'texts=1,archive=91' })
  const { operator } = new Standing({ baseUrl: node.url, operatorKey: OPERATOR_KEY })
  const retention = await eventually(async () => {
    const job = (await operator.jobs()).jobs.find(({ name }) => name === 'retention')
    expect(job).toMatchObject({ isRunning: false, failures: 1 })
    return job
  })
  const { message, at: failedAt } = retention?.lastError ?? { message: '', at: '' }
  expect(message).toBe('texts: 1 agent failed; the log names each')
  expect(Date.parse(retention?.nextAt ?? '') - Date.parse(failedAt)).toBe(HOUR_MS)
  // The events without texts were archived: the steps that follow the failure ran.
  const { rows } = await pool.query(
    'select agent_id as id, has_text as "hasText" from archived_events where agent_id = any($1)',
    [ids],
  )
  expect(rows).toEqual([{ id: ids[1], hasText: false }])
  await unlock()
})

test('a checkpoint that cannot be attributed leaves those of no other agent waiting', async () => {
  const failing = (await newAgent(at)).agent.id
  await refuseWrites(at.database, {
    table: 'checkpoints',
    before: 'insert or update',
    when: `new.agent_id = '${failing}' and new.attribution is not null`,
  })
  const { platform } = await newPlatform(at)
  const other = (await newAgent(at)).agent.id
  for (const agent of [failing, other]) {
    const lines = Array.from({ length: 600 }, (_, i) => ({
      at: Date.now() - DAY_MS + i,
      agent,
      by: platform.id,
      type: 'task.completed',
    }))
    await importPast(at, lines)
  }
  const isAttributed = async (id: string) =>
    (await store.checkpoints.last(id, {}, { isAttributed: true })) !== null
  await eventually(async () => expect(await isAttributed(other)).toBe(true))
  expect(await isAttributed(failing)).toBe(false)
})

/** A parent that platforms find bad, with so many children that its fall does not limit yet. */
async function fallenParent(service: TestService, children: number) {
  const { agent: parent, owner } = await newAgent(service)
  const ids: string[] = []
  for (let i = 0; i < children; i++) {
    const given = { displayName: 'child', parentId: parent.id }
    ids.push((await owner.client.agents.register(given)).id)
  }
  const { client } = await newPlatform(service)
  const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
  await client.events.report(parent.id, failed)
  return ids
}

test('a child that is locked leaves no sibling, and no child of another parent, unlimited', async () => {
  // What follows from events is left to the test.
  const idle = await startService({ STANDING_RATE_LIMITS: 'off' }, { backgroundMs: HOUR_MS })
  const idlePool = createPool({ url: idle.database.url }, { max: 4, limits })
  onTestFinished(() => idlePool.end())
  const its = createPostgresStore(idlePool, { cluster: await readCluster(idlePool) })
  const [locked = '', ...others] = [
    ...(await fallenParent(idle, 2)),
    ...(await fallenParent(idle, 1)),
  ]
  const unlock = await lockAgent(idlePool, locked)
  const { limitAll } = createDelegations(its, benchRecorder(Date.now))
  const failed: string[] = []
  const limited = limitAll({
    isStopping: () => false,
    onFailed: (_, parentId) => failed.push(parentId),
  })
  await expect(limited).rejects.toThrow('1 agent failed')
  expect(failed).toEqual([(await its.agents.find({ id: locked }))?.parentId])
  const states = [...(await its.agentStates.findMany(others)).values()]
  expect(states.map(({ score }) => score < NEW_AGENT_SCORE)).toEqual([true, true])
  await unlock()
})

describe('with more agents whose turn never comes than are read at a time', () => {
  const blocked: string[] = []
  const others: string[] = []
  const eventIds: string[] = []

  beforeAll(async () => {
    const { client: platform } = await newPlatform(at)
    const contradictory = { type: 'task.completed', data: { success: false } } as const
    const agentIds: string[] = []
    while (agentIds.length < 105) {
      const { client } = await newOwner(at)
      for (let i = 0; i < 7; i++) {
        agentIds.push((await client.agents.register({ displayName: 'agent' })).id)
      }
    }
    const events = await Promise.all(
      agentIds.map((id) => platform.events.submit(id, contradictory)),
    )
    blocked.push(...agentIds.slice(0, 101))
    others.push(...agentIds.slice(101))
    eventIds.push(...events.map(({ id }) => id))
  })

  test('the others are released', async () => {
    const unlock = await holdLocks(pool, reservation('releases', blocked))
    await release(eventIds)
    await eventually(async () => expect(await awaiting()).toEqual(blocked))
    await unlock()
    await eventually(async () => expect(await awaiting()).toEqual([]))
  })

  test('the checkpoints of the others are attributed', async () => {
    const unlock = await holdLocks(pool, reservation('attributions', blocked))
    await pool.query(
      `insert into checkpoints (agent_id, seq, at, evidence, quarantined_count, model_version)
       select agent_id, seq, updated_at, evidence, quarantined_count, model_version
       from agent_states where agent_id = any($1)`,
      [[...blocked, ...others]],
    )
    const waiting = async () => {
      const { rows } = await pool.query<{ id: string }>(
        `select agent_id as id from checkpoints
         where agent_id = any($1) and attribution is null order by 1`,
        [[...blocked, ...others]],
      )
      return rows.map(({ id }) => id)
    }
    await eventually(async () => expect(await waiting()).toEqual(blocked))
    await unlock()
    await eventually(async () => expect(await waiting()).toEqual([]))
  })
})

test('a hundred tasks that always fail leave no other task waiting', async () => {
  const [failing, other] = [(await newAgent(at)).agent.id, (await newAgent(at)).agent.id]
  await refuseWrites(at.database, {
    table: 'delegation_tasks',
    before: 'delete',
    when: `old.agent_id = '${failing}'`,
  })
  const tasks = Array.from({ length: 101 }, () => ({ agentId: failing, report: null }))
  await store.delegationTasks.insertAll([...tasks, { agentId: other, report: null }])
  const waiting = async () => {
    const found = await store.delegationTasks.waiting([], 200)
    return found.map(({ agentId }) => agentId)
  }
  await eventually(async () => expect(await waiting()).not.toContain(other))
  expect(await waiting()).toHaveLength(101)
})
