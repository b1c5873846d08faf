import { notFound, TrustError } from '../domain/error.ts'
import { notificationId, TEST_TYPE } from '../domain/notification.ts'
import type { Sources } from '../lib/sources.ts'
import type { DeliveryRow, Store, WebhookRow } from '../store/store.ts'

/** Queued again in one transaction: at most a second of work. */
const RECOVERED_MAX = 5_000

/** Queues a test notification, for a subscription to any types. */
export async function sendTest(
  store: Store,
  { now, newId }: Sources,
  webhook: WebhookRow,
): Promise<DeliveryRow> {
  checkNotDisabled(webhook)
  const { id: webhookId, ownerId } = webhook
  const id = notificationId(newId())
  const content = { ownerId, type: TEST_TYPE, data: { webhookId }, createdAt: now() }
  await store.deliveries.insert({ webhookId, id, ...content })
  return existingDelivery(store, webhookId, id)
}

/** Queues a delivery again; a pending one is attempted now. */
export async function redeliver(
  store: Store,
  { now }: Sources,
  webhook: WebhookRow,
  deliveryId: string,
): Promise<DeliveryRow> {
  const delivery = await existingDelivery(store, webhook.id, deliveryId)
  checkNotDisabled(webhook)
  await store.deliveries.redeliver(webhook.id, delivery.number, now())
  return existingDelivery(store, webhook.id, deliveryId)
}

/** Queues again what was not delivered since a time. */
export async function recover(
  store: Store,
  { now }: Sources,
  webhook: WebhookRow,
  since: number,
): Promise<{ readonly recovered: number; readonly complete: boolean }> {
  checkNotDisabled(webhook)
  const recovered = await store.deliveries.resend(webhook, since, now(), RECOVERED_MAX)
  return { recovered, complete: recovered < RECOVERED_MAX }
}

export async function existingDelivery(
  store: Store,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> {
  const delivery = await store.deliveries.find({ webhookId, id })
  if (!delivery) {
    throw notFound('delivery')
  }
  return delivery
}

function checkNotDisabled({ status }: WebhookRow): void {
  if (status !== 'disabled') {
    return
  }
  throw new TrustError('CONFLICT', 'this webhook is disabled; set its status to active first', {
    status,
  })
}
