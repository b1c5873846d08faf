import { afterAll, describe, expect, test } from 'vitest'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
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

/** Waits until what follows for other agents is carried out. */
function settled() {
  return eventually(async () => expect(await store.delegationTasks.list(1)).toEqual([]))
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
