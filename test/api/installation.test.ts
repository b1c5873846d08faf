import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/time.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { importPast, type PastLine } from '../support/past.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

/** What an operator asks about the installation itself. */

const BEGIN = Date.UTC(2026, 0, 1, 12)
let now = BEGIN
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: () => now })
const { operator } = at.operator

describe('before any event was reported', () => {
  test('there are no backup, no comparison and no agents to attack', async () => {
    expect(await operator.backups()).toMatchObject({ latest: null })
    expect(await operator.calibration()).toMatchObject({ agents: 0, data: [] })
    const { data, platforms, prices } = await operator.resistance()
    expect(platforms).toEqual({ active: 0, verified: 0, established: 0 })
    expect(data.map(({ trusted, untrusted }) => trusted + untrusted)).toEqual([0, 0, 0])
    // Without an established platform, those of the attacker decide.
    expect(prices.map(({ attacker }) => attacker)).toContain('own-new')
  })

  test('every job is due, and those that ran at the start have succeeded', async () => {
    await eventually(async () => {
      const retention = (await operator.jobs()).jobs.find(({ name }) => name === 'retention')
      expect(retention?.lastSucceededAt).not.toBeNull()
      expect(retention).toMatchObject({ everySeconds: 43_200, failures: 0, lastError: null })
    })
    const { jobs, queues } = await operator.jobs()
    expect(jobs.map(({ name }) => name)).toEqual([
      'credentials',
      'retention',
      'delegations',
      'discards',
      'ceilings',
      'key_use',
      'decisions',
      'identifiers',
      'expired',
    ])
    expect(jobs.filter(({ nextAt }) => Date.parse(nextAt) < Date.now())).toEqual([])
    const waiting = queues.map((queue) => [queue.name, queue.waiting])
    expect(waiting).toContainEqual(['reviews', 0])
    expect(waiting).toContainEqual(['releases', 0])
  })
})

describe('with two months of events', () => {
  test('scores are compared with later events, and show how far lying platforms would move them', async () => {
    const platforms = [await newPlatform(at), await newPlatform(at), await newPlatform(at)]
    const { agent: good } = await newAgent(at)
    const { agent: bad } = await newAgent(at)
    const lines: PastLine[] = []
    for (let day = 0; day < 60; day++) {
      now = BEGIN + day * DAY_MS
      for (const { platform } of platforms) {
        const report = { at: now, by: platform.id, type: 'task.completed' }
        const type = day % 2 === 0 ? 'task.failed' : 'task.completed'
        lines.push({ ...report, agent: good.id }, { ...report, agent: bad.id, type })
      }
    }
    await importPast(at, lines)
    // A caller that asks often may get a result from before, for longer on a slow machine.
    const { data: tiers } = await eventually(async () => {
      const found = await operator.calibration()
      expect([found.agents, found.agentsInAll]).toEqual([2, 2])
      return found
    })
    const outcomes = tiers.reduce((sum, one) => sum + one.outcomes, 0)
    expect(outcomes).toBe(2 * 3 * 30)
    expect(tiers[0]).toMatchObject({ agents: 1, outcomes: 90, good: 90 })
    expect(tiers[0]?.expected).toBeGreaterThan(80)
    expect(tiers.at(-1)).toMatchObject({ agents: 1, outcomes: 90, good: 45 })
    const { data, counterpartiesNamed, platforms: counts } = await operator.resistance()
    expect(counts).toEqual({ active: 3, verified: 3, established: 3 })
    expect(counterpartiesNamed).toBe(0)
    expect(data.map(({ trusted, untrusted }) => [trusted, untrusted])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    const before = await at.anyone.score.get(good.id)
    expect(before.classification).toBe('good')
    // All three of the platforms that know it: no platform is left that says otherwise.
    expect(data[2]).toMatchObject({ platforms: 3, ruined: 1 })
    expect(before.eventCount).toBe(180)
  })

  test('the findings of a rule are counted, with their reviews', async () => {
    const { client } = await newPlatform(at)
    const { agent } = await newAgent(at)
    const held = []
    for (let i = 0; i < 3; i++) {
      held.push(
        await client.events.submit(agent.id, {
          type: 'task.completed',
          data: { success: false, duration: i },
        }),
      )
    }
    await operator.review(held[0]?.id ?? '', { decision: 'released', reason: 'It is fine.' })
    await operator.review(held[1]?.id ?? '', { decision: 'upheld', reason: 'It is not.' })
    const rules = await operator.rules()
    expect(rules.find(({ id }) => id === 'contradictory_data')?.found).toEqual({
      days: 30,
      events: 3,
      quarantined: 3,
      released: 1,
      upheld: 1,
    })
    expect(rules.find(({ id }) => id === 'sleeper')?.found.events).toBe(0)
  })
})

describe('what a platform reported', () => {
  test('is listed for all agents, newest first, by agent, type and quarantine, in pages', async () => {
    const { client } = await newPlatform(at)
    const { client: other } = await newPlatform(at)
    const [{ agent: one }, { agent: two }] = [await newAgent(at), await newAgent(at)]
    const sent: string[] = []
    for (const [i, agent] of [one, two, one, two, one].entries()) {
      now += i === 2 ? 20 * DAY_MS : 60_000
      const type = i === 3 ? 'task.failed' : 'task.completed'
      const data = i === 4 ? { success: false } : {}
      sent.push((await client.events.submit(agent.id, { type, data })).id)
      await other.events.submit(agent.id, { type })
    }
    const list = async (query: Parameters<typeof client.events.list>[0]) => {
      const ids: string[] = []
      for await (const { id } of client.events.list(query as object)) {
        ids.push(id)
      }
      return ids
    }
    const newest = [...sent].reverse()
    expect(await list({})).toEqual(newest)
    expect(await list({ limit: 2 })).toEqual(newest)
    expect(await list({ agentId: two.id })).toEqual([sent[3], sent[1]])
    expect(await list({ type: 'task.failed' })).toEqual([sent[3]])
    expect(await list({ quarantined: 'true' })).toEqual([sent[4]])
    expect(await list({ from: new Date(now - DAY_MS).toISOString() })).toEqual(newest.slice(0, 3))
    now += 80 * DAY_MS
    expect(await list({})).toEqual(newest.slice(0, 3))
  })

  test('cannot be listed by an agent, whose own list has every reporter', async () => {
    const { client } = await newAgent(at)
    expect(await refusal(client.events.list({ quarantined: 'true' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})
