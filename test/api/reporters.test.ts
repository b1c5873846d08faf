import type { Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { importPast, type PastLine } from '../support/past.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  startService,
  type TestService,
} from '../support/service.ts'

const START = '2026-01-05T09:00:00.000Z'
const DAY_MS = 86_400_000
const DONE = { type: 'task.completed' } as const

/** A service of its own, so that no other platform is established there. */
async function newInstallation() {
  const clock = createTestClock(START)
  const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })
  return { at, clock }
}

const unverified = (at: TestService) => newPlatform(at, { verified: false })

/** What each of so many reports about an agent weighed. */
async function weights(client: Standing, agentId: string, count: number) {
  const { data } = await client.events.report(
    agentId,
    Array.from({ length: count }, () => DONE),
  )
  return data.map((event) => event?.reporterWeight)
}

async function platformOf({ operator }: TestService, id: string) {
  const { data } = await operator.operator.listPlatforms({ limit: 100 })
  return data.find((one) => one.id === id)
}

describe('the weight of a report', () => {
  test('depends on the platform, which is not verified unless the operator verifies it', async () => {
    const { at } = await newInstallation()
    const created = await at.operator.operator.createPlatform({ name: 'new' })
    expect(created).toMatchObject({ verified: false, established: false })
    const { operator } = at.operator
    expect(await operator.updatePlatform(created.id, { verified: true })).toMatchObject({
      verified: true,
      established: true,
    })
    expect(await platformOf(at, created.id)).toMatchObject({ verified: true, established: true })
    expect(await operator.updatePlatform(created.id, { name: 'newer' })).toMatchObject({
      verified: true,
    })
    expect(await operator.updatePlatform(created.id, { verified: false })).toMatchObject({
      verified: false,
      established: false,
    })
    const { data } = await operator.audit()
    expect(data.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ verified: false }),
    )
  })

  test('is a tenth for the first two of a platform in a new installation, and a half from the third on', async () => {
    const { at } = await newInstallation()
    const { client } = await unverified(at)
    const { agent } = await newAgent(at)
    expect(await weights(client, agent.id, 4)).toEqual([0.1, 0.1, 0.5, 0.5])
    await newPlatform(at)
    expect(await weights(client, agent.id, 1)).toEqual([0.5])
  })

  test('is a tenth for a verified platform that reports only problems of five owners’ agents', async () => {
    const { at, clock } = await newInstallation()
    const [one, monitor] = [await newPlatform(at), await newPlatform(at)]
    const agents = await Promise.all(Array.from({ length: 5 }, () => newAgent(at)))
    for (const { agent } of agents) {
      await weights(one.client, agent.id, 30)
    }
    for (let day = 0; day < 6; day++) {
      for (const { agent } of agents) {
        await monitor.client.events.report(agent.id, [{ type: 'error.reported' }])
      }
      clock.move(DAY_MS)
    }
    const [first] = agents as [(typeof agents)[number]]
    const next = await monitor.client.events.report(first.agent.id, [{ type: 'error.reported' }])
    expect(next.data[0]).toMatchObject({ reporterWeight: 0.1 })
    expect(await platformOf(at, monitor.platform.id)).toMatchObject({
      verified: true,
      established: false,
    })
  })

  test('is a half for a new platform while the verified ones report only problems', async () => {
    const { at, clock } = await newInstallation()
    const { operator } = at.operator
    const monitors = [await newPlatform(at), await newPlatform(at)] as const
    const [one, newcomer] = [await newPlatform(at), await unverified(at)]
    const agents = await Promise.all(Array.from({ length: 6 }, () => newAgent(at)))
    const [known, monitored] = [agents[0]?.agent.id ?? '', agents.slice(1)]
    for (const { agent } of monitored) {
      await weights(one.client, agent.id, 30)
    }
    await operator.updatePlatform(one.platform.id, { verified: false })
    // The two verified ones have not reported yet.
    expect(await weights(newcomer.client, known, 3)).toEqual([0.1, 0.1, 0.1])
    for (let day = 0; day < 6; day++) {
      for (const { client } of monitors) {
        for (const { agent } of monitored) {
          await client.events.report(agent.id, [{ type: 'error.reported' }])
        }
      }
      clock.move(DAY_MS)
    }
    // On a cluster, what platforms reported is counted a moment later. This request waits for it.
    const { platforms } = await operator.resistance()
    expect(platforms).toEqual({ active: 4, verified: 2, established: 0 })
    expect(await weights(newcomer.client, known, 1)).toEqual([0.5])
    // Successes as well: they are established again, from the next report of others on.
    for (const { client } of monitors) {
      for (const { agent } of monitored) {
        await weights(client, agent.id, 10)
      }
    }
    await operator.resistance()
    expect(await weights(newcomer.client, known, 1)).toEqual([0.1])
  })

  test('is whole for the platform that reports the failures for another one of its owner', async () => {
    const { at, clock } = await newInstallation()
    const { owner } = await newOwner(at)
    const [one, successes, failures] = [
      await newPlatform(at),
      await newPlatform(at, { ownerId: owner.id }),
      await newPlatform(at, { ownerId: owner.id }),
    ]
    const agents = await Promise.all(Array.from({ length: 5 }, () => newAgent(at)))
    const seen: (number | undefined)[] = []
    for (let day = 0; day < 8; day++) {
      for (const { agent } of agents) {
        await weights(one.client, agent.id, 5)
        await weights(successes.client, agent.id, 1)
        const { data } = await failures.client.events.report(agent.id, [{ type: 'task.failed' }])
        seen.push(data[0]?.reporterWeight)
      }
      clock.move(DAY_MS)
    }
    expect(new Set(seen)).toEqual(new Set([1]))
  })

  test('is a tenth, without a vote of its own, where two other platforms are established', async () => {
    const { at } = await newInstallation()
    const [one, two] = [await newPlatform(at), await newPlatform(at)]
    const { client } = await unverified(at)
    const [praised, honest] = [await newAgent(at), await newAgent(at)]
    expect(await weights(client, praised.agent.id, 100)).toEqual(Array(100).fill(0.1))
    expect(await weights(one.client, honest.agent.id, 100)).toEqual(Array(100).fill(1))
    const score = async (id: string) => (await at.anyone.score.get(id)).score
    expect(await score(praised.agent.id)).toBeLessThan(await score(honest.agent.id))
    expect((await at.anyone.score.get(praised.agent.id)).disputed.platformsFor).toBe(0)
    // One of the two is suspended: what is left is a young installation again.
    await at.operator.operator.updatePlatform(two.platform.id, { status: 'suspended' })
    expect(await weights(client, praised.agent.id, 1)).toEqual([0.5])
  })

  test('changes with verification from the next report on, on every node, and not for earlier ones', async () => {
    const { at } = await newInstallation()
    const node = await at.node()
    const { client, platform } = await unverified(at)
    const there = client.with({ baseUrl: node.url })
    const { agent, client: its } = await newAgent(at)
    expect(await weights(there, agent.id, 2)).toEqual([0.1, 0.1])
    await at.operator.operator.updatePlatform(platform.id, { verified: true })
    expect(await weights(client, agent.id, 1)).toEqual([1])
    await eventually(async () => expect(await weights(there, agent.id, 1)).toEqual([1]))
    const { data } = await its.events.list({ limit: 100 })
    expect(data.slice(-2).map(({ reporterWeight }) => reporterWeight)).toEqual([0.1, 0.1])
    await at.operator.operator.updatePlatform(platform.id, { verified: false })
    expect(await weights(client, agent.id, 1)).toEqual([0.5])
  })

  test('is a tenth for self-reports and for platforms of the agent’s owner, verified or not', async () => {
    const { at } = await newInstallation()
    const { agent, owner, client } = await newAgent(at)
    const own = await newPlatform(at, { ownerId: owner.owner.id })
    expect(await client.events.submit(agent.id, DONE)).toMatchObject({ reporterWeight: 0.1 })
    expect(await weights(own.client, agent.id, 4)).toEqual([0.1, 0.1, 0.1, 0.1])
    expect((await at.anyone.score.get(agent.id)).evidence).toMatchObject({ selfReported: 5 })
  })
})

