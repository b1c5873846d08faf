import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator

/** Held by contradictory_data: it says that a completed task failed. */
const HELD = { type: 'task.completed', data: { success: false } } as const
const GOOD = { type: 'task.completed' } as const
const BECAUSE = { reason: 'checked by hand' }

const shared = await newOwner(at)
await operator.setOwnerTier(shared.owner.id, 'platform')

async function setting(ownedBy = shared) {
  const { agent, owner, client } = await newAgent(at, ownedBy)
  const { platform, client: reporter } = await newPlatform(at)
  const submit = (event: Parameters<typeof reporter.events.submit>[1]) =>
    reporter.events.submit(agent.id, event)
  return { agent, owner, client, platform, reporter, submit }
}

test('a review shows its findings beside the history of agent and reporter', async () => {
  const { agent, platform, submit } = await setting()
  await submit(GOOD)
  const held = await submit(HELD)
  const page = await operator.reviews({ agentId: agent.id })
  expect(page.data).toMatchObject([
    {
      id: held.id,
      review: { status: 'pending' },
      findings: [{ rule: 'contradictory_data', mode: 'quarantine', severity: 'medium' }],
      agent: { status: 'active', events: 1, quarantined: 1, platforms: [{ good: 2, bad: 0 }] },
      reporterRecord: { agreement: 1, total: 2, quarantined: 1, released: 0, upheld: 0 },
      reporter: { id: platform.id },
    },
  ])
  expect(page.data[0]?.findings[0]?.sentence).toBe(held.quarantineReason)
})

test('the owner sees what the score would be with a quarantined event', async () => {
  const { agent, owner, client, submit } = await setting()
  const { event } = { event: await submit(HELD) }
  const seen = await owner.client.score.getQuarantined(agent.id)
  expect(seen).toMatchObject({ quarantinedEvents: 1, current: { eventCount: 0, score: 100 } })
  expect(seen.withQuarantined).toMatchObject({ eventCount: 1, evidence: { quarantined: 0 } })
  expect(seen.withQuarantined.score).toBeGreaterThan(100)
  expect((await client.score.getQuarantined(agent.id)).quarantinedEvents).toBe(1)
  await expect(
    (await newAgent(at)).owner.client.score.getQuarantined(agent.id),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  await operator.review(event.id, { decision: 'released', ...BECAUSE })
  const after = await owner.client.score.getQuarantined(agent.id)
  expect(after.current.score).toBe(seen.withQuarantined.score)
  expect(after.quarantinedEvents).toBe(0)
})

test('an upheld event can be appealed once, and the second decision is final', async () => {
  const { agent, owner, submit } = await setting()
  const { id } = await submit(HELD)
  const { client } = owner
  await expect(client.events.appeal(id, 'too early')).rejects.toMatchObject({ code: 'CONFLICT' })
  await operator.review(id, { decision: 'upheld', ...BECAUSE })
  const appealed = await client.events.appeal(id, 'it did succeed')
  expect(appealed.review).toMatchObject({
    status: 'appealed',
    appeal: { statement: 'it did succeed' },
  })
  await expect(client.events.appeal(id, 'again')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await operator.reviews({ agentId: agent.id })).data.map((one) => one.id)).toEqual([id])
  const closed = await operator.review(id, { decision: 'upheld', reason: 'seen twice' })
  expect(closed).toMatchObject({ isQuarantined: true, review: { status: 'upheld' } })
  expect(closed.review?.decisions).toHaveLength(2)
  await expect(client.events.appeal(id, 'once more')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await at.anyone.score.get(agent.id)).eventCount).toBe(0)
})

test('an appeal must come within 30 days of the decision', async () => {
  const { agent, submit } = await setting()
  const { id } = await submit(HELD)
  await operator.review(id, { decision: 'upheld', ...BECAUSE })
  const DAYS_MS = 30 * 86_400_000
  const atAge = async (ms: number) => {
    const { url } = await at.node({}, { now: () => Date.now() + ms })
    const anyone = at.anyone.with({ baseUrl: url })
    const { token } = await anyone.auth.login({ email: shared.email, password: PASSWORD })
    return anyone.with({ token })
  }
  const late = await atAge(DAYS_MS + 1_000)
  await expect(late.events.appeal(id, 'at last')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(/30 days/),
    details: { eventId: id, review: 'upheld' },
  })
  const [event] = (await late.events.list(agent.id)).data
  expect(event).toMatchObject({ isQuarantined: true, review: { status: 'upheld', appeal: null } })
  const inTime = await atAge(DAYS_MS - 60_000)
  expect((await inTime.events.appeal(id, 'just in time')).review?.status).toBe('appealed')
})

