import { isTestId, modeOf } from '../../domain/mode.ts'
import type { DeliveryRow, ListenerRow, NotificationRow, WebhookRow } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

/** Its URL is sealed in the row. */
export function presentWebhook(webhook: WebhookRow, url: string) {
  const { id, events, agentIds, format, description, status, consecutiveFailures } = webhook
  return {
    id,
    mode: modeOf(id),
    url,
    events,
    agentIds,
    format,
    description,
    status,
    statusReason: webhook.reason,
    statusChangedAt: timeOrNull(webhook.changedAt),
    consecutiveFailures,
    createdAt: time(webhook.createdAt),
    updatedAt: time(webhook.updatedAt),
  }
}

export function presentDelivery(delivery: DeliveryRow) {
  const { id, webhookId, type, agentId, status } = delivery
  return {
    id,
    webhookId,
    type,
    agentId,
    status,
    attemptCount: delivery.attempts,
    lastError: errorOf(delivery.log.at(-1)),
    nextAttemptAt: timeOrNull(delivery.nextAttemptAt),
    createdAt: time(delivery.createdAt),
    finishedAt: timeOrNull(delivery.finishedAt),
  }
}

/** A receiver's status, what went wrong without one, or both, as for a redirect. */
function errorOf(attempt: DeliveryRow['log'][number] | undefined): string | null {
  if (!attempt || attempt.outcome === 'delivered') {
    return null
  }
  const { status, error } = attempt
  return [...(status === null ? [] : [`status ${status}`]), ...(error ? [error] : [])].join(': ')
}

export function presentDeliveryDetails(delivery: DeliveryRow) {
  const attempts = delivery.log.map((attempt) => ({ ...attempt, at: time(attempt.at) }))
  return { ...presentDelivery(delivery), data: delivery.data, attempts }
}

export function presentRotatedSecret(rotated: {
  readonly secret: string
  readonly previousUntil: number
}) {
  return { secret: rotated.secret, previousSecretExpiresAt: time(rotated.previousUntil) }
}

export function presentListener({ id, events, agentIds, expiresAt }: ListenerRow) {
  return { id, events, agentIds, expiresAt: time(expiresAt) }
}

export function presentNotification({ id, type, createdAt, data }: NotificationRow) {
  const test = isTestId(String(data.agentId)) ? { mode: 'test' as const } : {}
  return { id, type, ...test, timestamp: time(createdAt), data }
}
