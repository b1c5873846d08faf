import { randomUUID } from 'node:crypto'
import type { DeliveryJob } from '../../src/delivery/delivery-job.ts'
import type { DeliveryStore, Job } from '../../src/delivery/delivery-store.ts'
import { HEALTHY, type Health } from '../../src/delivery/schedule.ts'
import { createMemoryStore } from '../../src/delivery/testing/memory-store.ts'
import { createDeliveryStore } from '../../src/store/postgres/delivery-store.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createDatabase } from './database.ts'

/** A store of deliveries, with short names for what is in it. */
export interface Queue<J extends Job = Job> {
  /** As two nodes see it. */
  readonly nodes: readonly [DeliveryStore<J>, DeliveryStore<J>]
  /** Queues one; `name` is its own. */
  put(subscription: string, lane: string, name: string): Promise<void>
  nameOf(job: J): string
  /** By its short name, for shares. */
  idOf(subscription: string): Promise<string>
  healthOf(subscription: string): Promise<Health>
  close(): Promise<void>
}

type MemoryJob = ReturnType<ReturnType<typeof createMemoryStore>['insert']>

export async function queueInMemory(): Promise<Queue<MemoryJob>> {
  const store = createMemoryStore()
  return {
    nodes: [store, store],
    put: async (subscription, lane, name) => void store.insert(subscription, lane, name),
    nameOf: (job) => job.body,
    idOf: async (subscription) => subscription,
    healthOf: async (subscription) => store.healthOf(subscription),
    close: async () => {},
  }
}

/** The same in the database, on one of its own, with the pool for what else a test looks at. */
export async function queueInPostgres() {
  const database = await createDatabase()
  const pool = createPool({ url: database.url })
  const store = createPostgresStore(pool)
  const ownerId = randomUUID()
  await store.owners.insert({
    id: ownerId,
    email: 'owner@example.com',
    name: null,
    passwordHash: '',
    tier: 'free',
    tokenEpoch: 0,
    createdAt: 0,
  })
  const webhooks = new Map<string, Promise<string>>()
  const lanes = new Map<string, string>()
  const nodeIds = [randomUUID(), randomUUID()] as const

  async function insertWebhook(): Promise<string> {
    const id = randomUUID()
    await store.webhooks.insert({
      ...HEALTHY,
      id,
      ownerId,
      url: 'https://example.com/',
      // Each is told of an agent of its own alone, which `put` names: so it gets what it is put.
      events: ['*'],
      agentIds: [],
      description: null,
      sealedSecret: Buffer.from('sealed'),
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

  const queue: Queue<DeliveryJob> = {
    nodes: [createDeliveryStore(pool, nodeIds[0]), createDeliveryStore(pool, nodeIds[1])],
    async put(subscription, lane, name) {
      const id = await idOf(subscription)
      const agentId = lanes.get(`${subscription} ${lane}`) ?? randomUUID()
      lanes.set(`${subscription} ${lane}`, agentId)
      await pool.query(
        'update webhooks set agent_ids = array_append(array_remove(agent_ids, $2), $2) where id = $1',
        [id, agentId],
      )
      const notification = { ownerId, agentId, type: 'event.ingested', createdAt: 1 } as const
      await store.notifications.insert([{ ...notification, data: { name } }])
    },
    nameOf: (job) => (JSON.parse(job.data) as { name: string }).name,
    idOf,
    async healthOf(subscription) {
      const webhook = await store.webhooks.find(await idOf(subscription))
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
  return { ...queue, pool, store, nodeIds, ownerId }
}
