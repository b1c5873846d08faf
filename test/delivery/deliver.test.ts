import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type DelivererOptions, startDeliverer } from '../../src/delivery/deliver.ts'
import { HEALTHY, PROBE_INTERVAL_MS } from '../../src/delivery/health.ts'
import { RETRY_DELAYS_MS } from '../../src/delivery/schedule.ts'
import { secretName, urlName } from '../../src/delivery/sealed.ts'
import { newSecret } from '../../src/lib/standard-webhooks.ts'
import { createVault } from '../../src/lib/vault.ts'
import { backgroundSchedule } from '../../src/ops/background-schedule.ts'
import { createDeliveryQueue } from '../../src/store/postgres/delivery-queue.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { WebhookFormat } from '../../src/store/store.ts'
import { createDatabase } from '../support/database.ts'
import { insertOwner } from '../support/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

// Delivery over days: the test sets the clock, the rest is real.

const database = await createDatabase()
const pool = createPool({ url: database.url })
const store = createPostgresStore(pool)
const vault = createVault(randomBytes(32))
const secret = newSecret()
const ownerId = await insertOwner(store)

const closers: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const close of closers) {
    await close()
  }
  await pool.end()
  await database.drop()
})

let now = Date.parse('2030-01-01T00:00:00Z')
const wakes = new Set<() => void>()

function startNode(over: Partial<DelivererOptions> = {}) {
  const nodeId = randomUUID()
  const deliverer = startDeliverer({
    queue: createDeliveryQueue(pool, nodeId),
    subscribe: (wake) => {
      wakes.add(wake)
      return () => void wakes.delete(wake)
    },
    changes: { subscribe() {} },
    open: vault.open,
    allow: ['127.0.0.0/8'],
    now: () => now,
    keptDays: 30,
    pruning: backgroundSchedule().deliveries,
    onError: (error) => expect(error).toBeNull(),
    ...over,
  })
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= deliverer.close()
    return closing
  }
  closers.push(close)
  return { close }
}

const node = startNode()

function wakeAt(at: number) {
  now = Math.max(now, at)
  for (const wake of wakes) {
    wake()
  }
}

/** A subscription to the notifications of an agent of its own. */
async function subscribe(url: string, format: WebhookFormat = 'standard') {
  const id = randomUUID()
  const agentId = randomUUID()
  const sealedUrl = vault.seal(Buffer.from(url), urlName(id))
  const sealedSecret = vault.seal(Buffer.from(secret), secretName(id))
  const none = {
    format,
    description: null,
    sealedPrevious: null,
    previousUntil: null,
  }
  const times = { createdAt: now, updatedAt: now }
  const row = {
    ...HEALTHY,
    ...none,
    ...times,
    id,
    ownerId,
    sealedUrl,
    sealedSecret,
    agentIds: [agentId],
  }
  await store.webhooks.insert({ ...row, events: ['*'] })
  const notify = async (count = 1) => {
    const data = { agentId }
    const notification = { ownerId, agentId, type: 'event.ingested', data, createdAt: now } as const
    await store.notifications.insertAll(Array(count).fill(notification))
    wakeAt(now)
  }
  const health = async () => {
    const webhook = await store.webhooks.find({ id })
    if (!webhook) {
      throw new Error('it is gone')
    }
    return webhook
  }
  const all = async () => (await store.deliveries.list({ webhookId: id }, null, 100)).rows
  /** The only delivery, after so many attempts. */
  const attempted = (count: number) =>
    eventually(
      async () => {
        const [delivery] = await all()
        if (delivery?.attempts !== count) {
          throw new Error(`${delivery?.attempts} of ${count}`)
        }
        return delivery
      },
      { interval: 5 },
    )
  return { id, notify, health, all, attempted }
}

