import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { benchRecorder } from '../../lab/bench/recorder.ts'
import { createDelegations } from '../../src/identity/delegation-tasks.ts'
import { carryOutDiscards } from '../../src/reviews/carry-out-discards.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { atEnd } from '../support/at-end.ts'
import { createTestClock } from '../support/clock.ts'
import { isCluster } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent, waitForLocks } from '../support/hold-locks.ts'
import { importPast, type PastLine } from '../support/past.ts'
import { runService } from '../support/process.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const WORK = { type: 'task.completed' } as const
const FAILED = { type: 'task.failed' } as const
const REASON = { reason: 'Its key leaked.' }

const clock = createTestClock('2026-01-05T09:00:00.000Z')
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())

const { operator } = at.operator
type Platform = Awaited<ReturnType<typeof newPlatform>>

/** An agent with good work on forty days at each of these platforms. */
async function agentOf(by: readonly Platform[]): Promise<string> {
  const { agent } = await newAgent(at)
  const lines: PastLine[] = []
  for (let day = 0; day < 40; day++) {
    clock.move(DAY_MS)
    for (const { platform } of by) {
      lines.push({ at: clock.now(), agent: agent.id, by: platform.id, ...WORK })
    }
  }
  await importPast(at, lines)
  return agent.id
}

/** A service that does nothing in the background, and what a test needs to do that by itself. */
async function idleService() {
  const secret = randomBytes(32).toString('base64')
  const idle = await startService({ STANDING_SECRET_KEY: secret }, { backgroundMs: HOUR_MS })
  const own = createPool({ url: idle.database.url }, { max: 4 })
  atEnd(() => own.end())
  const run = {
    store: createPostgresStore(own, { cluster: await readCluster(own) }),
    recorder: benchRecorder(Date.now),
    onFinished: () => undefined,
  }
  return { idle, run, pool: own, secret }
}

/** Agents of one owner, oldest first, each with work for a new platform. */
async function workFor(service: typeof at, count: number) {
  const reporter = await newPlatform(service)
  const owner = await newOwner(service)
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { agent } = await newAgent(service, owner)
    await reporter.client.events.report(agent.id, [WORK])
    ids.push(agent.id)
  }
  return { ...reporter, ids }
}

/** How many events of the type each of these agents has. */
function discardsOf(service: typeof at, ids: readonly string[]): Promise<readonly number[]> {
  const list = service.operator.events.list
  return Promise.all(
    ids.map(async (id) => (await list(id, { type: 'reports.discarded' })).data.length),
  )
}

/** Lets nothing write the discard of reports into the log of this agent, until the answer is called. */
const refuseDiscardsOf = (agentId: string) =>
  refuseWrites(at.database, {
    table: 'events',
    before: 'insert',
    when: `new.agent_id = '${agentId}' and new.type = 'reports.discarded'`,
  })

const times = <T>(count: number, event: T) => Array.from({ length: count }, () => event)
const scoreOf = async (id: string) => (await at.anyone.score.get(id)).score
const eventsOf = async (id: string) =>
  (await at.operator.events.list(id, { type: 'reports.discarded' })).data

async function discarded(platformId: string) {
  await operator.discardReports(platformId, REASON)
  return await eventually(async () => {
    const { data } = await operator.listPlatforms({ limit: 100 })
    const found = data.find(({ id }) => id === platformId)?.discarded
    expect(found).toMatchObject({ ...REASON, finishedAt: expect.any(String) })
    return found
  })
}

