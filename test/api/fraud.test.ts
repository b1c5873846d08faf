import { describe, expect, test } from 'vitest'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator
const shared = await newOwner(at)
await operator.setOwnerTier(shared.owner.id, 'platform')
const newSharedAgent = async () => (await newAgent(at, shared)).agent

const GOOD = { type: 'task.completed', data: { success: true } } as const
const BAD = { type: 'task.failed' } as const

const many = <T>(count: number, one: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => one(index))

async function scoreOf(agentId: string): Promise<number> {
  return (await at.anyone.score.get(agentId)).score
}

describe.concurrent('no honest report is quarantined:', () => {
  const HOUR = 3_600_000
  const streams = {
    'six hundred that look the same, within a second': () => many(600, () => GOOD),
    'a history of 29 days at once': () =>
      many(290, (i) => ({
        ...GOOD,
        occurredAt: new Date(Date.now() - (29 * 24 - i * 2.4) * HOUR).toISOString(),
      })),
    'payments from ten to five thousand': () =>
      many(100, (i) => ({
        type: 'payment.completed' as const,
        data: { amount: 10 + ((i * 7919) % 4990), currency: 'EUR' },
      })),
    'ninety-five good of a hundred': () => many(500, (i) => (i % 20 === 7 ? BAD : GOOD)),
  }

  test.each(Object.entries(streams))('%s', async (_, stream) => {
    const agent = await newSharedAgent()
    const { client } = await newPlatform(at)
    const report = await client.events.report(agent.id, stream())
    expect(report.rejected).toBe(0)
    expect(report.data.filter((event) => event?.isQuarantined)).toEqual([])
  })

  // Of an owner of its own, as a bad agent lowers what its owner's next ones start with.
  test('payments that were late by less than a day', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const late = { type: 'payment.late', data: { daysLate: 0 } } as const
    expect(await client.events.submit(agent.id, late)).toMatchObject({ isQuarantined: false })
  })

  test('ten self-reports of a new agent in a second', async () => {
    const { agent, client } = await newAgent(at, shared)
    const report = await client.events.report(
      agent.id,
      many(10, () => GOOD),
    )
    expect(report.data.every((event) => event?.fraudFlags.length === 0)).toBe(true)
  })
})

