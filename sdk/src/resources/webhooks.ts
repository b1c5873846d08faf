import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type {
  DeliveryQuery,
  Listener,
  ListenInput,
  ListQuery,
  NotificationPage,
  NotificationQuery,
  Recovered,
  RotatedSecret,
  Timestamp,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
} from '../types.ts'
import { path } from '../url.ts'

export type Webhooks = ReturnType<typeof webhookCalls>

const HOLDER: readonly CredentialKind[] = ['token', 'apiKey']
const OWNER: readonly CredentialKind[] = ['token']

/** For an owner or a platform: its own. */
export function webhookCalls({ read, patch, post, remove, list }: Calls) {
  return {
    /** The answer alone carries the `secret` that `verifyWebhookSignature` takes. */
    create: (input: WebhookInput, options?: WriteOptions): Promise<WebhookWithSecret> =>
      post('/v1/webhooks', HOLDER, input, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Webhook> =>
      list('/v1/webhooks', HOLDER, query, options),
    get: (id: string, options?: CallOptions): Promise<Webhook> =>
      read(path`/v1/webhooks/${id}`, HOLDER, options),
    update: (id: string, changes: WebhookPatch, options?: WriteOptions): Promise<Webhook> =>
      patch(path`/v1/webhooks/${id}`, HOLDER, changes, options),
    delete: (id: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/webhooks/${id}`, HOLDER, options),
    /** The previous secret works for another day: each notification is signed with both. */
    rotateSecret: (id: string, options?: WriteOptions): Promise<RotatedSecret> =>
      post(path`/v1/webhooks/${id}/rotate-secret`, HOLDER, undefined, options),
    /** What was sent or waits to be, newest first. */
    deliveries: (
      id: string,
      query?: DeliveryQuery,
      options?: CallOptions,
    ): Listing<WebhookDelivery> =>
      list(path`/v1/webhooks/${id}/deliveries`, HOLDER, query, options),
    delivery: (
      id: string,
      deliveryId: string,
      options?: CallOptions,
    ): Promise<WebhookDeliveryDetails> =>
      read(path`/v1/webhooks/${id}/deliveries/${deliveryId}`, HOLDER, options),
    /** Sends one again, under its own `webhook-id`. */
    redeliver: (id: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery> =>
      post(path`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`, HOLDER, undefined, options),
    /** Sends again what failed, or was published while the subscription was disabled. */
    recover: (id: string, since: Timestamp, options?: WriteOptions): Promise<Recovered> =>
      post(path`/v1/webhooks/${id}/recover`, HOLDER, { since }, options),
    /** Follows notifications from now on, without a public address: read them by `notifications`. */
    listen: (input: ListenInput, options?: WriteOptions): Promise<Listener> =>
      post('/v1/webhooks/listeners', OWNER, input, options),
    /** Those since `cursor`, oldest first. If there are none, waits up to `waitSeconds` (5). */
    notifications: (
      listenerId: string,
      query?: NotificationQuery,
      options?: CallOptions,
    ): Promise<NotificationPage> =>
      read(path`/v1/webhooks/listeners/${listenerId}/notifications`, OWNER, options, query),
    /** Sends a notification of the type `webhook.test`. */
    test: (id: string, options?: WriteOptions): Promise<WebhookDelivery> =>
      post(path`/v1/webhooks/${id}/test`, HOLDER, undefined, options),
  }
}