describe('reports that the operator discards', () => {
  test('no longer lower a score, and the log, the explanation and the chain say so', async () => {
    const honest = await newPlatform(at)
    const hostile = await newPlatform(at)
    const id = await agentOf([honest])
    const before = await scoreOf(id)
    await hostile.client.events.report(id, times(40, FAILED))
    expect(await scoreOf(id)).toBeLessThan(before / 2)
    expect(await discarded(hostile.platform.id)).toMatchObject({ agents: 1 })
    const after = await scoreOf(id)
    expect(Math.abs(after - before)).toBeLessThan(5)
    expect((await at.anyone.score.get(id)).disputed.isDisputed).toBe(false)
    const [event] = await eventsOf(id)
    expect(event).toMatchObject({
      reporter: { kind: 'system' },
      impact: 'neutral',
      data: { platformId: hostile.platform.id },
    })
    const { contributions } = await at.operator.score.explain(id)
    // What its reports took, the discard gave back.
    expect(contributions?.reporters).toContainEqual(
      expect.objectContaining({
        reporter: { kind: 'platform', id: hostile.platform.id },
        points: 0,
      }),
    )
    const { reasons } = await at.anyone.score.explain(id)
    expect(reasons.map(({ code }) => code)).not.toContain('task_failures')
    const decided = await hostile.client.decisions.decide({ agentId: id })
    expect(decided.ownExperience).toMatchObject({ good: 0, bad: 0 })
    const { data: reported } = await hostile.client.events.list()
    expect(new Set(reported.map(({ type }) => type))).toEqual(new Set(['task.failed']))
    expect(await checkAgent(store, id)).toMatchObject({ difference: null })
    const { data } = await operator.audit({ limit: 20 })
    expect(data).toContainEqual(
      expect.objectContaining({
        action: 'platform.reports_discarded',
        target: { kind: 'platform', id: hostile.platform.id },
        details: REASON,
      }),
    )
  })

  test('no longer raise a score, and those that follow count', async () => {
    const [one, bribed] = [await newPlatform(at), await newPlatform(at)]
    const id = await agentOf([bribed])
    const praised = await scoreOf(id)
    await discarded(bribed.platform.id)
    const after = await scoreOf(id)
    expect(after).toBeLessThan(praised / 2)
    await bribed.client.events.report(id, times(10, WORK))
    await one.client.events.report(id, times(10, WORK))
    expect(await scoreOf(id)).toBeGreaterThan(after + 100)
  })

  test('are no second voice in the explanation until the platform reports again', async () => {
    const [honest, hostile] = [await newPlatform(at), await newPlatform(at)]
    const id = await agentOf([honest])
    const voices = async () =>
      (await at.anyone.score.explain(id)).reasons
        .map(({ code }) => code)
        .filter((code) => code.endsWith('_reporter') || code.endsWith('_reporters'))
    await hostile.client.events.report(id, times(50, WORK))
    expect(await voices()).toEqual(['several_reporters'])
    await discarded(hostile.platform.id)
    expect(await voices()).toEqual(['single_reporter'])
    await hostile.client.events.report(id, [WORK])
    expect(await voices()).toEqual(['several_reporters'])
  })

  test('leave an agent without a reporter where they were all quarantined', async () => {
    const [own, other] = [await newAgent(at), await newAgent(at)]
    const hostile = await newPlatform(at)
    await hostile.client.events.report(own.agent.id, [{ ...FAILED, data: { success: true } }])
    for (const { agent, client } of [own, other]) {
      await client.events.report(agent.id, [WORK])
    }
    await discarded(hostile.platform.id)
    const { reasons, after } = await at.anyone.score.explain(own.agent.id)
    const codes = reasons.map(({ code }) => code)
    expect(codes).toContain('self_reported_only')
    expect(codes).not.toContain('single_reporter')
    // What a platform could report next counts in full, not with the weight of what the service recorded.
    expect(after).toEqual((await at.anyone.score.explain(other.agent.id)).after)
  })

  test('leave no tenure that only they have earned', async () => {
    const [one, bribed] = [await newPlatform(at), await newPlatform(at)]
    const [praised, unknown] = [await agentOf([bribed]), (await newAgent(at)).agent.id]
    await one.client.events.report(praised, [WORK])
    await discarded(bribed.platform.id)
    for (const id of [praised, unknown]) {
      await one.client.events.report(id, times(30, WORK))
    }
    expect((await scoreOf(praised)) - (await scoreOf(unknown))).toBeLessThan(60)
  })

  test('do not count when a review releases them later', async () => {
    const [honest, hostile] = [await newPlatform(at), await newPlatform(at)]
    const id = await agentOf([honest])
    const before = await scoreOf(id)
    const contradictory = { ...FAILED, data: { success: true } }
    const { data } = await hostile.client.events.report(id, times(40, contradictory))
    expect(data.every((event) => event?.isQuarantined)).toBe(true)
    await discarded(hostile.platform.id)
    const released = { decision: 'released', reason: 'It happened.' } as const
    await operator.reviewAll({ ...released, reporterId: hostile.platform.id })
    expect(Math.abs((await scoreOf(id)) - before)).toBeLessThan(5)
    expect(await checkAgent(store, id)).toMatchObject({ difference: null })
  })

  test('are left out of backtests, and later reports are not', async () => {
    const [bribed, other] = [await newPlatform(at), await newPlatform(at)]
    const id = await agentOf([bribed, other])
    const period = { from: new Date(clock.now() - 30 * DAY_MS), to: new Date(clock.now() + DAY_MS) }
    const dealsOf = async ({ client }: Platform) => {
      const { deals, isTruncated } = await client.policies.backtest('any', {
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        policy: { minScore: 0 },
      })
      return { deals, isTruncated }
    }
    expect(await dealsOf(bribed)).toEqual({ deals: 31, isTruncated: false })
    await bribed.client.events.report(id, times(3, WORK))
    await discarded(bribed.platform.id)
    expect(await dealsOf(bribed)).toEqual({ deals: 0, isTruncated: false })
    expect((await dealsOf(other)).deals).toBe(31)
    await bribed.client.events.report(id, times(2, WORK))
    expect((await dealsOf(bribed)).deals).toBe(2)
  })

  test('are those of all platforms of the owner, in whose vote they count', async () => {
    const { owner } = await newOwner(at)
    const [first, second] = [
      await newPlatform(at, { ownerId: owner.id }),
      await newPlatform(at, { ownerId: owner.id }),
    ]
    const id = await agentOf([second])
    await discarded(first.platform.id)
    expect(await eventsOf(id)).toHaveLength(1)
    expect((await store.agentStates.find({ agentId: id }))?.evidence.sources).toEqual([])
    // A platform is named in it, and did not report it.
    const { evidence, eventCount } = await at.anyone.score.get(id)
    expect(evidence.platformReported + evidence.selfReported).toBe(eventCount - 1)
  })

  test('concern only agents on which the platform has a vote', async () => {
    const [one, other] = [await newPlatform(at), await newPlatform(at)]
    const id = await agentOf([one])
    expect(await discarded(other.platform.id)).toMatchObject({ agents: 0 })
    expect(await eventsOf(id)).toEqual([])
  })
})

