import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Attempt } from '../../src/delivery/attempt.ts'
import { decideAttempts } from '../../src/delivery/decide-attempts.ts'
import { PROBE_INTERVAL_MS } from '../../src/delivery/health.ts'
import { noResponse } from '../../src/delivery/post.ts'
import { CLAIM_MS } from '../../src/delivery/recorder.ts'
import type { Job } from '../../src/store/delivery-job.ts'
import type { ClaimRequest } from '../../src/store/delivery-queue.ts'
import { createDeliveryQueue } from '../../src/store/postgres/delivery-queue.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { queueInMemory, queueInPostgres, type TestQueue } from '../support/deliveries.ts'

// The contract of store/delivery-queue.ts, for PostgreSQL and for the memory that other tests use.

const NOW = 1_800_000_000_000
const OK: Attempt = { ...noResponse(''), error: null, outcome: 'delivered', status: 200 }
const FAILED: Attempt = { ...OK, outcome: 'failed', status: 500 }
const GONE: Attempt = { ...OK, outcome: 'gone', status: 410 }
const THROTTLED: Attempt = { ...OK, outcome: 'throttled', status: 429, retryAfterMs: 30_000 }

const REQUEST = { limit: 100, quota: 10, quotas: new Map<string, number>() }

/** A claim at a time, with the ends that the dispatcher gives it. */
function claimAt(now: number, over: Partial<ClaimRequest> = {}): ClaimRequest {
  const until = { claimedUntil: now + CLAIM_MS, probedUntil: now + PROBE_INTERVAL_MS }
  return { ...REQUEST, now, ...until, ...over }
}

const open: TestQueue[] = []

afterEach(async () => {
  for (const queue of open.splice(0)) {
    await queue.close()
  }
})

/** A queue, and what tests do with it. */
async function helpersOf(create: () => Promise<unknown>) {
  // Each queue has jobs of its own type: a test only hands back what it was given.
  const queue = (await create()) as TestQueue
  open.push(queue)
  const claim = async (over: Partial<ClaimRequest> = {}, node: 0 | 1 = 0) => {
    const { jobs, nextAt } = await queue.nodes[node].claim(claimAt(over.now ?? NOW, over))
    return { jobs, nextAt, names: jobs.map(queue.nameOf) }
  }
  const end = async (
    attempted: readonly Job[],
    attempt: Attempt,
    endedAt = NOW,
    { node = 0, returned = [] }: { node?: 0 | 1; returned?: readonly Job[] } = {},
  ) => {
    const ended = attempted.map((job) => ({ job, attempt, endedAt }))
    const { decision, more } = await queue.nodes[node].record({ attempted, returned }, (health) =>
      decideAttempts(ended, health, () => 0.5),
    )
    return { closed: decision.closed, more }
  }
  const putAll = async (subscription: string, key: string, names: string) => {
    for (const name of names.split(' ')) {
      await queue.put(subscription, key, name)
    }
  }
  return { ...queue, claim, end, putAll }
}

