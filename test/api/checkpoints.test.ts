import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { recordHistory } from '../../lab/bench/asof/history.ts'
import type { LoggedEvent, RecordedEvent } from '../../src/domain/agent.ts'
import { encodeEvidence } from '../../src/domain/evidence-codec.ts'
import type { Evidence } from '../../src/domain/evidence-state.ts'
import { forecastFrom } from '../../src/domain/forecast.ts'
import { MODEL, MODEL_VERSION } from '../../src/domain/model.ts'
import { chanceOf } from '../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../src/domain/time.ts'
import {
  attributeCheckpoints,
  attributeScore,
  attributeSince,
} from '../../src/scoring/attribution.ts'
import { startAttributor } from '../../src/scoring/attributor.ts'
import { createBackgroundFolds } from '../../src/scoring/background-folds.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { evidenceIf, type Hypothesis } from '../../src/scoring/evidence-if.ts'
import { scoreAsOf } from '../../src/scoring/score-as-of.ts'
import { scoreSeries } from '../../src/scoring/score-series.ts'
import { createQuarantinedScores } from '../../src/scoring/score-with-quarantined.ts'
import { createScoresWithout } from '../../src/scoring/score-without.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { AgentState, Store } from '../../src/store/store.ts'
import { drawn } from '../support/cases.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks } from '../support/hold-locks.ts'
import { newAgent, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

/** What concerns the past of an agent is folded from checkpoints, not from the first event. */

const BEGIN = Date.UTC(2026, 0, 1, 12)
let now = BEGIN
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: () => now })
const { operator } = at.operator
const pool = createPool({ url: at.database.url }, { max: 4 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
afterAll(() => pool.end())
const folds = createBackgroundFolds((error) => {
  throw error
})
afterAll(() => folds.close())
const quarantinedScores = createQuarantinedScores(store, folds)
const scoresWithout = createScoresWithout(store, folds)
const ACCOUNT = { account: 'an owner' }

const platforms = [await newPlatform(at), await newPlatform(at), await newPlatform(at)] as const

const TYPES = [
  'task.completed',
  'task.completed',
  'task.completed',
  'task.failed',
  'payment.completed',
  'error.reported',
] as const

/** An agent with so many events over some months, some of them quarantined; the ids of those. */
async function agentWith(events: number, seed: number) {
  const { agent } = await newAgent(at)
  const chance = chanceOf(seed)
  const held: string[] = []
  for (let sent = 0; sent < events; sent += 100) {
    now += Math.floor(chance() * 5 * DAY_MS)
    const { client } = platforms[Math.floor(chance() * platforms.length)] ?? platforms[0]
    const { data } = await client.events.report(
      agent.id,
      Array.from({ length: 100 }, () => {
        const type = TYPES[Math.floor(chance() * TYPES.length)] ?? 'task.completed'
        const isWrong = type === 'task.completed' && chance() < 0.01
        return isWrong ? { type, data: { success: false } } : { type }
      }),
    )
    held.push(...data.flatMap((event) => (event?.isQuarantined ? [event.id] : [])))
  }
  return { id: agent.id, held, chance }
}

async function stateOf(id: string): Promise<AgentState> {
  const agentState = await store.agentStates.find({ agentId: id })
  if (!agentState) {
    throw new Error('an agent was expected')
  }
  return agentState
}

/** All that is asked about an agent's past, at some times of it. */
async function answersOn(id: string, times: readonly number[], from: Store = store) {
  const agentState = await stateOf(id)
  const log = { store: from, agentState }
  const past = []
  for (const time of times) {
    const { evidence, ...rest } = await scoreAsOf(from, agentState, time)
    past.push({ ...rest, evidence: encodeEvidence(evidence) })
  }
  const snapshots = (await store.snapshots.list({ agentId: id }, null, 2_000)).rows
  const some = snapshots.filter((_, i) => i % Math.ceil(snapshots.length / 2) === 0)
  const since = []
  for (const snapshot of some) {
    since.push(await attributeSince(log, now, snapshot))
  }
  const all = await (from === store
    ? computed(() => quarantinedScores.stateWith(agentState, ACCOUNT))
    : wholeWithQuarantined(from, agentState))
  const series = await scoreSeries(from, agentState, [...times, now].sort(byTime))
  return {
    past,
    series,
    since,
    account: await attributeScore(log, now),
    withQuarantined: {
      quarantined: all.quarantined,
      evidence: encodeEvidence(all.agentState.evidence),
    },
  }
}

const COMPUTING = { code: 'SERVICE_UNAVAILABLE', details: { reason: 'computing' } }

/** Asks again for as long as an answer says that it is being computed. */
function computed<T>(ask: () => Promise<T>): Promise<T> {
  return eventually(ask)
}

/** Folded in one go. */
async function evidenceFolded(from: Store, agentState: AgentState, hypothesis: Hypothesis) {
  const { evidence } = await evidenceIf(from, agentState, hypothesis)
  if (!evidence) {
    throw new Error('nothing bounds it')
  }
  return evidence
}

async function wholeWithQuarantined(from: Store, agentState: AgentState) {
  const changed = await from.reviews.awaitingReview(agentState.agentId)
  const counts = ({ isQuarantined, review }: LoggedEvent) =>
    !isQuarantined || review?.status === 'pending' || review?.status === 'appealed'
  const evidence = await evidenceFolded(from, agentState, { changed, counts })
  return { agentState: { ...agentState, evidence }, quarantined: changed.length }
}

function wholeWithout(from: Store, agentState: AgentState, event: RecordedEvent) {
  return evidenceFolded(from, agentState, {
    changed: [event.seq],
    counts: ({ id, isQuarantined }) => id !== event.id && !isQuarantined,
  })
}

const byTime = (a: number, b: number) => a - b

/** A store that replays from the first event on: no checkpoint is read, and none is written. */
const replaying: Store = {
  ...store,
  checkpoints: {
    ...store.checkpoints,
    last: async () => null,
    strongest: async () => null,
    numbers: async () => [],
    add: async () => false,
  },
}

function timesIn(chance: () => number, count = drawn(3)): readonly number[] {
  return Array.from({ length: count }, () =>
    Math.floor(BEGIN + DAY_MS + chance() * (now - BEGIN - DAY_MS)),
  )
}

/** The store, and how many events were read from logs by it. */
function counting(): { readonly store: Store; read(): number } {
  let read = 0
  async function* log(agentId: string, after?: number) {
    for await (const part of store.events.log(agentId, after)) {
      read += part.length
      yield part
    }
  }
  return { store: { ...store, events: { ...store.events, log } }, read: () => read }
}

/** Removes what the service has attributed of an agent, and keeps it from more during the test. */
async function removeAttributions(id: string): Promise<void> {
  await holdLocks(pool, {
    text: `select pg_advisory_xact_lock(hashtextextended('attributions ' || $1, 0))`,
    values: [id],
  })
  await pool.query(
    `update checkpoints set attribution = null, moves = null, up_max = null, down_max = null
     where agent_id = $1`,
    [id],
  )
}

async function attributeAll(id: string): Promise<void> {
  await attributeCheckpoints({ store, agentState: await stateOf(id) }, 1_000)
}

/** Nothing is further from a checkpoint than this: a batch behind a gap, read in whole parts. */
const EVENTS_MAX = 1_024 + 512

describe('a score computed from checkpoints', { timeout: 300_000 }, () => {
  test('equals the score from the whole log, before and after reviews', async () => {
    const events = drawn(2_600, 1_400)
    const { id, held, chance } = await agentWith(events, 1)
    const compare = async () => {
      const times = timesIn(chance)
      const expected = await answersOn(id, times, replaying)
      expect(await answersOn(id, times)).toEqual(expected)
    }
    await compare()
    await attributeAll(id)
    const reviewed = held.filter(() => chance() < 0.3)
    expect(reviewed.length).toBeGreaterThan(1)
    for (const [i, eventId] of reviewed.entries()) {
      now += DAY_MS
      const decision = i % 2 === 0 ? 'released' : 'upheld'
      await operator.review(eventId, { decision, reason: 'Looked into.' })
    }
    await compare()
    await attributeAll(id)
    await compare()
    expect(await checkAgent(store, id)).toMatchObject({ events, difference: null })
  })

  test('equals it where requests were served while its checkpoints were attributed', async () => {
    const { id, chance } = await agentWith(700, 7)
    const times = timesIn(chance)
    const expected = await answersOn(id, times, replaying)
    let turns = 0
    const paced = () => {
      turns += 1
      return turns % 100 === 0 ? at.operator.score.get(id).then(() => {}) : undefined
    }
    await removeAttributions(id)
    await attributeCheckpoints({ store, agentState: await stateOf(id), paced }, 1_000)
    expect(turns).toBeGreaterThan(500)
    expect(await answersOn(id, times)).toEqual(expected)
  })

  test('is the same without checkpoints, which the first reader stores again', async () => {
    const { id, chance } = await agentWith(2_600, 2)
    const times = timesIn(chance)
    const expected = await answersOn(id, times)
    await pool.query('delete from checkpoints where agent_id = $1', [id])
    expect(await answersOn(id, times)).toEqual(expected)
    const counted = counting()
    const agentState = await stateOf(id)
    await scoreAsOf(counted.store, agentState, now)
    await attributeScore({ store: counted.store, agentState }, now)
    expect(counted.read()).toBeLessThan(3 * EVENTS_MAX)
    expect(await answersOn(id, times)).toEqual(expected)
  })

  test('reads no more events of a long log than of a short one', async () => {
    const { id, chance } = await agentWith(5_000, 3)
    await attributeAll(id)
    const agentState = await stateOf(id)
    const readBy = async (work: (store: Store) => Promise<unknown>) => {
      const counted = counting()
      await work(counted.store)
      return counted.read()
    }
    for (const time of timesIn(chance)) {
      expect(await readBy((from) => scoreAsOf(from, agentState, time))).toBeLessThan(EVENTS_MAX)
    }
    const account = await readBy((from) => attributeScore({ store: from, agentState }, now))
    expect(account).toBeLessThan(2 * EVENTS_MAX)
    const { rows } = await store.snapshots.list({ agentId: id }, null, 2_000)
    const oldest = rows.at(-1)
    if (!oldest) {
      throw new Error('a snapshot was expected')
    }
    const since = await readBy((from) => attributeSince({ store: from, agentState }, now, oldest))
    expect(since).toBeLessThan(3 * EVENTS_MAX)
    const latest = (await store.events.list({ agentId: id }, null, 1)).rows[0]
    if (!latest) {
      throw new Error('an event was expected')
    }
    const without = (from: Store) => wholeWithout(from, agentState, latest)
    expect(await readBy(without)).toBeLessThan(EVENTS_MAX)
  })

  test('without an old event is computed only until that event has no more effect', async () => {
    const { agent } = await newAgent(at)
    const agentId = agent.id
    const platformIds = [platforms[0].platform.id]
    await recordHistory(store, { agentId, platformIds, events: 12_288, everyMs: DAY_MS })
    const agentState = await stateOf(agentId)
    const [early] = (await store.events.list({ agentId }, 304, 1)).rows
    if (!early) {
      throw new Error('an event was expected')
    }
    const scored = ({ outcomeCounts: _, ...evidence }: Evidence) => evidence
    const counted = counting()
    const without = await wholeWithout(counted.store, agentState, early)
    expect(counted.read()).toBeLessThan(11_000)
    const expected = await wholeWithout(replaying, agentState, early)
    expect(scored(without)).toEqual(scored(expected))
    expect(scored(without)).not.toEqual(scored(agentState.evidence))

    // What takes long is said to be computed, and is by the time that it is asked for again.
    const answer = () => scoresWithout.evidenceWithout(agentState, early, ACCOUNT)
    await expect(answer()).rejects.toMatchObject(COMPUTING)
    expect(scored(await computed(answer))).toEqual(scored(expected))

    const all = await computed(() => quarantinedScores.stateWith(agentState, ACCOUNT))
    expect(all.quarantined).toBe(2)
    const whole = await wholeWithQuarantined(replaying, agentState)
    expect(scored(all.agentState.evidence)).toEqual(scored(whole.agentState.evidence))
    expect(forecastFrom(MODEL, all.agentState.evidence)).toEqual(
      forecastFrom(MODEL, whole.agentState.evidence),
    )

    const [{ client }] = platforms
    await client.events.submit(agentId, { type: 'task.completed' })
    const later = await stateOf(agentId)
    const other = counting()
    const onOtherNode = createQuarantinedScores(other.store, folds)
    const again = await onOtherNode.stateWith(later, ACCOUNT)
    // What was folded once is not folded for the next answer, whichever node gives it.
    expect(other.read()).toBeLessThan(EVENTS_MAX)
    const laterWhole = await wholeWithQuarantined(replaying, later)
    expect(scored(again.agentState.evidence)).toEqual(scored(laterWhole.agentState.evidence))
  })

  test('is computed ahead for an agent with quarantined events, so that requests do not wait', async () => {
    const { agent } = await newAgent(at)
    const { platform } = platforms[0]
    await recordHistory(store, { agentId: agent.id, platformIds: [platform.id], events: 9_216 })
    // The agent's own turn: a node has many agents, and leaves this work while it is busy.
    const agentIds = async function* () {
      yield [agent.id]
    }
    const attributor = startAttributor({
      schedule: { everyMs: 100 },
      store: { ...store, agentStates: { ...store.agentStates, agentIds } },
      onQuarantined: quarantinedScores.keepUp,
      onFailed: () => {},
      onError: () => {},
    })
    onTestFinished(() => attributor.close())
    await vi.waitFor(
      async () => {
        const stored = await store.quarantinedEvidence.find({ agentId: agent.id })
        expect(stored?.seq).toBeGreaterThan(9_000)
      },
      { timeout: 100_000, interval: 50 },
    )
    const { quarantinedEvents } = await at.operator.score.getQuarantined(agent.id)
    expect(quarantinedEvents).toBe(2)
  })

  test('is refused while too many are being computed for one account', async () => {
    const busy = createBackgroundFolds(() => {})
    let isOver = false
    const step = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isOver)))
    const started = Array.from({ length: 20 }, (_, i) => busy.start(`fold ${i}`, 'one', step))
    expect(started.filter((isStarted) => isStarted)).toHaveLength(8)
    // One that is in progress is not begun again, and another account has its turn.
    expect(busy.start('fold 0', 'one', step)).toBe(true)
    await new Promise<void>((resolve) => {
      busy.start('other', 'another', async () => {
        resolve()
        return true
      })
    })
    isOver = true
    await busy.close()
    expect(busy.start('late', 'another', step)).toBe(false)
  })

  test('equals the score from the whole log for an imported history', async () => {
    const { agent } = await newAgent(at)
    const [{ platform }] = platforms
    const chance = chanceOf(4)
    let time = BEGIN - 400 * DAY_MS
    const lines = Array.from({ length: 2_600 }, (_, i) => {
      time += Math.floor(chance() * 3_600_000)
      const type = TYPES[Math.floor(chance() * TYPES.length)]
      const line = { at: new Date(time).toISOString(), agent: agent.id, by: platform.id, type }
      return JSON.stringify({ ...line, externalId: `order-${i}` })
    })
    const response = await fetch(`${at.url}/v1/operator/imports?name=past`, {
      method: 'POST',
      headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    })
    expect(await response.json()).toMatchObject({ imported: 2_600, refused: 0 })
    const times = Array.from({ length: drawn(6) }, () => time - Math.floor(chance() * 50 * DAY_MS))
    const expected = await answersOn(agent.id, times, replaying)
    expect(await answersOn(agent.id, times)).toEqual(expected)
    const counted = counting()
    await scoreAsOf(counted.store, await stateOf(agent.id), time)
    expect(counted.read()).toBeLessThan(EVENTS_MAX)
  })
})