test('a discard that was interrupted goes on where it was: one event for each agent', async () => {
  const platform = await newPlatform(at)
  const ids: string[] = []
  for (let i = 0; i < 6; i++) {
    const owner = await newOwner(at)
    for (let j = 0; j < 10; j++) {
      ids.push((await newAgent(at, owner)).agent.id)
    }
  }
  await Promise.all(ids.map((id) => platform.client.events.report(id, [WORK])))
  // Each further part fails, as if the node had stopped.
  await pool.query(`create function stop_discards() returns trigger language plpgsql as $$
    begin
      if (select count(*) from events where type = 'reports.discarded' and reporter_id = '${platform.platform.id}') > 50
        then raise exception 'stopped'; end if;
      return new;
    end $$;
    create trigger stop_discards before insert or update on discards for each row execute function stop_discards()`)
  await operator.discardReports(platform.platform.id, REASON)
  const count = async () =>
    (
      await pool.query(
        `select count(*)::int as events, count(distinct agent_id)::int as agents from events
         where type = 'reports.discarded' and reporter_id = $1`,
        [platform.platform.id],
      )
    ).rows[0]
  await eventually(async () => expect((await count()).events).toBeGreaterThan(50))
  const stateNow = async () =>
    (await operator.listPlatforms({ limit: 100 })).data.find(
      ({ id }) => id === platform.platform.id,
    )?.discarded
  const agentsInAll = (await pool.query('select count(*)::int as count from agent_states')).rows[0]
    .count
  expect(await stateNow()).toMatchObject({
    agents: 51,
    progress: { agentsChecked: expect.any(Number), agentsInAll },
    finishedAt: null,
  })
  const { rows } = await pool.query(
    `select count(*)::int as passed from agent_states, discards
     where agent_id <= after_agent_id and platform_id = $1`,
    [platform.platform.id],
  )
  expect((await stateNow())?.progress?.agentsChecked).toBe(rows[0].passed)
  expect(rows[0].passed).toBeLessThan(agentsInAll)
  await expect(operator.discardReports(platform.platform.id, REASON)).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await pool.query('drop trigger stop_discards on discards')
  await eventually(async () => expect(await count()).toEqual({ events: 60, agents: 60 }))
})

