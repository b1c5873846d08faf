import { afterEach, describe, expect, it as test } from 'vitest'
import type { Attempt } from '../../src/delivery/attempt.ts'
import { CLAIM_MS, type ClaimRequest, type Job } from '../../src/delivery/delivery-store.ts'
import { unanswered } from '../../src/delivery/post.ts'
import { PROBE_INTERVAL_MS } from '../../src/delivery/schedule.ts'
import { createUpkeep } from '../../src/store/postgres/delivery-upkeep.ts'
import { type Queue, queueInMemory, queueInPostgres } from '../support/deliveries.ts'

// The contract of delivery-store.ts, held by the database as by the memory that other tests use.

const NOW = 1_800_000_000_000
const OK: Attempt = { ...unanswered(''), error: null, outcome: 'delivered', status: 200 }
const FAILED: Attempt = { ...OK, outcome: 'failed', status: 500 }
const GONE: Attempt = { ...OK, outcome: 'gone', status: 410 }
const THROTTLED: Attempt = { ...OK, outcome: 'throttled', status: 429, retryAfterMs: 30_000 }

const ASK: ClaimRequest = { now: NOW, limit: 100, share: 10, shares: new Map() }

const open: Queue[] = []

afterEach(async () => {
  for (const queue of open.splice(0)) {
    await queue.close()
  }
})

/** What a test does with a queue, in short. */
async function handsOn(create: () => Promise<unknown>) {
  // Jobs are a store's own affair: a test only hands back what it was given.
  const queue = (await create()) as Queue
  open.push(queue)
  const ask = async (over: Partial<ClaimRequest> = {}, node: 0 | 1 = 0) => {
    const { jobs, nextAt } = await queue.nodes[node].claim({ ...ASK, ...over })
    return { jobs, nextAt, names: jobs.map(queue.nameOf) }
  }
  const end = (jobs: readonly Job[], attempt: Attempt, endedAt = NOW, node: 0 | 1 = 0) =>
    queue.nodes[node].record(
      jobs.map((job) => ({ job, attempt, endedAt })),
      [],
    )
  const putAll = async (subscription: string, lane: string, names: string) => {
    for (const name of names.split(' ')) {
      await queue.put(subscription, lane, name)
    }
  }
  return { ...queue, ask, end, putAll }
}

