import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { benchRecorder } from '../../lab/bench/recorder.ts'
import { registerAgent } from '../../src/identity/agents.ts'
import { createDelegations } from '../../src/identity/delegation-tasks.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

/** Agents that were registered before another agent of their owner turned bad. */

const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { backgroundMs: 50 })
const platforms = [await newPlatform(at), await newPlatform(at)] as const
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

type Owner = Awaited<ReturnType<typeof newOwner>>

const scoreOf = async (id: string) => (await at.anyone.score.get(id)).score

const idIn = async (owner: Owner) => (await newAgent(at, owner)).agent.id

async function report(id: string, type: 'task.completed' | 'task.failed', count: number) {
  for (const { client } of platforms) {
    await client.events.report(
      id,
      Array.from({ length: count }, () => ({ type })),
    )
  }
}

/** A service whose background tasks do not begin, and a store on its database. */
async function startIdle() {
  const service = await startService({ STANDING_RATE_LIMITS: 'off' }, { backgroundMs: 3_600_000 })
  const idlePool = createPool({ url: service.database.url }, { max: 2 })
  onTestFinished(() => idlePool.end())
  return { service, its: createPostgresStore(idlePool, { cluster: await readCluster(idlePool) }) }
}

/** Whether a transaction waits for an owner that another one has locked. */
async function isOwnerWaitedFor(): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%from owners%'`,
  )
  return rows.length > 0
}

/** Waits until what follows for other agents is carried out. */
function settled() {
  return eventually(async () => expect(await store.delegationTasks.waiting([], 1)).toEqual([]))
}

async function expectProven(id: string) {
  expect(await checkAgent(store, id)).toMatchObject({ difference: null })
  const { receipt } = await at.anyone.score.getReceipt(id)
  const lines = (await at.operator.events.export(id)).trimEnd().split('\n')
  const keys = { keys: [...(await at.anyone.score.receiptKeys()).keys] }
  expect(await verifyProof({ receipt, lines, keys })).toMatchObject({ problem: null })
}