test('each discard of a platform is kept, with its reason and its count', async () => {
  const platform = await newPlatform(at)
  const [first, second] = [await newAgent(at), await newAgent(at)]
  await platform.client.events.report(first.agent.id, [WORK])
  expect(await discarded(platform.platform.id)).toMatchObject({ agents: 1, earlier: [] })
  const earlier = [{ ...REASON, agents: 1, finishedAt: expect.any(String) }]
  for (const { agent } of [first, second]) {
    await platform.client.events.report(agent.id, [WORK])
  }
  const again = { reason: 'It leaked again.' }
  expect(await operator.discardReports(platform.platform.id, again)).toMatchObject({
    ...again,
    agents: 0,
    earlier,
  })
  await eventually(async () => {
    const { data } = await operator.listPlatforms({ limit: 100 })
    expect(data.find(({ id }) => id === platform.platform.id)?.discarded).toMatchObject({
      ...again,
      agents: 2,
      finishedAt: expect.any(String),
      earlier,
    })
  })
})

test('the answer to a discard and the list of platforms have the same number of earlier discards', async () => {
  const { platform } = await newPlatform(at)
  const of = async () =>
    (await operator.listPlatforms({ limit: 100 })).data.find(({ id }) => id === platform.id)
      ?.discarded
  await pool.query(
    `insert into discards (platform_id, reason, requested_at, agents, left_agent_ids, finished_at)
     select $1, 'Discard ' || n, n, 0, '{}', n from generate_series(1, 22) n`,
    [platform.id],
  )
  const reasons = (from: number) => Array.from({ length: 20 }, (_, i) => `Discard ${from - i}`)
  expect((await of())?.earlier.map(({ reason }) => reason)).toEqual(reasons(21))
  const { earlier } = await operator.discardReports(platform.id, REASON)
  expect(earlier.map(({ reason }) => reason)).toEqual(reasons(22))
  expect((await of())?.earlier).toEqual(earlier)
})

test('a request to discard counts no agents: there is no progress before the discard begins', async () => {
  const { idle, run, pool: own } = await idleService()
  const { platform } = await workFor(idle, 3)
  const { operator: ofIdle } = idle.operator
  const unknown = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
  const unlock = await holdLocks(own, { text: 'lock table agent_states in access exclusive mode' })
  await expect(ofIdle.discardReports(unknown, REASON)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await ofIdle.discardReports(platform.id, REASON)).toMatchObject({
    progress: null,
    finishedAt: null,
  })
  await expect(ofIdle.discardReports(platform.id, REASON)).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await unlock()
  // Stops at the first agent.
  await carryOutDiscards({ ...run, isStopping: () => true })
  const [listed] = (await ofIdle.listPlatforms()).data
  expect(listed?.discarded?.progress).toEqual({ agentsChecked: 0, agentsInAll: 3 })
})

