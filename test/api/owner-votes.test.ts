import type { Standing } from '@standing/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { importPast, type PastLine } from '../support/past.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const DAY_MS = 86_400_000
const WORK = { type: 'task.completed' } as const
const PAID = { type: 'payment.completed', data: { amount: 40, currency: 'USD' } } as const
const FAILED = { type: 'task.failed' } as const

async function newInstallation() {
  const clock = createTestClock('2026-01-05T09:00:00.000Z')
  const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })
  return { at, clock }
}

const { at, clock } = await newInstallation()
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

type Platform = Awaited<ReturnType<typeof newPlatform>>

/** Verified platforms of one owner, or of none. */
async function platforms(count: number, ownerId?: string): Promise<readonly Platform[]> {
  const made: Platform[] = []
  for (let i = 0; i < count; i++) {
    made.push(await newPlatform(at, ownerId === undefined ? {} : { ownerId }))
  }
  return made
}

const ofOneOwner = async (count: number) => platforms(count, (await newOwner(at)).owner.id)

/** An agent with good work and payments on so many days at each of the platforms. */
async function agentOf(by: readonly Platform[], days: number): Promise<string> {
  const { agent } = await newAgent(at)
  const lines: PastLine[] = []
  for (let day = 0; day < days; day++) {
    clock.move(DAY_MS)
    for (const { platform } of by) {
      const report = { at: clock.now(), agent: agent.id, by: platform.id }
      lines.push(...[WORK, WORK, PAID].map((event) => ({ ...report, ...event })))
    }
  }
  await importPast(at, lines)
  return agent.id
}

const report = (client: Standing, id: string, event: typeof FAILED | typeof WORK, count: number) =>
  client.events.report(
    id,
    Array.from({ length: count }, () => event),
  )

const scoreOf = (id: string) => at.anyone.score.get(id)
const votersOf = async (id: string) =>
  (await store.agentStates.find({ agentId: id }))?.evidence.sources.map(({ voter }) => voter)
const codesOf = async (id: string) =>
  (await at.anyone.score.explain(id)).reasons.map(({ code }) => code)

describe('platforms of one owner', () => {
  test('take no more from an agent by slander than one of them does', async () => {
    const honest = await platforms(3)
    const liars = await ofOneOwner(5)
    const scores: number[] = []
    for (const count of [1, 2, 5]) {
      const id = await agentOf(honest, 30)
      for (const { client } of liars.slice(0, count)) {
        await report(client, id, FAILED, 40 / count)
      }
      const { score, disputed } = await scoreOf(id)
      expect(disputed).toEqual({ isDisputed: true, platformsFor: 3, platformsAgainst: 1 })
      expect(await checkAgent(store, id)).toMatchObject({ difference: null })
      scores.push(score)
    }
    expect(new Set(scores).size).toBe(1)
  })

  test('do not make an agent Excellent, however many they are; two of two owners do', async () => {
    const own = await ofOneOwner(3)
    const [one, other] = [await ofOneOwner(1), await ofOneOwner(1)]
    const [byOne, byTwo] = [await agentOf(own, 75), await agentOf([...one, ...other], 75)]
    expect(await scoreOf(byOne)).toMatchObject({ classification: 'good' })
    expect(await scoreOf(byTwo)).toMatchObject({ classification: 'excellent' })
    expect(await codesOf(byOne)).toContain('single_reporter')
    expect(await codesOf(byTwo)).toContain('several_reporters')
    // Contributions are still those of each platform.
    const { contributions } = await at.operator.score.explain(byOne)
    expect(contributions?.reporters).toHaveLength(3)
  })

  test('have a weight each: a verified one lends none to one that is not', async () => {
    const { owner } = await newOwner(at)
    await platforms(2)
    const [verified] = await platforms(1, owner.id)
    const weak = await newPlatform(at, { ownerId: owner.id, verified: false })
    const id = await agentOf([verified as Platform], 30)
    const before = await scoreOf(id)
    const { data } = await report(weak.client, id, WORK, 20)
    expect(new Set(data.map((event) => event?.reporterWeight))).toEqual(new Set([0.1]))
    const { disputed } = await scoreOf(id)
    expect(disputed).toEqual(before.disputed)
    expect(await votersOf(id)).toEqual([owner.id])
  })

  test('share one vote also after its account is erased', async () => {
    const { owner, email, client } = await newOwner(at)
    const own = await platforms(2, owner.id)
    const { agent } = await newAgent(at)
    await client.auth.erase(email)
    await eventually(async () =>
      expect(await at.operator.operator.ownerErasure(owner.id)).toMatchObject({ status: 'done' }),
    )
    for (const { client: its } of own) {
      await report(its, agent.id, WORK, 1)
    }
    expect(await votersOf(agent.id)).toEqual([owner.id])
  })

  test('are one established platform of an installation', async () => {
    const { at: fresh } = await newInstallation()
    const { owner } = await newOwner(fresh)
    const { agent } = await newAgent(fresh)
    await newPlatform(fresh, { ownerId: owner.id })
    await newPlatform(fresh, { ownerId: owner.id })
    const { client } = await newPlatform(fresh, { verified: false })
    const weight = async () => {
      const { data } = await report(client, agent.id, WORK, 4)
      return data.at(-1)?.reporterWeight
    }
    expect(await weight()).toBe(0.5)
    const { platforms: counts } = await fresh.operator.operator.resistance()
    expect(counts).toEqual({ active: 3, verified: 2, established: 1 })
    await newPlatform(fresh)
    expect(await weight()).toBe(0.1)
  })
})