describe.concurrent('attacks', () => {
  test('A1: a thousand praises by the owner’s own platform count no more than a thousand self-reports', async () => {
    const { agent } = await newAgent(at, shared)
    const { client: own } = await newPlatform(at, { ownerId: shared.owner.id })
    const report = await own.events.report(
      agent.id,
      many(1_000, () => GOOD),
    )
    expect(report.data.filter((event) => event?.isQuarantined)).toEqual([])
    const noted = await operator.findings({ rule: 'self_dealing', agentId: agent.id })
    expect(noted.data.length).toBeGreaterThan(0)
    const { agent: other, client } = await newAgent(at, shared)
    await client.events.report(
      other.id,
      many(1_000, () => GOOD),
    )
    expect(await scoreOf(agent.id)).toBeLessThanOrEqual(await scoreOf(other.id))
    expect(await at.anyone.score.get(other.id)).toMatchObject({ classification: 'untrusted' })
  })

  test('A7: an event sent a thousand times over three nodes is one event, or quarantined', async () => {
    const agent = await newSharedAgent()
    const { client } = await newPlatform(at)
    const nodes = [at.url, (await at.node()).url, (await at.node()).url]
    const ways = nodes.map((baseUrl) => client.with({ baseUrl, retriesMax: 4 }))
    const occurredAt = new Date(Date.now() - 60_000).toISOString()
    const named = { ...GOOD, occurredAt, externalId: 'job-1' }
    await Promise.all(
      many(60, (i) => ways[i % 3]?.events.report(agent.id, i % 2 ? named : [named, named, named])),
    )
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
    const nameless = { ...GOOD, data: { success: true, duration: 812 }, occurredAt }
    await Promise.all(
      many(9, (i) =>
        ways[i % 3]?.events.report(
          agent.id,
          many(100, () => nameless),
        ),
      ),
    )
    const score = await at.anyone.score.get(agent.id)
    expect(score).toMatchObject({ eventCount: 2, evidence: { quarantined: 899 } })
  })

  test('A11: copies in a parallel burst count as little as one after the other', async () => {
    const { client } = await newPlatform(at)
    const shape = { type: 'payment.completed', data: { amount: 149.37, currency: 'USD' } } as const
    const now = Date.now()
    const events = many(60, (i) => ({ ...shape, occurredAt: new Date(now - i * 10).toISOString() }))
    const [serial, parallel] = [await newSharedAgent(), await newSharedAgent()]
    const shares: number[] = []
    for (const event of events) {
      shares.push((await client.events.submit(serial.id, event)).share)
    }
    expect(shares).toEqual(events.map((_, i) => 1 / (i + 1)))
    const sent = await Promise.all(events.map((event) => client.events.submit(parallel.id, event)))
    expect(sent.map(({ share }) => share).sort((a, b) => b - a)).toEqual(shares)
  })

  test('A2: two owners whose platforms praise each other’s agents do not make them trusted', async () => {
    const [a, b] = [await newAgent(at), await newAgent(at)]
    const run = (owner: typeof a.owner) =>
      newPlatform(at, { ownerId: owner.owner.id, verified: false })
    const [ofA, ofB] = [await run(a.owner), await run(b.owner)]
    const praise = many(100, () => GOOD)
    await ofA.client.events.report(b.agent.id, praise)
    await ofB.client.events.report(a.agent.id, praise)
    for (const { id } of [a.agent, b.agent]) {
      expect(await at.anyone.score.get(id)).toMatchObject({ classification: 'untrusted' })
      expect(await scoreOf(id)).toBeLessThan(240)
    }
  })

  test('A20: extreme values are accepted, refused or quarantined, and never break a score', async () => {
    const agent = await newSharedAgent()
    const { client } = await newPlatform(at)
    const pay = (data: Record<string, unknown>) =>
      client.events.submit(agent.id, { type: 'payment.completed', data } as never)
    expect(await pay({ amount: -0, currency: 'USD' })).toMatchObject({ isQuarantined: false })
    expect(await pay({ amount: 1e12, currency: 'USD' })).toMatchObject({
      fraudFlags: ['implausible_data'],
    })
    for (const amount of [-1, 1e308]) {
      await expect(pay({ amount })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    const late = { type: 'payment.late', data: { daysLate: 36_500 } } as const
    expect(await client.events.submit(agent.id, late)).toMatchObject({ isQuarantined: false })
    const { score } = await at.anyone.score.get(agent.id)
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(1000)
  })

  test('conflicting reports about one task are shown, and count meanwhile', async () => {
    const agent = await newSharedAgent()
    const [one, two] = [await newPlatform(at), await newPlatform(at)]
    await one.client.events.submit(agent.id, { ...GOOD, externalId: 'job-9' })
    const other = await two.client.events.submit(agent.id, { ...BAD, externalId: 'job-9' })
    expect(other).toMatchObject({ isQuarantined: false, fraudFlags: [] })
    const found = await operator.findings({ rule: 'conflicting_report', agentId: agent.id })
    expect(found.data).toMatchObject([
      { id: other.id, findings: [{ mode: 'shadow', evidence: { externalId: 'job-9' } }] },
    ])
  })
})

describe('the rules', () => {
  test('are listed with their reasons', async () => {
    const rules = await operator.rules()
    expect(rules.map(({ id }) => id)).toContain('near_duplicate')
    for (const { summary, threshold } of rules) {
      expect(summary).toMatch(/\.$/)
      if (threshold) {
        expect(threshold.reason).toMatch(/\.$/)
      }
    }
    const copies = rules.find(({ id }) => id === 'near_duplicate')
    expect(copies?.threshold?.value).toBeGreaterThanOrEqual(9)
    expect(copies?.threshold?.value).toBeLessThanOrEqual(11)
  })

  test('in shadow mode record findings and quarantine nothing; off they do neither; on every node', async () => {
    const agent = await newSharedAgent()
    const { client } = await newPlatform(at)
    const held = { type: 'task.completed', data: { success: false } } as const
    const submit = () => client.events.submit(agent.id, held)
    expect((await submit()).isQuarantined).toBe(true)
    const rule = await operator.updateRule('contradictory_data', { mode: 'shadow' })
    expect(rule).toMatchObject({ mode: 'shadow', defaultMode: 'quarantine' })
    const noted = await submit()
    expect(noted).toMatchObject({ isQuarantined: false, fraudFlags: [], review: null })
    await operator.updateRule('contradictory_data', { mode: 'off' })
    await submit()
    const found = await operator.findings({ rule: 'contradictory_data', agentId: agent.id })
    expect(found.data.map(({ findings }) => findings[0]?.mode)).toEqual(['shadow', 'quarantine'])
    const other = client.with({ baseUrl: (await at.node()).url })
    expect((await other.events.submit(agent.id, held)).isQuarantined).toBe(false)
    await operator.updateRule('contradictory_data', { mode: 'quarantine' })
    expect((await submit()).isQuarantined).toBe(true)
  })

  test('keep two changes that are made at once', async () => {
    for (const [mode, threshold] of [
      ['quarantine', 20],
      ['off', 30],
      ['shadow', 40],
    ] as const) {
      await Promise.all([
        operator.updateRule('burst', { mode }),
        operator.updateRule('burst', { threshold }),
      ])
      const rule = (await operator.rules()).find(({ id }) => id === 'burst')
      expect([rule?.mode, rule?.threshold?.value]).toEqual([mode, threshold])
    }
    await operator.updateRule('burst', { threshold: null })
  })

  test('can be tuned within bounds, and reset to their defaults', async () => {
    const own = (await operator.rules()).find(({ id }) => id === 'burst')?.threshold?.value
    const tuned = await operator.updateRule('burst', { threshold: 10, mode: 'quarantine' })
    expect(tuned).toMatchObject({ mode: 'quarantine', defaultMode: 'shadow' })
    expect(tuned.threshold?.value).toBe(10)
    const { agent, client } = await newAgent(at, shared)
    const report = await client.events.report(
      agent.id,
      many(15, () => GOOD),
    )
    expect(report.data.filter((event) => event?.isQuarantined)).toHaveLength(5)
    const reset = await operator.updateRule('burst', { threshold: null, mode: 'shadow' })
    expect(reset.threshold?.value).toBe(own)
    for (const [id, threshold] of [
      ['burst', 0],
      ['burst', 1e9],
      ['contradictory_data', 5],
    ] as const) {
      await expect(operator.updateRule(id, { threshold })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'threshold' }] },
      })
    }
    await expect(operator.updateRule('nonsense', { mode: 'off' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('are reserved to the operator', async () => {
    await expect(at.anyone.operator.rules()).rejects.toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
    })
  })
})