test('another owner cannot appeal, and nothing changes', async () => {
  const { submit } = await setting()
  const { id } = await submit(HELD)
  await operator.review(id, { decision: 'upheld', ...BECAUSE })
  const stranger = (await newAgent(at)).owner.client
  await expect(stranger.events.appeal(id, 'mine')).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

describe('an invalid review', () => {
  test('of an event that was never quarantined, or does not exist, fails and changes nothing', async () => {
    const { agent, submit } = await setting()
    const { id } = await submit(GOOD)
    const before = await at.anyone.score.get(agent.id)
    const decision = { decision: 'upheld', ...BECAUSE } as const
    await expect(operator.review(id, decision)).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { eventId: id, review: null },
    })
    await expect(operator.review(agent.id, decision)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      score: before.score,
      eventCount: 1,
    })
  })

  test('that is repeated is refused, and the first one stands', async () => {
    const { agent, submit } = await setting()
    const { id } = await submit(HELD)
    await operator.review(id, { decision: 'released', ...BECAUSE })
    await expect(operator.review(id, { decision: 'upheld', ...BECAUSE })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { review: 'released' },
    })
    const [event] = (await operator.findings({ agentId: agent.id })).data
    expect(event).toMatchObject({ isQuarantined: false, review: { status: 'released' } })
    expect(event?.review?.decisions).toHaveLength(1)
  })

  test('of two simultaneous ones on two nodes fails, and the other succeeds', async () => {
    const { agent, platform, submit } = await setting()
    const other = at.operator.with({ baseUrl: (await at.node()).url }).operator
    for (let round = 0; round < 5; round++) {
      const { id } = await submit(HELD)
      const raced = await Promise.allSettled([
        operator.review(id, { decision: 'released', ...BECAUSE }),
        other.review(id, { decision: 'upheld', ...BECAUSE }),
        operator.review(id, { decision: 'released', ...BECAUSE }),
      ])
      const won = raced.filter(({ status }) => status === 'fulfilled')
      expect(won).toHaveLength(1)
      for (const one of raced) {
        if (one.status === 'rejected') {
          expect(one.reason).toMatchObject({ code: 'CONFLICT' })
        }
      }
    }
    const record = await recordOf(platform.id)
    expect(record.reports.released + record.reports.upheld).toBe(5)
    const { eventCount, evidence } = await at.anyone.score.get(agent.id)
    expect(eventCount + evidence.quarantined).toBe(5)
  })

  test('without a reason, or in bulk without a bound, is a validation error', async () => {
    const { submit } = await setting()
    const { id } = await submit(HELD)
    await expect(operator.review(id, { decision: 'released', reason: ' ' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await expect(operator.reviewAll({ decision: 'released', ...BECAUSE })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'rule' }] },
    })
  })
})

async function recordOf(platformId: string) {
  for await (const platform of operator.listPlatforms()) {
    if (platform.id === platformId) {
      return platform
    }
  }
  throw new Error('no such platform')
}

test('quarantined events are decided in bulk by rule and time span', async () => {
  const first = await setting()
  const second = await setting()
  const held = []
  for (const { submit } of [first, second, first]) {
    held.push(await submit(HELD))
  }
  const [one, two, three] = held
  const span = { from: one?.createdAt ?? '', to: two?.createdAt ?? '' }
  const some = await operator.reviewAll({
    rule: 'contradictory_data',
    decision: 'released',
    ...span,
    ...BECAUSE,
  })
  expect(some.data.map(({ id }) => id)).toEqual([one?.id, two?.id])
  expect(some.more).toBe(false)
  expect((await at.anyone.score.get(first.agent.id)).eventCount).toBe(1)
  const rest = await operator.reviewAll({
    reporterId: first.platform.id,
    decision: 'upheld',
    ...BECAUSE,
  })
  expect(rest.data).toMatchObject([{ id: three?.id, review: { status: 'upheld' } }])
  const none = await operator.reviewAll({ rule: 'burst', decision: 'upheld', ...BECAUSE })
  expect(none).toEqual({ reviewed: 0, more: false, data: [] })
})