type Reporting = readonly [
  platform: { readonly id: string },
  agentIds: readonly string[],
  type?: 'task.completed' | 'task.failed',
]

/** Each platform reports on each of its agents every second day for `days` days. */
async function reportFor(
  days: number,
  { at, clock }: Awaited<ReturnType<typeof newInstallation>>,
  ...reporting: readonly Reporting[]
) {
  const lines: PastLine[] = []
  for (let day = 0; day <= days; day += 2) {
    for (const [platform, agentIds, type = 'task.completed'] of reporting) {
      const report = { at: clock.now(), by: platform.id, type }
      lines.push(...agentIds.map((agent) => ({ ...report, agent })))
    }
    clock.move(2 * DAY_MS)
  }
  await importPast(at, lines)
}

describe('a platform becomes established by its record', () => {
  test('after two months of agreeing reports on agents of five owners, not of four', async () => {
    const installation = await newInstallation()
    const { at } = installation
    const [one] = [await newPlatform(at), await newPlatform(at)]
    const agents: string[] = []
    for (let i = 0; i < 9; i++) {
      agents.push((await newAgent(at)).agent.id)
    }
    const [five, four, early] = [await unverified(at), await unverified(at), await unverified(at)]
    const [first, last] = [agents.slice(0, 5), agents.slice(5)]
    await reportFor(56, installation, [one.platform, first], [five.platform, first])
    await reportFor(2, installation, [early.platform, first])
    expect(await platformOf(at, five.platform.id)).toMatchObject({ established: false })
    await reportFor(2, installation, [one.platform, first], [five.platform, first])
    await reportFor(64, installation, [one.platform, last], [four.platform, last])
    expect(await platformOf(at, five.platform.id)).toMatchObject({
      verified: false,
      established: true,
    })
    for (const { platform } of [four, early]) {
      expect(await platformOf(at, platform.id)).toMatchObject({ established: false })
    }
    const { agent } = await newAgent(at)
    expect(await weights(five.client, agent.id, 1)).toEqual([1])
    expect(await weights(four.client, agent.id, 4)).toEqual([0.1, 0.1, 0.1, 0.1])
  })

  test('not by failures alone, also if others report the same; a strict auditor by some successes', async () => {
    const installation = await newInstallation()
    const { at } = installation
    const [one, two] = [await newPlatform(at), await newPlatform(at)]
    const agents = await Promise.all(Array.from({ length: 6 }, () => newAgent(at)))
    const [good = '', ...bad] = agents.map(({ agent }) => agent.id)
    const [problems, auditor] = [await unverified(at), await unverified(at)]
    await reportFor(
      64,
      installation,
      ...[one, two, problems, auditor].map(
        ({ platform }): Reporting => [platform, bad, 'task.failed'],
      ),
      ...[one, two, auditor].map(({ platform }): Reporting => [platform, [good]]),
    )
    expect(await platformOf(at, problems.platform.id)).toMatchObject({ established: false })
    expect(await platformOf(at, auditor.platform.id)).toMatchObject({ established: true })
    expect(await weights(problems.client, good, 4)).toEqual([0.1, 0.1, 0.1, 0.1])
    expect(await weights(auditor.client, good, 1)).toEqual([1])
  })

  test('not by agents of one owner, however many, nor by those that it alone reports on', async () => {
    const installation = await newInstallation()
    const { at } = installation
    const [one] = [await newPlatform(at), await newPlatform(at)]
    const { agent, owner } = await newAgent(at)
    await at.operator.operator.setOwnerTier(owner.owner.id, 'platform')
    const ofOne = [agent.id]
    const alone: string[] = []
    for (let i = 0; i < 5; i++) {
      ofOne.push((await newAgent(at, owner)).agent.id)
      alone.push((await newAgent(at)).agent.id)
    }
    const [first, second] = [await unverified(at), await unverified(at)]
    await reportFor(
      64,
      installation,
      [one.platform, ofOne],
      [first.platform, ofOne],
      [second.platform, alone],
    )
    for (const { platform } of [first, second]) {
      expect(await platformOf(at, platform.id)).toMatchObject({ established: false })
    }
  })
})