describe.each([
  ['in memory', () => handsOn(queueInMemory)],
  ['in PostgreSQL', () => handsOn(queueInPostgres)],
] as const)('a store of deliveries %s', (_, create) => {
  test('gives the jobs of a lane in their order, those of several lanes beside each other', async () => {
    const { ask, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2 x3')
    await putAll('hook', 'y', 'y1 y2')
    const { names, nextAt } = await ask()
    expect(names.filter((name) => name.startsWith('x'))).toEqual(['x1', 'x2', 'x3'])
    expect(names.filter((name) => name.startsWith('y'))).toEqual(['y1', 'y2'])
    expect(nextAt === null || nextAt > NOW).toBe(true)
  })

  test('keeps a claimed lane from every other claim, and what is put behind it', async () => {
    const { ask, end, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2')
    const { jobs } = await ask()
    await putAll('hook', 'x', 'x3')
    expect((await ask({}, 1)).names).toEqual([])
    await end(jobs.slice(0, 1), OK)
    expect((await ask({}, 1)).names).toEqual([])
    expect((await end(jobs.slice(1), OK)).more).toBe(true)
    expect((await ask({}, 1)).names).toEqual(['x3'])
  })

  test('gives every subscription its turn where the limit cuts', async () => {
    const { ask, putAll } = await create()
    for (const lane of ['a', 'b', 'c', 'd']) {
      await putAll('long', lane, `long-${lane}`)
    }
    await putAll('short', 'e', 'short')
    await putAll('other', 'f', 'other')
    const { names } = await ask({ limit: 3 })
    expect(names.toSorted()).toEqual([expect.stringMatching('long'), 'other', 'short'])
  })

  test('gives no subscription more than its share', async () => {
    const { ask, idOf, putAll } = await create()
    await putAll('a', 'x', 'a1 a2 a3 a4')
    await putAll('b', 'x', 'b1 b2 b3')
    await putAll('b', 'y', 'b4 b5')
    await putAll('c', 'x', 'c1')
    const shares = new Map([
      [await idOf('b'), 3],
      [await idOf('c'), 0],
    ])
    const { names } = await ask({ share: 2, shares })
    expect(names.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2'])
    expect(names.filter((name) => name.startsWith('b'))).toHaveLength(3)
    expect(names).not.toContain('c1')
  })

  test('holds a lane back behind what failed, and says when it falls due', async () => {
    const { ask, end, putAll } = await create()
    await putAll('hook', 'x', 'x1')
    const { jobs } = await ask()
    await putAll('hook', 'x', 'x2')
    await putAll('hook', 'y', 'y1')
    await end(jobs, FAILED)
    const later = await ask()
    expect(later.names).toEqual(['y1'])
    await end(later.jobs, OK)
    const { names, nextAt } = await ask()
    expect(names).toEqual([])
    expect(nextAt).toBeGreaterThanOrEqual(NOW + 4500)
    expect(nextAt).toBeLessThanOrEqual(NOW + 5500)
    expect((await ask({ now: nextAt ?? 0 })).names).toEqual(['x1', 'x2'])
  })

  test('gives again, in order, what was given back', async () => {
    const { ask, nodes, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2 x3')
    const { jobs } = await ask()
    const done = jobs.slice(0, 1).map((job) => ({ job, attempt: OK, endedAt: NOW }))
    expect(await nodes[0].record(done, jobs.slice(1))).toEqual({ closed: [], more: true })
    expect((await ask({}, 1)).names).toEqual(['x2', 'x3'])
  })

  test('pauses after five failures, then gives one probe an hour to whichever node asks', async () => {
    const { ask, end, healthOf, idOf, putAll } = await create()
    for (const lane of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await putAll('hook', lane, lane)
    }
    const { jobs } = await ask({ limit: 5 })
    const { closed } = await end(jobs, FAILED)
    expect(closed).toEqual([await idOf('hook')])
    expect(await healthOf('hook')).toMatchObject({ status: 'paused', reason: 'failing' })
    const { names, nextAt } = await ask()
    expect(names).toEqual([])
    expect(nextAt).toBeGreaterThan(NOW)
    const hour = NOW + PROBE_INTERVAL_MS
    const both = await Promise.all([ask({ now: hour }, 0), ask({ now: hour }, 1)])
    const probes = both.flatMap((one) => one.jobs)
    expect(probes).toHaveLength(1)
    expect((await ask({ now: hour })).names).toEqual([])
    await end(probes, OK, hour)
    expect((await healthOf('hook')).status).toBe('active')
    expect((await ask({ now: hour })).names).toHaveLength(6)
  })

  test('disables after ten failures in a row, and then gives nothing', async () => {
    const { ask, end, healthOf, putAll } = await create()
    for (const lane of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await putAll('hook', lane, lane)
    }
    await end((await ask({ limit: 5 })).jobs, FAILED)
    let now = NOW
    for (let probe = 0; probe < 5; probe++) {
      now += PROBE_INTERVAL_MS
      const { jobs } = await ask({ now })
      expect(jobs).toHaveLength(1)
      await end(jobs, FAILED, now)
    }
    expect(await healthOf('hook')).toMatchObject({ status: 'disabled', consecutiveFailures: 10 })
    expect((await ask({ now: now + 100 * PROBE_INTERVAL_MS })).names).toEqual([])
  })

  test('disables at once when the receiver says it is gone', async () => {
    const { ask, end, healthOf, idOf, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2')
    const { jobs } = await ask()
    expect((await end(jobs.slice(0, 1), GONE)).closed).toEqual([await idOf('hook')])
    expect(await healthOf('hook')).toMatchObject({ status: 'disabled', reason: 'gone' })
  })

  test('gives nothing before the time a receiver asked for', async () => {
    const { ask, end, idOf, putAll } = await create()
    await putAll('hook', 'x', 'x1')
    await putAll('hook', 'y', 'y1')
    const { jobs } = await ask({ share: 1 })
    expect((await end(jobs, THROTTLED)).closed).toEqual([await idOf('hook')])
    expect((await ask()).names).toEqual([])
    expect((await ask({ now: NOW + 30_000 })).names).toHaveLength(1)
  })
})

describe('a store of deliveries in PostgreSQL', () => {
  test('gives a job again when its claim has ended, and then hears nothing of the first', async () => {
    const { ask, end, putAll } = await handsOn(queueInPostgres)
    await putAll('hook', 'x', 'x1')
    const first = await ask()
    const late = NOW + CLAIM_MS
    const second = await ask({ now: late }, 1)
    expect(second.names).toEqual(['x1'])
    await end(first.jobs, FAILED, late)
    expect((await ask({ now: late })).names).toEqual([])
    await end(second.jobs, OK, late, 1)
    expect((await ask({ now: late + CLAIM_MS })).names).toEqual([])
  })

  test('says when a receiver that asked for time, or is probed, may be sent to next', async () => {
    const { ask, end, putAll } = await handsOn(queueInPostgres)
    await putAll('hook', 'x', 'x1')
    await end((await ask()).jobs, THROTTLED)
    expect((await ask()).nextAt).toBe(NOW + 30_000)
    for (const lane of ['a', 'b', 'c', 'd', 'e']) {
      await putAll('other', lane, lane)
    }
    await end((await ask({ limit: 5 })).jobs, FAILED)
    const spread = NOW + 33_000
    expect((await ask({ now: spread })).names).toEqual(['x1'])
    expect((await ask({ now: spread })).nextAt).toBeLessThanOrEqual(NOW + PROBE_INTERVAL_MS)
  })

  test('takes each job once, in the order of its lane, however many nodes claim at once', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    for (let i = 0; i < 120; i++) {
      await queue.put(`hook ${i % 3}`, `lane ${i % 4}`, `${i}`)
    }
    const sent: string[] = []
    const work = async (node: 0 | 1) => {
      const store = queue.nodes[node]
      for (let i = 0; i < 30; i++) {
        const { jobs } = await store.claim({ ...ASK, limit: 7, share: 3 })
        for (const job of jobs) {
          sent.push(queue.nameOf(job))
        }
        const half = Math.ceil(jobs.length / 2)
        const done = (some: typeof jobs) => some.map((job) => ({ job, attempt: OK, endedAt: NOW }))
        await store.record(done(jobs.slice(0, half)), [])
        await store.record(done(jobs.slice(half)), [])
      }
    }
    await Promise.all([work(0), work(1), work(0), work(1)])
    expect(sent.map(Number).toSorted((a, b) => a - b)).toEqual([...Array(120).keys()])
    for (let lane = 0; lane < 12; lane++) {
      const inLane = sent.map(Number).filter((i) => i % 12 === lane)
      expect(inLane).toEqual(inLane.toSorted((a, b) => a - b))
    }
    expect((await queue.pool.query('select from lanes')).rowCount).toBe(0)
  })

  test('gives what a dead node held to the others, without waiting for its claim to end', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    await queue.put('hook', 'x', 'x1')
    const upkeep = queue.nodeIds.map((id) => createUpkeep(queue.pool, id))
    for (const one of upkeep) {
      expect(await one.beat()).toBe(false)
    }
    const { jobs } = await queue.nodes[0].claim(ASK)
    expect(jobs).toHaveLength(1)
    await queue.pool.query('update delivery_nodes set alive_until = 0 where id = $1', [
      queue.nodeIds[0],
    ])
    expect(await upkeep[1]?.beat()).toBe(true)
    const second = await queue.nodes[1].claim(ASK)
    expect(second.jobs.map(queue.nameOf)).toEqual(['x1'])
    // The first was only stalled: what it says now counts for nothing.
    const late = { job: jobs[0] as never, attempt: FAILED, endedAt: NOW }
    expect(await queue.nodes[0].record([late], [])).toMatchObject({ more: false })
    expect((await queue.healthOf('hook')).status).toBe('active')
  })

  test('keeps what was told for thirty days, and clears it away a part at a time', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    const upkeep = createUpkeep(queue.pool, queue.nodeIds[0])
    for (let i = 0; i < 3; i++) {
      await queue.put('hook', 'x', `${i}`)
    }
    await queue.pool.query('update notifications set created_at = $1 where seq > 2', [NOW])
    expect(await upkeep.prune(NOW)).toBe(false)
    const left = async (table: string) => (await queue.pool.query(`select from ${table}`)).rowCount
    expect([await left('notifications'), await left('deliveries')]).toEqual([1, 1])
    await queue.store.webhooks.delete(await queue.idOf('hook'), 0)
    await upkeep.prune(NOW)
    expect([await left('deliveries'), await left('lanes'), await left('webhooks')]).toEqual([
      0, 0, 0,
    ])
  })
})