describe.each([
  ['in memory', () => helpersOf(queueInMemory)],
  ['in PostgreSQL', () => helpersOf(queueInPostgres)],
] as const)('a delivery queue %s', (_, create) => {
  test('returns jobs with one ordering key in their order, and several keys in one claim', async () => {
    const { claim, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2 x3')
    await putAll('hook', 'y', 'y1 y2')
    const { names, nextAt } = await claim()
    expect(names.filter((name) => name.startsWith('x'))).toEqual(['x1', 'x2', 'x3'])
    expect(names.filter((name) => name.startsWith('y'))).toEqual(['y1', 'y2'])
    expect(nextAt === null || nextAt > NOW).toBe(true)
  })

  test('gives a claimed ordering key, with the jobs behind it, to no other claim', async () => {
    const { claim, end, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2')
    const { jobs } = await claim()
    await putAll('hook', 'x', 'x3')
    expect((await claim({}, 1)).names).toEqual([])
    await end(jobs.slice(0, 1), OK)
    expect((await claim({}, 1)).names).toEqual([])
    expect((await end(jobs.slice(1), OK)).more).toBe(true)
    expect((await claim({}, 1)).names).toEqual(['x3'])
  })

  test('takes turns between subscriptions when the limit is reached', async () => {
    const { claim, putAll } = await create()
    for (const key of ['a', 'b', 'c', 'd']) {
      await putAll('long', key, `long-${key}`)
    }
    await putAll('short', 'e', 'short')
    await putAll('other', 'f', 'other')
    const { names } = await claim({ limit: 3 })
    expect(names.toSorted()).toEqual([expect.stringMatching('long'), 'other', 'short'])
  })

  test('gives no subscription more than its quota', async () => {
    const { claim, idOf, putAll } = await create()
    await putAll('a', 'x', 'a1 a2 a3 a4')
    await putAll('b', 'x', 'b1 b2 b3')
    await putAll('b', 'y', 'b4 b5')
    await putAll('c', 'x', 'c1')
    const quotas = new Map([
      [await idOf('b'), 3],
      [await idOf('c'), 0],
    ])
    const { names } = await claim({ quota: 2, quotas })
    expect(names.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2'])
    expect(names.filter((name) => name.startsWith('b'))).toHaveLength(3)
    expect(names).not.toContain('c1')
  })

  test('delays jobs behind a failed one, and knows when that is due', async () => {
    const { claim, end, putAll } = await create()
    await putAll('hook', 'x', 'x1')
    const { jobs } = await claim()
    await putAll('hook', 'x', 'x2')
    await putAll('hook', 'y', 'y1')
    await end(jobs, FAILED)
    const later = await claim()
    expect(later.names).toEqual(['y1'])
    await end(later.jobs, OK)
    const { names, nextAt } = await claim()
    expect(names).toEqual([])
    expect(nextAt).toBeGreaterThanOrEqual(NOW + 4500)
    expect(nextAt).toBeLessThanOrEqual(NOW + 5500)
    expect((await claim({ now: nextAt ?? 0 })).names).toEqual(['x1', 'x2'])
  })

  test('returns released jobs again, in order', async () => {
    const { claim, end, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2 x3')
    const { jobs } = await claim()
    const recorded = await end(jobs.slice(0, 1), OK, NOW, { returned: jobs.slice(1) })
    expect(recorded).toEqual({ closed: [], more: true })
    expect((await claim({}, 1)).names).toEqual(['x2', 'x3'])
  })

  test('returns one probe an hour, to one node, after five failures', async () => {
    const { claim, end, healthOf, idOf, putAll } = await create()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await putAll('hook', key, key)
    }
    const { jobs } = await claim({ limit: 5 })
    const { closed } = await end(jobs, FAILED)
    expect(closed).toEqual([await idOf('hook')])
    expect(await healthOf('hook')).toMatchObject({ status: 'paused', reason: 'failing' })
    const { names, nextAt } = await claim()
    expect(names).toEqual([])
    expect(nextAt).toBeGreaterThan(NOW)
    const hour = NOW + PROBE_INTERVAL_MS
    const both = await Promise.all([claim({ now: hour }, 0), claim({ now: hour }, 1)])
    const probes = both.flatMap((one) => one.jobs)
    expect(probes).toHaveLength(1)
    expect((await claim({ now: hour })).names).toEqual([])
    await end(probes, OK, hour)
    expect((await healthOf('hook')).status).toBe('active')
    expect((await claim({ now: hour })).names).toHaveLength(6)
  })

  test('returns nothing after ten failures in a row', async () => {
    const { claim, end, healthOf, putAll } = await create()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await putAll('hook', key, key)
    }
    await end((await claim({ limit: 5 })).jobs, FAILED)
    let now = NOW
    for (let probe = 0; probe < 5; probe++) {
      now += PROBE_INTERVAL_MS
      const { jobs } = await claim({ now })
      expect(jobs).toHaveLength(1)
      await end(jobs, FAILED, now)
    }
    expect(await healthOf('hook')).toMatchObject({ status: 'disabled', consecutiveFailures: 10 })
    expect((await claim({ now: now + 100 * PROBE_INTERVAL_MS })).names).toEqual([])
  })

  test('disables a subscription at once after a 410', async () => {
    const { claim, end, healthOf, idOf, putAll } = await create()
    await putAll('hook', 'x', 'x1 x2')
    const { jobs } = await claim()
    expect((await end(jobs.slice(0, 1), GONE)).closed).toEqual([await idOf('hook')])
    expect(await healthOf('hook')).toMatchObject({ status: 'disabled', reason: 'gone' })
  })

  test('returns nothing until a Retry-After is over', async () => {
    const { claim, end, idOf, putAll } = await create()
    await putAll('hook', 'x', 'x1')
    await putAll('hook', 'y', 'y1')
    const { jobs } = await claim({ quota: 1 })
    expect((await end(jobs, THROTTLED)).closed).toEqual([await idOf('hook')])
    expect((await claim()).names).toEqual([])
    expect((await claim({ now: NOW + 30_000 })).names).toHaveLength(1)
  })
})

describe('a delivery queue in PostgreSQL', () => {
  test('returns a job again after its claim has expired, and ignores a result of the first attempt then', async () => {
    const { claim, end, putAll } = await helpersOf(queueInPostgres)
    await putAll('hook', 'x', 'x1')
    const first = await claim()
    const late = NOW + CLAIM_MS
    const second = await claim({ now: late }, 1)
    expect(second.names).toEqual(['x1'])
    await end(first.jobs, FAILED, late)
    expect((await claim({ now: late })).names).toEqual([])
    await end(second.jobs, OK, late, { node: 1 })
    expect((await claim({ now: late + CLAIM_MS })).names).toEqual([])
  })

  test('knows when a subscription with a Retry-After or a probe is due', async () => {
    const { claim, end, putAll } = await helpersOf(queueInPostgres)
    await putAll('hook', 'x', 'x1')
    await end((await claim()).jobs, THROTTLED)
    expect((await claim()).nextAt).toBe(NOW + 30_000)
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await putAll('other', key, key)
    }
    await end((await claim({ limit: 5 })).jobs, FAILED)
    const spread = NOW + 33_000
    expect((await claim({ now: spread })).names).toEqual(['x1'])
    expect((await claim({ now: spread })).nextAt).toBeLessThanOrEqual(NOW + PROBE_INTERVAL_MS)
  })

  test.each<'owner' | 'platform'>(['owner', 'platform'])(
    'holds what is queued for a suspended %s, which takes nothing of the limit of others',
    async (kind) => {
      const queue = await queueInPostgres()
      open.push(queue)
      const account = { id: randomUUID(), name: null, tier: 'free', createdAt: 0 } as const
      const at = { status: 'active', createdAt: 0 } as const
      await (kind === 'owner'
        ? queue.store.owners.insert({ ...account, ...at, email: 'held@example.com' })
        : queue.store.platforms.insert({
            ...account,
            ...at,
            name: 'held',
            publicKey: null,
            previousKey: null,
            requireAttestation: false,
            verified: false,
            ownerId: null,
            updatedAt: 0,
          }))
      const accounts = kind === 'owner' ? queue.store.owners : queue.store.platforms
      for (const [i, key] of ['a', 'b', 'c'].entries()) {
        await queue.put('held', key, `held ${key}`, i + 1)
      }
      const held = await queue.idOf('held')
      await queue.pool.query('update webhooks set owner_id = $1 where id = $2', [account.id, held])
      await accounts.update({ id: account.id }, { status: 'suspended' })
      await queue.put('other', 'a', 'of another', 4)
      const claim = async () => {
        const { jobs } = await queue.nodes[0].claim(claimAt(NOW, { limit: 2 }))
        return jobs.map(queue.nameOf)
      }
      expect(await claim()).toEqual(['of another'])
      expect(await claim()).toEqual([])
      await accounts.update({ id: account.id }, { status: 'active' })
      expect((await claim()).toSorted()).toEqual(['held a', 'held b'])
    },
  )

  test('returns each job once, in the order of its key, to any number of claiming nodes', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    for (let i = 0; i < 120; i++) {
      await queue.put(`hook ${i % 3}`, `key ${i % 4}`, `${i}`)
    }
    const sent: string[] = []
    const work = async (node: (typeof queue.nodes)[number]) => {
      for (let i = 0; i < 30; i++) {
        const { jobs } = await node.claim(claimAt(NOW, { limit: 7, quota: 3 }))
        for (const job of jobs) {
          sent.push(queue.nameOf(job))
        }
        const half = Math.ceil(jobs.length / 2)
        for (const attempted of [jobs.slice(0, half), jobs.slice(half)]) {
          const ended = attempted.map((job) => ({ job, attempt: OK, endedAt: NOW }))
          await node.record({ attempted, returned: [] }, (health) =>
            decideAttempts(ended, health, Math.random),
          )
        }
      }
    }
    const [one, two] = queue.nodes
    await Promise.all([work(one), work(two), work(one), work(two)])
    expect(sent.map(Number).toSorted((a, b) => a - b)).toEqual([...Array(120).keys()])
    for (let key = 0; key < 12; key++) {
      const inOrder = sent.map(Number).filter((i) => i % 12 === key)
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b))
    }
    expect((await queue.pool.query('select from delivery_queue_heads')).rowCount).toBe(0)
  })

  test('gives the claims of a dead node to the others before they expire', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    await queue.put('hook', 'x', 'x1')
    for (const node of queue.nodes) {
      expect(await node.heartbeat(60_000)).toBe(false)
    }
    const { jobs } = await queue.nodes[0].claim(claimAt(NOW))
    expect(jobs).toHaveLength(1)
    await queue.pool.query('update delivery_nodes set alive_until = 0 where id = $1', [
      queue.nodeIds[0],
    ])
    expect(await queue.nodes[1].heartbeat(60_000)).toBe(true)
    const second = await queue.nodes[1].claim(claimAt(NOW))
    expect(second.jobs.map(queue.nameOf)).toEqual(['x1'])
    // The first node was only stalled: its attempt is not recorded.
    const late = jobs.map((job) => ({ job, attempt: FAILED, endedAt: NOW }))
    const recorded = await queue.nodes[0].record({ attempted: jobs, returned: [] }, (health) =>
      decideAttempts(late, health, Math.random),
    )
    expect(recorded.more).toBe(false)
    expect((await queue.healthOf('hook')).status).toBe('active')
  })

  test('returns claimed jobs again with the node’s next claim when the response to a claim was lost', async () => {
    const queue = await queueInPostgres()
    const { proxy, url } = await startDatabaseProxy(queue.url)
    const pool = createPool({ url })
    open.push({ ...queue, close: () => pool.end().then(proxy.close).then(queue.close) })
    const node = createDeliveryQueue(pool, randomUUID())
    await queue.put('hook', 'x', 'x1')
    const known = await node.claim(claimAt(NOW))
    expect(known.jobs.map(queue.nameOf)).toEqual(['x1'])
    await queue.put('hook', 'y', 'y1')
    const stop = proxy.loseCommits(1)
    await expect(node.claim(claimAt(NOW))).rejects.toThrow()
    expect(stop()).toBeGreaterThan(0)
    expect((await queue.nodes[1].claim(claimAt(NOW))).jobs).toEqual([])
    const next = await node.claim(claimAt(NOW))
    // What it knows of it has still.
    expect(next.jobs.map(queue.nameOf)).toEqual(['y1'])
  })

  test('returns its claim even if the connection ends after the claim', async () => {
    const queue = await queueInPostgres()
    const { proxy, url } = await startDatabaseProxy(queue.url)
    // What comes behind the commit is asked on the same connection.
    const pool = createPool({ url }, { max: 1 })
    open.push({ ...queue, close: () => pool.end().then(proxy.close).then(queue.close) })
    const node = createDeliveryQueue(pool, randomUUID())
    await queue.put('hook', 'x', 'x1')
    proxy.cutBehindCommit()
    const { jobs, nextAt } = await node.claim(claimAt(NOW))
    expect(jobs.map(queue.nameOf)).toEqual(['x1'])
    // Asked again soon: it was not learned when the next delivery falls due.
    expect(nextAt).toBeGreaterThan(NOW)
    expect(nextAt).toBeLessThan(NOW + 5_000)
  })

  test('returns jobs again whose results the database lost in a crash', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    const [node] = queue.nodes
    await queue.put('hook', 'x', 'x1')
    const { rows: heads } = await queue.pool.query('select * from delivery_queue_heads')
    const { jobs } = await node.claim(claimAt(NOW))
    const { rows: claimed } = await queue.pool.query('select * from delivery_queue_heads')
    const { rows: pending } = await queue.pool.query('select * from deliveries')
    const ended = jobs.map((job) => ({ job, attempt: OK, endedAt: NOW }))
    await node.record({ attempted: jobs, returned: [] }, (health) =>
      decideAttempts(ended, health, Math.random),
    )
    expect(heads).toHaveLength(1)
    // As after a crash: the claim was on disk, the record was not yet.
    await queue.pool.query('delete from deliveries')
    for (const [table, rows] of [
      ['deliveries', pending],
      ['delivery_queue_heads', claimed],
    ] as const) {
      await queue.pool.query(
        `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      )
    }
    expect((await node.claim(claimAt(NOW))).jobs).toEqual([])
    for (let i = 0; i < 4; i++) {
      await node.heartbeat(60_000)
    }
    expect((await node.claim(claimAt(NOW))).jobs.map(queue.nameOf)).toEqual(['x1'])
  })

  test('deletes old notifications and deliveries, and those of a deleted subscription', async () => {
    const queue = await queueInPostgres()
    open.push(queue)
    const [node] = queue.nodes
    for (let i = 0; i < 3; i++) {
      await queue.put('hook', 'x', `${i}`)
    }
    await queue.pool.query('update notifications set created_at = $1 where seq > 2', [NOW])
    expect(await node.prune(NOW)).toBe(false)
    const left = async (table: string) => (await queue.pool.query(`select from ${table}`)).rowCount
    expect([await left('notifications'), await left('deliveries')]).toEqual([1, 1])
    await queue.store.webhooks.delete({ id: await queue.idOf('hook') })
    await queue.pool.query('update webhooks set deleted_at = 0')
    await node.prune(NOW)
    expect([
      await left('deliveries'),
      await left('delivery_queue_heads'),
      await left('webhooks'),
    ]).toEqual([0, 0, 0])
  })
})

test('in PostgreSQL, a notification of a node whose clock is ahead is due at once', async () => {
  const { put, claim, end } = await helpersOf(queueInPostgres)
  const now = Date.now()
  for (const [name, aheadMs] of [
    ['first', 43_200_000],
    ['second', 86_400_000],
  ] as const) {
    await put('hook', 'x', name, now + aheadMs)
  }
  // The clock of the database may be some milliseconds ahead of this one's.
  const first = await claim({ now: now + 60_000, quota: 1 })
  expect(first.names).toEqual(['first'])
  await end(first.jobs, OK)
  expect((await claim({ now: now + 60_000 })).names).toEqual(['second'])
})