test('releasing by rule leaves what another rule quarantines; upholding by rule includes it', async () => {
  const { agent, submit } = await setting()
  const data = { ...HELD.data, duration: 812 }
  const again = { ...HELD, data, occurredAt: new Date().toISOString() }
  const [once, twice] = [await submit(again), await submit(again)]
  expect([...twice.fraudFlags].sort()).toEqual(['contradictory_data', 'identical_event'])
  const by = { rule: 'contradictory_data', agentId: agent.id, ...BECAUSE } as const
  const released = await operator.reviewAll({ ...by, decision: 'released' })
  expect(released.data.map(({ id }) => id)).toEqual([once.id])
  const upheld = await operator.reviewAll({ ...by, decision: 'upheld' })
  expect(upheld.data.map(({ id }) => id)).toEqual([twice.id])
})

test('upheld events lower a platform’s agreement, and with it the weight of its events', async () => {
  const { agent, platform, submit, reporter } = await setting()
  expect(await submit(GOOD)).toMatchObject({ weight: 1, share: 1 })
  await reporter.events.report(
    agent.id,
    Array.from({ length: 19 }, () => HELD),
  )
  expect((await recordOf(platform.id)).agreement).toBe(1)
  await operator.reviewAll({ reporterId: platform.id, decision: 'upheld', ...BECAUSE })
  const after = await recordOf(platform.id)
  expect(after).toMatchObject({
    agreement: 0.05,
    reports: { total: 20, quarantined: 19, upheld: 19 },
  })
  const doubted = await submit(GOOD)
  expect(doubted).toMatchObject({ weight: 1, share: 0.05, isQuarantined: false })
  // What counted before counts as it did: the weight is the event's own, from when it came in.
  const twin = await setting()
  await twin.submit(GOOD)
  const one = await at.anyone.score.get(twin.agent.id)
  const both = await at.anyone.score.get(agent.id)
  expect(both.score).toBeGreaterThanOrEqual(one.score)
  await twin.submit(GOOD)
  expect(both.score).toBeLessThan((await at.anyone.score.get(twin.agent.id)).score)
})

test('the score after a release is the score as if nothing had been quarantined', async () => {
  const EVENTS = [
    GOOD,
    { type: 'task.failed' },
    { type: 'payment.completed', data: { amount: 120, currency: 'EUR' } },
    { type: 'payment.disputed', data: { amount: 80, currency: 'EUR' } },
    { type: 'uptime.report', data: { uptimePercentage: 99.9 } },
    { type: 'error.reported', data: { severity: 'high' } },
    HELD,
    { type: 'task.failed', data: { success: true } },
    { type: 'payment.completed', data: { amount: 50, currency: 'EUR', daysLate: 2 } },
  ] as const
  const history = fc.array(fc.constantFrom(...EVENTS), { minLength: 2, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      // A bad agent of the same owner would limit the other one.
      const judged = await setting(await newOwner(at))
      const free = await setting(await newOwner(at))
      await judged.reporter.events.report(judged.agent.id, events)
      await operator.reviewAll({ agentId: judged.agent.id, decision: 'released', ...BECAUSE })
      for (const rule of RULES_OFF) {
        await operator.updateRule(rule, { mode: 'off' })
      }
      await free.reporter.events.report(free.agent.id, events)
      for (const rule of RULES_OFF) {
        await operator.updateRule(rule, { mode: 'quarantine' })
      }
      const scores = await Promise.all(
        [judged, free].map(async ({ agent }) => {
          const { score, breakdown, eventCount, interval } = await at.anyone.score.get(agent.id)
          const { data } = await at.anyone.score.getHistory(agent.id)
          return { score, breakdown, eventCount, interval, published: data.map((one) => one.score) }
        }),
      )
      expect(scores[0]).toEqual(scores[1])
    }),
    { numRuns: 12 },
  )
})

const RULES_OFF = ['contradictory_data']