describe('an agent that no platform has reported on', () => {
  test('scores no more than a worse agent of its owner, from when that one turns bad', async () => {
    const owner = await newOwner(at)
    const [bad, reserve] = [await idIn(owner), await idIn(owner)]
    const { agent, client } = await newAgent(at, owner)
    await client.events.submit(agent.id, { type: 'task.completed' })
    await report(bad, 'task.failed', 4)
    await settled()
    const first = await scoreOf(reserve)
    await report(bad, 'task.failed', 30)
    await settled()
    const low = await scoreOf(bad)
    for (const id of [reserve, agent.id]) {
      expect(await scoreOf(id)).toBeLessThanOrEqual(Math.min(low, first))
      await expectProven(id)
    }
    const { data } = await owner.client.events.list(reserve, { type: 'agent.limited' })
    expect(data[0]?.data).toEqual({ ceiling: 10 * Math.floor(low / 10) })
    const { reasons } = await at.anyone.score.explain(reserve)
    expect(reasons.map(({ code }) => code)).toContain('former_agent')
    // Good reports raise it as slowly as an agent registered afterwards.
    const next = await idIn(owner)
    await report(reserve, 'task.completed', 30)
    await report(next, 'task.completed', 30)
    expect(await scoreOf(reserve)).toBeLessThanOrEqual(await scoreOf(next))
  })

  test('of an owner with very many waits for its turn, and agents of other owners do not', async () => {
    const { service: idle, its } = await startIdle()
    const { client } = await newPlatform(idle)
    const owners = [await newOwner(idle), await newOwner(idle)] as const
    await idle.operator.operator.setOwnerTier(owners[0].owner.id, 'platform')
    const fallen: string[] = []
    for (const owner of owners) {
      fallen.push((await newAgent(idle, owner)).agent.id)
    }
    // More than are read at a time.
    const recorder = benchRecorder(Date.now)
    const many = await its.transaction(async (within) => {
      const ids: string[] = []
      while (ids.length < 501) {
        const given = { displayName: 'agent', metadata: {} }
        ids.push((await registerAgent(within, recorder, owners[0].owner.id, given)).id)
      }
      return ids
    })
    const { agent: reserve } = await newAgent(idle, owners[1])
    for (const id of fallen) {
      const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
      await client.events.report(id, failed)
    }
    const scoresOf = async (ids: readonly string[]) => {
      const states = await its.agentStates.findMany(ids)
      return [...states.values()].map(({ score }) => score)
    }
    const delegations = createDelegations(its, recorder)
    const [before] = await scoresOf([reserve.id])
    await delegations.carryOut()
    const limited = (await scoresOf([reserve.id]))[0] ?? 0
    expect(limited).toBeLessThan(before ?? 0)
    expect(Math.max(...(await scoresOf(many)))).toBe(before)
    while ((await its.delegationTasks.waiting([], 1)).length > 0) {
      await delegations.carryOut()
    }
    expect(Math.max(...(await scoresOf(many)))).toBe(limited)
  })

  test('is limited if it is being registered while another agent of its owner turns bad', async () => {
    const owner = await newOwner(at)
    const bad = await idIn(owner)
    const given = { displayName: 'agent', metadata: {} }
    const id = await store.transaction(async (within) => {
      const agent = await registerAgent(within, benchRecorder(Date.now), owner.owner.id, given)
      await report(bad, 'task.failed', 30)
      await eventually(async () => expect(await isOwnerWaitedFor()).toBe(true))
      return agent.id
    })
    await settled()
    expect(await scoreOf(id)).toBeLessThanOrEqual(await scoreOf(bad))
  })

  test('is not read again if an agent of its owner falls no lower than before', async () => {
    const { service, its } = await startIdle()
    const { client } = await newPlatform(service)
    const owner = await newOwner(service)
    const started: string[] = []
    while (started.length < 3) {
      const { agent } = await newAgent(service, owner)
      started.push(agent.id)
      await client.events.submit(agent.id, { type: 'task.completed' })
    }
    const { agent: reserve } = await newAgent(service, owner)
    let reads = 0
    const clock = createTestClock(new Date().toISOString())
    const delegations = createDelegations(
      {
        ...its,
        agentStates: {
          ...its.agentStates,
          findMany(ids) {
            reads += ids.includes(reserve.id) ? 1 : 0
            return its.agentStates.findMany(ids)
          },
        },
      },
      benchRecorder(clock.now),
    )
    const readsAfterFallOf = async (id = '') => {
      const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
      await client.events.report(id, failed)
      // One for all events of the batch.
      expect(await its.delegationTasks.waiting([], 100)).toHaveLength(1)
      await delegations.carryOut()
      return reads
    }
    const [first, second, third] = started
    expect(await readsAfterFallOf(first)).toBe(1)
    expect(await readsAfterFallOf(second)).toBe(1)
    clock.move(3_600_000)
    expect(await readsAfterFallOf(third)).toBe(2)
  })

  test('is not limited by what its own side reports of it, nor are others', async () => {
    const owner = await newOwner(at)
    const { agent, client } = await newAgent(at, owner)
    const reserve = await idIn(owner)
    const failed = Array.from({ length: 100 }, () => ({ type: 'task.failed' as const }))
    await client.events.report(agent.id, failed)
    await settled()
    expect(await scoreOf(agent.id)).toBeLessThan(100)
    expect(await scoreOf(reserve)).toBe(100)
    for (const id of [agent.id, reserve]) {
      const { data } = await owner.client.events.list(id, { type: 'agent.limited' })
      expect(data).toEqual([])
    }
  })

  test('is not limited by agents of other owners, and known agents are not limited at all', async () => {
    const [owner, other] = [await newOwner(at), await newOwner(at)]
    const [bad, known, apart] = [await idIn(owner), await idIn(owner), await idIn(other)]
    await report(known, 'task.completed', 5)
    const before = await scoreOf(known)
    expect(before).toBeGreaterThan(100)
    await report(bad, 'task.failed', 30)
    await settled()
    expect(await scoreOf(known)).toBe(before)
    expect(await scoreOf(apart)).toBe(100)
    const { data } = await owner.client.events.list(known, { type: 'agent.limited' })
    expect(data).toEqual([])
  })
})