describe('a receiver that fails', () => {
  test('is tried on the schedule, paused after five failures, disabled after ten', async () => {
    const receiver = await startReceiver({ isMadeUp: true })
    receiver.answer((response) => response.writeHead(500).end('out of order'))
    const hook = await subscribe(receiver.url)
    await hook.notify()
    const statuses: string[] = []
    const waits: number[] = []
    for (let i = 1; i <= 10; i++) {
      const { log, nextAttemptAt } = await hook.attempted(i)
      const { status, notBefore } = await hook.health()
      statuses.push(status)
      expect(log.at(-1)).toMatchObject({ status: 500, responseStart: 'out of order' })
      if (nextAttemptAt === null) {
        break
      }
      waits.push(nextAttemptAt - now)
      wakeAt(Math.max(nextAttemptAt, notBefore ?? 0))
    }
    for (const [i, wait] of waits.entries()) {
      const planned = RETRY_DELAYS_MS[i] ?? 0
      expect(wait).toBeGreaterThanOrEqual(planned * 0.9)
      expect(wait).toBeLessThanOrEqual(planned * 1.1)
    }
    expect(statuses).toEqual([...Array(4).fill('active'), ...Array(5).fill('paused'), 'disabled'])
    expect(await hook.health()).toMatchObject({ reason: 'failing', consecutiveFailures: 10 })
    expect(await hook.all()).toMatchObject([{ status: 'failed', attempts: 10 }])
    expect(new Set(receiver.bodies.map(({ id }) => id)).size).toBe(1)
  })

  test('gets a signature with the time of each attempt', async () => {
    const receiver = await startReceiver({ isMadeUp: true })
    receiver.answer((response) => response.writeHead(500).end())
    const hook = await subscribe(receiver.url)
    await hook.notify()
    await hook.attempted(1)
    wakeAt(now + 10_000)
    await hook.attempted(2)
    const [first, second] = receiver.posts.map(({ headers }) => headers)
    expect(first?.['webhook-id']).toBe(second?.['webhook-id'])
    expect(first?.['webhook-timestamp']).not.toBe(second?.['webhook-timestamp'])
    expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature'])
  })

  test('gets one probe an hour while it is paused, and everything that waited after a success', async () => {
    const receiver = await startReceiver({ isMadeUp: true })
    receiver.answer((response) => response.writeHead(503).end())
    const hook = await subscribe(receiver.url)
    await hook.notify(20)
    for (let i = 1; i <= 5; i++) {
      const { nextAttemptAt } = await eventually(async () => {
        const delivery = (await hook.all()).at(-1)
        expect(delivery?.attempts).toBe(i)
        return delivery as NonNullable<typeof delivery>
      })
      if (i < 5) {
        wakeAt(nextAttemptAt ?? 0)
      }
    }
    expect(await hook.health()).toMatchObject({ status: 'paused' })
    expect(receiver.posts).toHaveLength(5)
    receiver.answer((response) => response.end())
    await store.deliveries.retryNow(hook.id, now)
    wakeAt(now + PROBE_INTERVAL_MS)
    await receiver.until(25)
    await eventually(async () =>
      expect((await hook.all()).every(({ status }) => status === 'delivered')).toBe(true),
    )
    expect(await hook.health()).toMatchObject({ status: 'active', consecutiveFailures: 0 })
    const ids = receiver.bodies.slice(4).map(({ id }) => id)
    expect(ids.slice(1)).toEqual((await hook.all()).map(({ id }) => id).toReversed())
  })

  test('gets nothing until its Retry-After is over', async () => {
    const receiver = await startReceiver({ isMadeUp: true })
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    const hook = await subscribe(receiver.url)
    await hook.notify(3)
    await eventually(async () =>
      expect((await hook.health()).notBefore).toBeGreaterThanOrEqual(now + 600_000),
    )
    expect(receiver.posts).toHaveLength(1)
    receiver.answer((response) => response.end())
    wakeAt(now + 660_000)
    await receiver.until(4)
  })
})

test('an attempt counts even if its callback fails', async () => {
  const receiver = await startReceiver({ isMadeUp: true })
  await node.close()
  const errors: unknown[] = []
  const broken = startNode({
    onAttempt() {
      throw new Error('no room for a metric')
    },
    onError: (error) => void errors.push(error),
  })
  const hook = await subscribe(receiver.url)
  await hook.notify()
  expect(await hook.attempted(1)).toMatchObject({ status: 'delivered' })
  expect(errors).toEqual([new Error('no room for a metric')])
  await broken.close()
})

test('the log of a mail that its server refuses shows how long the server took', async () => {
  await node.close()
  const mailing = startNode({
    sendMail: async () => {
      const startedAt = performance.now()
      while (performance.now() - startedAt < 20) {
        // A mail server that takes its time.
      }
      throw new Error('550 mailbox unavailable')
    },
    onError: () => {},
  })
  const hook = await subscribe('mailto:ada@example.com', 'mail')
  await hook.notify()
  const { log } = await hook.attempted(1)
  expect(log).toMatchObject([
    { outcome: 'failed', status: null, error: 'the mail server did not take it' },
  ])
  expect(log[0]?.durationMs).toBeGreaterThanOrEqual(20)
  await mailing.close()
})

test('a receiver whose public name resolves to a private address is not connected to', async () => {
  const receiver = await startReceiver({ isMadeUp: true })
  await node.close()
  startNode({ allow: [], resolve: async () => ['93.184.216.34', '127.0.0.1'] })
  const hook = await subscribe(`https://public.example:${receiver.port}/`)
  await hook.notify()
  const { log } = await hook.attempted(1)
  expect(log).toMatchObject([{ status: null, error: 'address not allowed', outcome: 'failed' }])
  expect(receiver.posts).toEqual([])
})
