import type { EventInput, Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { importPast, type PastLine } from '../support/past.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, PASSWORD, startService } from '../support/service.ts'

const DAY_MS = 86_400_000
const clock = createTestClock('2026-01-05T09:00:00.000Z')
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })

const WORK = { type: 'task.completed' } as const
const FAILED = { type: 'task.failed' } as const
const PAID = { type: 'payment.completed', data: { amount: 40, currency: 'USD' } } as const
const FRAUD = { type: 'payment.disputed', data: { amount: 480, currency: 'USD' } } as const

const many = (count: number, event: EventInput): readonly EventInput[] =>
  Array.from({ length: count }, () => event)

const scoreOf = (agentId: string) => at.anyone.score.get(agentId)

type Platform = Awaited<ReturnType<typeof newPlatform>>

/** Good work and payments on so many days, twice a day for each platform. */
async function workFor(platforms: readonly Platform[], agentId: string, days: number) {
  const lines: PastLine[] = []
  for (let day = 0; day < days; day++) {
    clock.move(DAY_MS)
    for (const { platform } of platforms) {
      const report = { at: clock.now(), agent: agentId, by: platform.id }
      lines.push(...[WORK, WORK, PAID, PAID].map((event) => ({ ...report, ...event })))
    }
  }
  await importPast(at, lines)
}

function platforms(count: number): Promise<readonly Platform[]> {
  return Promise.all(Array.from({ length: count }, () => newPlatform(at)))
}

/** A token is good for a day. */
async function signedIn({ email }: { readonly email: string }): Promise<Standing> {
  const { token } = await at.anyone.auth.login({ email, password: PASSWORD })
  return at.anyone.with({ token })
}

describe('an agent that serves three platforms well and defrauds a fourth', () => {
  test('is no longer Good, not below Fair, and shown as disputed with every score', async () => {
    const [victim, ...others] = await platforms(4)
    if (!victim) {
      throw new Error('four were created')
    }
    const { agent, owner } = await newAgent(at)
    await workFor([victim, ...others], agent.id, 30)
    expect(await scoreOf(agent.id)).toMatchObject({
      classification: 'good',
      disputed: { isDisputed: false, platformsFor: 4, platformsAgainst: 0 },
    })
    const its = await signedIn(owner)
    const receiver = await startReceiver()
    await its.webhooks.create({ url: receiver.url, events: ['score.changed'] })

    const report = await victim.client.events.report(agent.id, many(40, FRAUD))
    expect(report.data.filter((event) => event?.isQuarantined)).toEqual([])
    const disputed = { isDisputed: true, platformsFor: 3, platformsAgainst: 1 }
    const score = await scoreOf(agent.id)
    expect(score).toMatchObject({ classification: 'fair', disputed })
    expect(score.interval.high - score.interval.low).toBeGreaterThan(50)
    expect((await at.anyone.score.getBatch([agent.id])).get(agent.id)).toEqual(score)
    const [snapshot] = (await at.anyone.score.getHistory(agent.id)).data
    expect(snapshot).toMatchObject({ score: score.score, disputed })
    expect(await at.anyone.score.get(agent.id, { at: snapshot?.createdAt })).toMatchObject({
      disputed,
    })
    const explained = await at.anyone.score.explain(agent.id)
    expect(explained).toMatchObject({ disputed, exposureLimit: score.exposureLimit })
    expect(explained.reasons).toContainEqual({
      code: 'disputed',
      effect: 'limits',
      sentence: 'Platforms disagree about this agent: some report mostly good, some mostly bad.',
    })
    await eventually(() =>
      expect(receiver.bodies.at(-1)?.data).toMatchObject({
        newScore: score.score,
        classification: 'fair',
        disputed,
        exposureLimit: snapshot?.exposureLimit,
      }),
    )
    expect(snapshot?.exposureLimit).toEqual(expect.any(Number))
    const { payload } = await at.anyone.score.getReceipt(agent.id)
    expect(payload.score).toMatchObject({
      disputed,
      exposureLimit: snapshot?.exposureLimit,
    })
  })
})