describe('the owner in whose vote an event counts', () => {
  async function provenAgent() {
    const { owner } = await newOwner(at)
    const [first, second] = (await platforms(2, owner.id)) as [Platform, Platform]
    const [independent] = (await platforms(1)) as [Platform]
    const id = await agentOf([first, second, independent], 2)
    const lines = (await at.operator.events.export(id)).trimEnd().split('\n')
    const { receipt } = await at.anyone.score.getReceipt(id)
    return { id, owner, lines, receipt, second, independent }
  }

  test('is recorded, chained and exported where there is one, and not a part of the event’s reporter', async () => {
    const { id, owner, lines, receipt, second, independent } = await provenAgent()
    const voters = lines.map((line) => JSON.parse(line) as { reporter: string; voter?: string })
    for (const line of voters) {
      const expected = line.reporter === independent.platform.id ? undefined : owner.id
      expect(line.voter).toBe(expected)
      expect('voter' in line).toBe(expected !== undefined)
    }
    expect(await verifyProof({ receipt, lines, keys: null })).toMatchObject({ problem: null })
    const { data } = await second.client.events.list({ agentId: id, limit: 1 })
    expect(data[0]?.reporter).toEqual({ kind: 'platform', id: second.platform.id })
    expect(data[0]).not.toHaveProperty('voter')
  })

  test('cannot be removed, changed or added without breaking the proof', async () => {
    const { lines, receipt, owner, independent } = await provenAgent()
    const proof = (changed: (line: string) => string) =>
      verifyProof({ receipt, lines: lines.map(changed), keys: null })
    const none = await proof((line) => line.replace(/,"voter":"[^"]+"/, ''))
    expect(none.problem).toContain('the first that differs')
    const other = await proof((line) => line.replace(owner.id, independent.platform.id))
    expect(other.problem).toContain('the first that differs')
    const added = await proof((line) =>
      line.includes('"voter"') ? line : line.replace('"self":', `"voter":"${owner.id}","self":`),
    )
    expect(added.problem).toContain('the first that differs')
    const number = await proof((line) => line.replace(/"voter":"[^"]+"/, '"voter":7'))
    expect(number.problem).toContain('is not an exported event')
  })

  test('decides about a past score, and about one without an event, as it did when it was folded', async () => {
    const honest = await platforms(3)
    const liars = await ofOneOwner(2)
    const id = await agentOf(honest, 30)
    for (const { client } of liars) {
      await report(client, id, FAILED, 10)
    }
    const then = await scoreOf(id)
    const asked = new Date(clock.now()).toISOString()
    clock.move(DAY_MS)
    const { data } = await report((liars[0] as Platform).client, id, FAILED, 1)
    const past = await at.anyone.score.get(id, { at: asked })
    expect([past.score, past.disputed]).toEqual([then.score, then.disputed])
    const { without } = await at.operator.score.explain(id, { without: data[0]?.id ?? '' })
    expect(without?.counts).toBe(true)
    expect(await checkAgent(store, id)).toMatchObject({ difference: null })
  })

  test('continues the vote that its platform had before voters were recorded', async () => {
    const { owner } = await newOwner(at)
    const own = await platforms(3)
    const ids = own.map(({ platform }) => platform.id)
    const [first, second, third] = own as [Platform, Platform, Platform]
    const { agent } = await newAgent(at)
    for (const { client } of own) {
      await report(client, agent.id, WORK, 3)
    }
    expect(await votersOf(agent.id)).toEqual(ids)
    // A platform is given no owner later; to the log it is the same as one whose owner was not recorded.
    await pool.query('update platforms set owner_id = $1 where id = any($2)', [owner.id, ids])
    const baseUrl = (await at.node()).url
    await report(second.client.with({ baseUrl }), agent.id, WORK, 1)
    expect(await votersOf(agent.id)).toEqual([ids[0], owner.id, ids[2]])
    for (const { client } of [first, third]) {
      await report(client.with({ baseUrl }), agent.id, WORK, 1)
    }
    expect(await votersOf(agent.id)).toEqual([owner.id])
    expect(await checkAgent(store, agent.id)).toEqual({ events: 12, difference: null })
  })
})