test('a discard needs a reason, a platform that exists, and the operator', async () => {
  const { platform, client } = await newPlatform(at)
  await expect(operator.discardReports(platform.id, { reason: ' ' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  const unknown = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
  await expect(operator.discardReports(unknown, REASON)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(client.operator.discardReports(platform.id, REASON)).rejects.toThrow()
})

test('an agent whose event cannot be written delays no other, and has its turn afterwards', async () => {
  const { platform, ids } = await workFor(at, 3)
  const accept = await refuseDiscardsOf(ids[0] ?? '')
  await operator.discardReports(platform.id, REASON)
  await eventually(async () => expect(await discardsOf(at, ids)).toEqual([0, 1, 1]))
  await accept()
  await eventually(async () => expect(await discardsOf(at, ids)).toEqual([1, 1, 1]))
})

test('an agent that is deleted before its turn does not keep a discard from its end', async () => {
  const [one, other] = [await newOwner(at), await newOwner(at)]
  const tester = one.client.with({ mode: 'test' })
  const agent = await tester.agents.register({ displayName: 'tried' })
  const trial = await other.client.testData.createPlatform()
  await at.anyone.with({ apiKey: trial.apiKey }).events.report(agent.id, [WORK])
  const accept = await refuseDiscardsOf(agent.id)
  await operator.discardReports(trial.id, REASON)
  const discard = () => store.discards.latestOf(trial.id)
  await eventually(async () =>
    expect(await discard()).toMatchObject({ leftAgentIds: [agent.id], finishedAt: null }),
  )
  await tester.testData.delete()
  await accept()
  await eventually(async () =>
    expect(await discard()).toMatchObject({ agents: 0, finishedAt: expect.any(Number) }),
  )
})

// On a Citus cluster such a report may keep its vote (docs/scale.md).
test.skipIf(isCluster).each([
  ['the platform itself', false],
  ['another platform of its owner', true],
])(
  'a report of %s that is being written when the discard is requested is discarded, too',
  async (_, isOther) => {
    const { idle, run, pool: own } = await idleService()
    const ownerId = (await newOwner(idle)).owner.id
    const { platform, client } = await newPlatform(idle, { ownerId })
    const other = await newPlatform(idle, { ownerId })
    const { agent: before } = await newAgent(idle)
    const { agent } = await newAgent(idle)
    const reporter = isOther ? other.client : client
    await reporter.events.report(before.id, [WORK])
    // The report is decided, and waits to be written.
    const unlock = await holdLocks(own, { text: 'lock table external_ids in share mode' })
    const reported = reporter.events.report(agent.id, [{ ...WORK, externalId: 'order 1' }])
    await waitForLocks(own, 1, reported)
    const requested = idle.operator.operator.discardReports(platform.id, REASON)
    await waitForLocks(own, 2, requested)
    await carryOutDiscards({ ...run, isStopping: () => false })
    await unlock()
    await Promise.all([reported, requested])
    await carryOutDiscards({ ...run, isStopping: () => false })
    expect(await discardsOf(idle, [before.id, agent.id])).toEqual([1, 1])
  },
)

test('a first report of a platform does not wait for a discard that waits for other reports', async () => {
  const { idle, pool: own } = await idleService()
  const ownerId = (await newOwner(idle)).owner.id
  const { platform, client } = await newPlatform(idle, { ownerId })
  const other = await newPlatform(idle, { ownerId })
  const { agent } = await newAgent(idle)
  await other.client.events.report(agent.id, [WORK])
  const unlock = await holdLocks(own, {
    text: 'select from reporters where platform_id = $1 for update',
    values: [other.platform.id],
  })
  const requested = idle.operator.operator.discardReports(platform.id, REASON)
  await waitForLocks(own, 1, requested)
  await client.events.report(agent.id, [WORK])
  await unlock()
  expect(await requested).toMatchObject({ finishedAt: null })
})

test('a discard that a node began and did not finish is finished by another node', async () => {
  const { idle, run } = await idleService()
  const { platform, ids } = await workFor(idle, 5)
  await idle.operator.operator.discardReports(platform.id, REASON)
  const discard = () => run.store.discards.latestOf(platform.id)
  // Asked once before the first part, and before each agent: the third one has to wait.
  let asked = 0
  await carryOutDiscards({ ...run, isStopping: () => ++asked > 3 })
  expect(await discardsOf(idle, ids)).toEqual([1, 1, 0, 0, 0])
  expect(await discard()).toMatchObject({ afterAgentId: ids[1], agents: 2, finishedAt: null })
  await idle.node({}, { backgroundMs: 50 })
  await eventually(async () =>
    expect(await discard()).toMatchObject({ agents: 5, finishedAt: expect.any(Number) }),
  )
  expect(await discardsOf(idle, ids)).toEqual([1, 1, 1, 1, 1])
})

test('a node that dies while it discards leaves no agent out, and none gets two events', async () => {
  const { idle, run, pool: own, secret } = await idleService()
  const { platform, ids } = await workFor(idle, 4)
  await idle.operator.operator.discardReports(platform.id, REASON)
  const unlock = await lockAgent(own, ids[2] ?? '')
  const dying = await runService({
    DATABASE_URL: idle.database.url,
    STANDING_SECRET_KEY: secret,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
  })
  atEnd(() => dying.kill())
  await waitForLocks(own, 1)
  await dying.kill()
  expect((await discardsOf(idle, ids)).slice(0, 3)).toEqual([1, 1, 0])
  await unlock()
  await idle.node({}, { backgroundMs: 50 })
  await eventually(async () =>
    expect(await run.store.discards.latestOf(platform.id)).toMatchObject({
      agents: 4,
      finishedAt: expect.any(Number),
    }),
  )
  expect(await discardsOf(idle, ids)).toEqual([1, 1, 1, 1])
})

test('receipts from before and after a discard verify with the whole log, not without the discarded reports', async () => {
  const [honest, hostile] = [await newPlatform(at), await newPlatform(at)]
  const id = await agentOf([honest])
  await hostile.client.events.report(id, times(5, FAILED))
  const { receipt: before } = await at.anyone.score.getReceipt(id)
  await discarded(hostile.platform.id)
  await hostile.client.events.report(id, [WORK])
  const { receipt: after } = await at.anyone.score.getReceipt(id)
  const lines = (await at.operator.events.export(id)).trimEnd().split('\n')
  const keys = { keys: [...(await at.anyone.score.receiptKeys()).keys] }
  const without = lines.filter((line) => !line.includes(FAILED.type))
  expect(lines.length - without.length).toBe(5)
  expect(await verifyProof({ receipt: before, lines, keys })).toMatchObject({
    problem: null,
    later: 2,
  })
  expect(await verifyProof({ receipt: after, lines, keys })).toMatchObject({
    problem: null,
    later: 0,
  })
  for (const receipt of [before, after]) {
    const { problem } = await verifyProof({ receipt, lines: without, keys })
    expect(problem).not.toBeNull()
  }
})

test('a node that stops does not go on through all agents first, though none needs the event', async () => {
  const { idle, run } = await idleService()
  const { platform } = await newPlatform(idle)
  await newAgent(idle)
  await idle.operator.operator.discardReports(platform.id, REASON)
  const progress = async () => (await run.store.discards.latestOf(platform.id)) ?? {}
  await carryOutDiscards({ ...run, isStopping: () => true })
  expect(await progress()).toMatchObject({ afterAgentId: null, finishedAt: null })
  await eventually(async () => {
    await carryOutDiscards({ ...run, isStopping: () => false })
    expect(await progress()).toMatchObject({ agents: 0, finishedAt: expect.any(Number) })
  })
})

describe('a discarded report of a child', () => {
  /** A parent with a child, a platform that finds the child bad, and what carries out both kinds of tasks. */
  async function family() {
    const service = await idleService()
    const { idle, run } = service
    const { agent: parent, owner } = await newAgent(idle)
    const child = await owner.client.agents.register({ displayName: 'child', parentId: parent.id })
    const hostile = await newPlatform(idle)
    // As the service does, they read the rules before they write.
    const rules: (typeof run.recorder)['rules'] = {
      async current(from) {
        await from.rules.findAll({})
        return await run.recorder.rules.current(from)
      },
    }
    const delegations = createDelegations(run.store, { ...run.recorder, rules })
    return {
      ...service,
      parent,
      child,
      hostile,
      report: ({ client }: Platform) => client.events.report(child.id, times(10, FAILED)),
      discard: async () => {
        await idle.operator.operator.discardReports(hostile.platform.id, REASON)
        await carryOutDiscards({ ...run, isStopping: () => false })
      },
      delegate: async () => {
        while ((await run.store.delegationTasks.waiting([], 1)).length > 0) {
          await delegations.carryOut()
        }
      },
      /** Whose reports have reached the parent. */
      reached: async () => {
        const { data } = await idle.operator.events.list(parent.id, { type: 'child.work_failed' })
        return new Set(data.map(({ reporter }) => reporter.id))
      },
    }
  }

  test('does not reach its parent later, and the next one does', async () => {
    const { idle, hostile, report, discard, delegate, reached } = await family()
    const one = await newPlatform(idle)
    await report(one)
    await report(hostile)
    await discard()
    await delegate()
    expect(await reached()).toEqual(new Set([one.platform.id]))
    await report(hostile)
    await delegate()
    expect(await reached()).toEqual(new Set([one.platform.id, hostile.platform.id]))
  })

  test.each([
    ['waits for the parent', 'agent_states'],
    ['is looked up, but not written yet,', 'fraud_rules'],
  ])('has no vote on its parent if it %s while the discard is requested', async (_, waitsFor) => {
    const { run, pool: own, parent, hostile, report, discard, delegate } = await family()
    const voters = async () =>
      (await run.store.agentStates.find({ agentId: parent.id }))?.evidence.sources.map(
        ({ voter }) => voter,
      )
    await report(hostile)
    await delegate()
    expect(await voters()).toEqual([hostile.platform.id])
    await discard()
    expect(await voters()).toEqual([])
    await report(hostile)
    const unlock =
      waitsFor === 'agent_states'
        ? await lockAgent(own, parent.id)
        : await holdLocks(own, { text: `lock table ${waitsFor} in access exclusive mode` })
    const delegated = delegate()
    await waitForLocks(own, 1, delegated)
    const discarding = discard()
    await waitForLocks(own, 2, discarding)
    await unlock()
    await Promise.all([delegated, discarding])
    expect(await voters()).toEqual([])
  })

  test('does not make other reports of the platform wait until its parents are locked', async () => {
    const { idle, pool: own, hostile, report, delegate } = await family()
    const { agent } = await newAgent(idle)
    await report(hostile)
    // The task waits before it writes.
    const unlock = await holdLocks(own, { text: 'lock table discards in access exclusive mode' })
    const delegated = delegate()
    await waitForLocks(own, 1, delegated)
    await hostile.client.events.report(agent.id, [WORK])
    await unlock()
    await delegated
  })
})
