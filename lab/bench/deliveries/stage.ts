import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type pg from 'pg'
import { startDeliverer } from '../../../src/delivery/deliver.ts'
import { HEALTHY } from '../../../src/delivery/health.ts'
import { secretName, urlName } from '../../../src/delivery/sealed.ts'
import type { Notification } from '../../../src/domain/notification.ts'
import { newSecret } from '../../../src/lib/standard-webhooks.ts'
import type { Vault } from '../../../src/lib/vault.ts'
import { backgroundSchedule } from '../../../src/ops/background-schedule.ts'
import { openVault } from '../../../src/startup/root-key.ts'
import { createDeliveryQueue } from '../../../src/store/postgres/delivery-queue.ts'
import { CHANNELS, listen } from '../../../src/store/postgres/listen.ts'
import { migrate } from '../../../src/store/postgres/migrate.ts'
import { createClient, createPool } from '../../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../../src/store/postgres/store.ts'
import type { Store } from '../../../src/store/store.ts'
import { openDatabase } from '../database.ts'

export interface Report {
  readonly posts: number
  readonly unique: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface Stage {
  readonly pool: pg.Pool
  readonly store: Store
  readonly receiverUrl: string
  readonly databaseUrl: string
  /** Of a service in a process of its own: the secret that it opens. */
  readonly settings: Readonly<Record<string, string>>
  /** Subscriptions, each of one owner, that post to these URLs; their owners. */
  subscribe(urls: readonly string[]): Promise<readonly string[]>
  /** Notifies each owner repeatedly about a number of agents, spread over the owners. */
  notify(ownerIds: readonly string[], agentsEach: number, notificationsEach: number): Promise<void>
  /** Removes deliveries and subscriptions, and resets the receiver. */
  clear(): Promise<void>
  pending(): Promise<number>
  report(): Promise<Report>
  startNode(): { close(): Promise<void> }
  close(): Promise<void>
}

/** Notifications written in one transaction, as a large batch of events would. */
const BATCH = 500

/** A database of its own, a receiver in a process of its own, and a node when it is asked for. */
export async function openStage(): Promise<Stage> {
  const database = await openDatabase()
  const pool = createPool(database.connection)
  await migrate(pool)
  const store = createPostgresStore(pool)
  const secret = randomBytes(32)
  const vault = await openVault(store, secret)
  const receiver = await startReceiver()
  return {
    pool,
    store,
    receiverUrl: receiver.url,
    databaseUrl: database.url,
    settings: {
      STANDING_SECRET_KEY: secret.toString('base64'),
      STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    },
    async subscribe(urls) {
      const ownerIds: string[] = []
      for (const url of urls) {
        ownerIds.push(await insertWebhook(pool, store, vault, url))
      }
      return ownerIds
    },
    async notify(ownerIds, agentsEach, notificationsEach) {
      const total = ownerIds.length * notificationsEach
      for (const batch of notificationsAbout(agentsOf(ownerIds, agentsEach), total)) {
        await store.notifications.insertAll(batch)
      }
    },
    async clear() {
      await pool.query(
        'truncate webhooks, notifications, deliveries, delivery_queue_heads, delivery_nodes',
      )
      await receiver.ask('forget')
    },
    async pending() {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from deliveries where status = 'pending'",
      )
      return rows[0]?.count ?? 0
    },
    report: () => receiver.ask<Report>('report'),
    startNode: () => startNode(pool, vault, () => createClient(database.connection, 'bench')),
    async close() {
      receiver.close()
      await pool.end()
      await database.close()
    },
  }
}

/** The HTTP server that deliveries are sent to. It counts them. */
interface Receiver {
  readonly url: string
  ask<T>(question: 'report' | 'forget'): Promise<T>
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(join(process.cwd(), 'lab', 'bench', 'deliveries', 'receiver.mjs'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    async ask<T>(question: string) {
      const answer = once(child, 'message')
      child.send(question)
      return ((await answer) as [T])[0]
    },
    close: () => void child.kill(),
  }
}

/** A new owner with one subscription. Returns the owner's id. */
async function insertWebhook(
  pool: pg.Pool,
  store: Store,
  vault: Vault,
  url: string,
): Promise<string> {
  const [id, ownerId] = [randomUUID(), randomUUID()]
  const none = {
    format: 'standard' as const,
    description: null,
    sealedPrevious: null,
    previousUntil: null,
    agentIds: null,
  }
  const sealedUrl = vault.seal(Buffer.from(url), urlName(id))
  const sealedSecret = vault.seal(Buffer.from(newSecret()), secretName(id))
  await pool.query('insert into owners (id, email, created_at) values ($1::uuid, $1::uuid, 0)', [
    ownerId,
  ])
  const row = { ...HEALTHY, ...none, id, ownerId, sealedUrl, sealedSecret }
  await store.webhooks.insert({ ...row, events: ['*'], createdAt: 0, updatedAt: 0 })
  return ownerId
}

type OwnedAgent = Pick<Notification, 'ownerId' | 'agentId'>

function agentsOf(ownerIds: readonly string[], agentsEach: number): readonly OwnedAgent[] {
  return ownerIds.flatMap((ownerId) =>
    Array.from({ length: agentsEach }, () => ({ ownerId, agentId: randomUUID() })),
  )
}

/** So many notifications about the agents in turn, in batches. */
function* notificationsAbout(
  agents: readonly OwnedAgent[],
  total: number,
): Generator<readonly Notification[]> {
  const data = { previousScore: 512, newScore: 519, classification: 'fair', triggeredBy: {} }
  for (let i = 0; i < total; i += BATCH) {
    yield Array.from({ length: Math.min(BATCH, total - i) }, (_, k) => {
      const { ownerId, agentId } = agents[(i + k) % agents.length] as OwnedAgent
      const notification = { ownerId, agentId, data: { agentId, ...data }, createdAt: Date.now() }
      return { ...notification, type: 'score.changed' as const }
    })
  }
}

function startNode(pool: pg.Pool, vault: Vault, newClient: () => pg.Client) {
  const nodeId = randomUUID()
  const onError = (error: unknown) => console.error(error)
  const listener = listen({ newClient, pool, onError })
  const deliverer = startDeliverer({
    queue: createDeliveryQueue(pool, nodeId),
    subscribe: (wake) => listener.subscribe(CHANNELS.deliveries, { notified: wake, missed: wake }),
    changes: { subscribe() {} },
    open: vault.open,
    allow: ['127.0.0.0/8'],
    now: Date.now,
    keptDays: 30,
    pruning: backgroundSchedule().deliveries,
    onError,
  })
  return {
    async close() {
      await deliverer.close()
      await listener.close()
    },
  }
}