describe('a release', { timeout: 300_000 }, () => {
  test('does not block reports about the agent while it recomputes the scores', async () => {
    const { id, held } = await agentWith(2_500, 5)
    const [first = ''] = held
    const letGo = await holdLastSnapshot(id)
    const released = operator.review(first, { decision: 'released', reason: 'It is fine.' })
    const [{ client }] = platforms
    for (let i = 0; i < 3; i++) {
      const event = await client.events.submit(id, { type: 'task.completed' })
      expect(event.isQuarantined).toBe(false)
    }
    await letGo()
    expect((await released).review?.status).toBe('released')
    expect(await checkAgent(store, id)).toMatchObject({ events: 2_503, difference: null })
    const times = timesIn(chanceOf(6))
    expect(await answersOn(id, times)).toEqual(await answersOn(id, times, replaying))
  })

  test('that takes long is answered at once, and counts when it is completed', async () => {
    const { agent } = await newAgent(at)
    const [{ client, platform }] = platforms
    const { quarantined } = await recordHistory(store, {
      agentId: agent.id,
      platformIds: [platform.id],
      events: 9_216,
    })
    now = Math.max(now, Date.now())
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const letGo = await holdReleases(agent.id)
    const decision = { decision: 'released', reason: 'It is fine.' } as const
    for (const id of [quarantined.middle, quarantined.late]) {
      const response = await fetch(`${at.url}/v1/operator/events/${id}/review`, {
        method: 'POST',
        headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(decision),
      })
      expect(response.status).toBe(202)
      expect(await response.json()).toMatchObject({
        isQuarantined: true,
        review: { status: 'released' },
      })
      await expect(operator.review(id, decision)).rejects.toMatchObject({ status: 409 })
    }
    expect(await backlog()).toBe(2)
    const before = await at.anyone.score.get(agent.id)
    expect(before.evidence.quarantined).toBe(2)
    await client.events.submit(agent.id, { type: 'task.completed' })
    await letGo()
    await vi.waitFor(async () => expect((await stateOf(agent.id)).quarantinedCount).toBe(0), {
      timeout: 100_000,
      interval: 100,
    })
    expect(await backlog()).toBe(0)
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(before.eventCount + 3)
    expect(await checkAgent(store, agent.id)).toMatchObject({ events: 9_217, difference: null })
    const [time = now] = timesIn(chanceOf(7), 1)
    const state = await stateOf(agent.id)
    expect(await scoreAsOf(store, state, time)).toEqual(await scoreAsOf(replaying, state, time))

    const lines = (await at.operator.events.export(agent.id)).trimEnd().split('\n')
    const { receipt: after } = await at.anyone.score.getReceipt(agent.id)
    for (const one of [receipt, after]) {
      expect(await verifyProof({ receipt: one, lines, keys: null })).toMatchObject({
        problem: null,
      })
    }
  })
})

/** Keeps a release in progress from going on: it replaces the snapshots behind its event. */
function holdLastSnapshot(agentId: string) {
  return holdLocks(pool, {
    text: 'select from snapshots where agent_id = $1 order by number desc limit 1 for update',
    values: [agentId],
  })
}

/** Keeps releases of an agent from being carried out in the background. */
function holdReleases(agentId: string) {
  return holdLocks(pool, {
    text: `select pg_advisory_xact_lock(hashtextextended('releases ' || $1, 0))`,
    values: [agentId],
  })
}

/** Released events that do not count yet. */
async function backlog(): Promise<number> {
  const { releases } = await store.stats.backlogs(now, MODEL_VERSION)
  return releases.count
}
