import { call } from './client.ts'
import { type LoadPage, pagesAt } from './pages.ts'
import type { Delivery, DeliveryDetails, Webhook } from './types.ts'

export interface WebhookInput {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly agentIds: readonly string[] | null
}

export const listWebhooks = pagesAt<Webhook>('/v1/webhooks')

export function getWebhook(id: string, signal: AbortSignal): Promise<Webhook> {
  return call('GET', `/v1/webhooks/${id}`, { signal })
}

export function createWebhook(body: WebhookInput): Promise<Webhook & { readonly secret: string }> {
  return call('POST', '/v1/webhooks', { body })
}

export function updateWebhook(
  id: string,
  body: Partial<WebhookInput> & { readonly status?: 'active' | 'disabled' },
): Promise<Webhook> {
  return call('PATCH', `/v1/webhooks/${id}`, { body })
}

export function deleteWebhook(id: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/webhooks/${id}`, { keepalive })
}

export function rotateSecret(
  id: string,
): Promise<{ readonly secret: string; readonly previousSecretExpiresAt: string }> {
  return call('POST', `/v1/webhooks/${id}/rotate-secret`)
}

export function testWebhook(id: string): Promise<Delivery> {
  return call('POST', `/v1/webhooks/${id}/test`)
}

export function listDeliveries(id: string, status: string | undefined): LoadPage<Delivery> {
  return pagesAt(`/v1/webhooks/${id}/deliveries`, { status })
}

export function getDelivery(
  id: string,
  deliveryId: string,
  signal: AbortSignal,
): Promise<DeliveryDetails> {
  return call('GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`, { signal })
}

export function redeliver(id: string, deliveryId: string): Promise<Delivery> {
  return call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`)
}

export function recover(
  id: string,
  since: string,
): Promise<{ readonly recovered: number; readonly complete: boolean }> {
  return call('POST', `/v1/webhooks/${id}/recover`, { body: { since } })
}
