import { randomUUID } from 'node:crypto'
import { HEALTHY } from '../../src/delivery/health.ts'
import { createMemoryQueue, type MemoryJob } from '../../src/delivery/testing/memory-queue.ts'
import type { DeliveryJob, Job } from '../../src/store/delivery-job.ts'
import type { DeliveryQueue } from '../../src/store/delivery-queue.ts'
import { createDeliveryQueue } from '../../src/store/postgres/delivery-queue.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import type { WebhookHealth } from '../../src/store/webhooks.ts'
import { createDatabase } from './database.ts'

/** A delivery queue as a test uses it: subscriptions, ordering keys and jobs have short names. */
export interface TestQueue<J extends Job = Job> {
  /** As two nodes see it. */
  readonly nodes: readonly [Node<J>, Node<J>]
  put(subscription: string, orderingKey: string, name: string, createdAt?: number): Promise<void>
  nameOf(job: J): string
  idOf(subscription: string): Promise<string>
  healthOf(subscription: string): Promise<WebhookHealth>
  close(): Promise<void>
}

type Node<J extends Job> = Pick<DeliveryQueue<J>, 'claim' | 'record'>

export async function queueInMemory(): Promise<TestQueue<MemoryJob>> {
  const queue = createMemoryQueue()
  return {
    nodes: [queue, queue],
    put: async (subscription, key, name) => void queue.insert(subscription, key, name),
    nameOf: (job) => job.body,
    idOf: async (subscription) => subscription,
    healthOf: async (subscription) => queue.healthOf(subscription),
    close: async () => {},
  }
}

/** An owner of subscriptions, and its id. */
export async function insertOwner({ owners }: Pick<Store, 'owners'>): Promise<string> {
  const id = randomUUID()
  const email = 'owner@example.com'
  await owners.insert({ id, email, name: null, tier: 'free', status: 'active', createdAt: 0 })
  return id
}

/** A queue in a database of its own, with the pool for what else a test reads. */
export async function queueInPostgres() {
  const database = await createDatabase()
  const pool = createPool({ url: database.url })
  const store = createPostgresStore(pool)
  const ownerId = await insertOwner(store)
  const webhooks = new Map<string, Promise<string>>()
  const agentIds = new Map<string, string>()
  const nodeIds = [randomUUID(), randomUUID()] as const

  async function insertWebhook(): Promise<string> {
    const id = randomUUID()
    await store.webhooks.insert({
      ...HEALTHY,
      id,
      ownerId,
      sealedUrl: Buffer.from('sealed'),
      // `put` adds the agents: each subscription gets the notifications of its own agents only.
      events: ['*'],
      agentIds: [],
      description: null,
      sealedSecret: Buffer.from('sealed'),
      format: 'standard',
      sealedPrevious: null,
      previousUntil: null,
      createdAt: 0,
      updatedAt: 0,
    })
    return id
  }

  function idOf(subscription: string): Promise<string> {
    const id = webhooks.get(subscription) ?? insertWebhook()
    webhooks.set(subscription, id)
    return id
  }

  const nodes = [
    createDeliveryQueue(pool, nodeIds[0]),
    createDeliveryQueue(pool, nodeIds[1]),
  ] as const
  const queue: TestQueue<DeliveryJob> = {
    nodes,
    async put(subscription, key, name, createdAt = 1) {
      const id = await idOf(subscription)
      const agentId = agentIds.get(`${subscription} ${key}`) ?? randomUUID()
      agentIds.set(`${subscription} ${key}`, agentId)
      await pool.query(
        'update webhooks set agent_ids = array_append(array_remove(agent_ids, $2), $2) where id = $1',
        [id, agentId],
      )
      const notification = { ownerId, agentId, type: 'event.ingested', createdAt } as const
      await store.notifications.insertAll([{ ...notification, data: { name } }])
    },
    nameOf: (job) => (JSON.parse(job.data) as { name: string }).name,
    idOf,
    async healthOf(subscription) {
      const webhook = await store.webhooks.find({ id: await idOf(subscription) })
      if (webhook === null) {
        throw new Error('there is no such webhook')
      }
      const { status, consecutiveFailures, notBefore, changedAt, reason } = webhook
      return { status, consecutiveFailures, notBefore, changedAt, reason }
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
  return { ...queue, nodes, pool, url: database.url, store, nodeIds, ownerId }
}