describe('an agent that serves twenty-four platforms well and defrauds sixteen that came later', () => {
  test('is no longer Good, and shown as disputed, and its explanation adds up', async () => {
    const all = await platforms(40)
    const { agent } = await newAgent(at)
    await workFor(all.slice(0, 24), agent.id, 30)
    expect((await scoreOf(agent.id)).classification).toBe('good')
    for (const { client } of all.slice(24)) {
      await client.events.report(agent.id, many(4, FRAUD))
    }
    const score = await scoreOf(agent.id)
    expect(score.score).toBeLessThan(650)
    expect(score.disputed).toMatchObject({ isDisputed: true, platformsFor: 24 })
    // By their ids a few of them may share a vote.
    expect(score.disputed.platformsAgainst).toBeGreaterThan(7)
    expect(score.disputed.platformsAgainst).toBeLessThan(17)
    const { contributions } = await at.anyone.score.explain(agent.id)
    const { start, time, correction, dimensions } = contributions
    const found = dimensions.reduce((sum, { points }) => sum + points, start + time + correction)
    expect([found, correction]).toEqual([score.score, 0])
  })
})

describe('a payment or task that fails after it succeeded', () => {
  test('is never quarantined, and lowers the tier within twenty disputes', async () => {
    const [only] = await platforms(1)
    const { agent } = await newAgent(at)
    await workFor(only ? [only] : [], agent.id, 30)
    const before = await scoreOf(agent.id)
    expect(before.classification).toBe('good')
    const report = await only?.client.events.report(agent.id, many(20, FRAUD))
    expect(report?.data.every((event) => event?.isQuarantined === false)).toBe(true)
    const after = await scoreOf(agent.id)
    expect(['fair', 'poor', 'untrusted']).toContain(after.classification)
    expect(before.score - after.score).toBeGreaterThanOrEqual(150)
  })
})

describe('slander', () => {
  test('by a platform that is not established moves a known agent by less than 60 points', async () => {
    const three = await platforms(3)
    const { agent } = await newAgent(at)
    await workFor(three, agent.id, 25)
    const rivals = await Promise.all(
      Array.from({ length: 5 }, () => newPlatform(at, { verified: false })),
    )
    const before = await scoreOf(agent.id)
    for (const rival of rivals) {
      const report = await rival.client.events.report(agent.id, [
        ...many(200, FRAUD),
        ...many(200, FAILED),
      ])
      expect(report.data.every((event) => event?.reporterWeight === 0.1)).toBe(true)
    }
    const after = await scoreOf(agent.id)
    expect(before.score - after.score).toBeLessThan(60)
    expect(after.disputed).toMatchObject({ isDisputed: false, platformsAgainst: 0 })
  })

  test('by confirming and revoking credentials costs next to nothing', async () => {
    const four = await platforms(4)
    const { agent, owner } = await newAgent(at)
    const { id } = await owner.client.credentials.issue({
      agentId: agent.id,
      type: 'Audit',
      claims: {},
    })
    const named = (type: 'credential.issued' | 'credential.revoked') => ({
      type,
      data: { credentialId: id },
    })
    for (const platform of four) {
      await platform.client.events.submit(agent.id, named('credential.issued'))
    }
    await workFor(four, agent.id, 25)
    const before = (await scoreOf(agent.id)).score
    const cycles = Array.from({ length: 30 }, () => [
      named('credential.issued'),
      named('credential.revoked'),
    ]).flat()
    const outsider = await newPlatform(at, { verified: false })
    await outsider.client.events.report(agent.id, cycles)
    expect(before - (await scoreOf(agent.id)).score).toBeLessThanOrEqual(10)
    const established = await newPlatform(at)
    await established.client.events.report(agent.id, cycles)
    expect(before - (await scoreOf(agent.id)).score).toBeLessThanOrEqual(60)
  })
})

describe('the exposure limit', () => {
  test('is unknown without payments, follows the amounts handled, and is not lifted by a single report', async () => {
    const four = await platforms(4)
    const { agent } = await newAgent(at)
    await four[0]?.client.events.report(agent.id, many(5, WORK))
    expect((await scoreOf(agent.id)).exposureLimit).toBeNull()
    await workFor(four, agent.id, 30)
    const { exposureLimit } = await scoreOf(agent.id)
    expect(exposureLimit).toBeGreaterThan(20)
    expect(exposureLimit).toBeLessThan(120)
    const fortune = { type: 'payment.completed', data: { amount: 1e6, currency: 'USD' } } as const
    await four[0]?.client.events.report(agent.id, many(60, fortune))
    expect((await scoreOf(agent.id)).exposureLimit).toBeLessThan(2 * (exposureLimit ?? 0))
  })
})
