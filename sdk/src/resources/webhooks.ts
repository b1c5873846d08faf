import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../credentials.ts'
import type { Listing } from '../page.ts'
import type { CallOptions, WriteOptions } from '../transport.ts'
import type {
  DeliveryQuery,
  Listener,
  ListenInput,
  ListQuery,
  NoticesPage,
  NoticesQuery,
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

const OWNER: readonly CredentialKind[] = ['token']

/** All of them the owner's. */
export function webhookCalls({ read, write, list }: Calls) {
  return {
    /** The answer alone carries the `secret` that `verifyWebhook` asks for. */
    create: (input: WebhookInput, options?: WriteOptions): Promise<WebhookWithSecret> =>
      write('POST', '/v1/webhooks', OWNER, input, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Webhook> =>
      list('/v1/webhooks', OWNER, query, options),
    get: (id: string, options?: CallOptions): Promise<Webhook> =>
      read(path`/v1/webhooks/${id}`, OWNER, options),
    update: (id: string, patch: WebhookPatch, options?: WriteOptions): Promise<Webhook> =>
      write('PATCH', path`/v1/webhooks/${id}`, OWNER, patch, options),
    delete: (id: string, options?: WriteOptions): Promise<void> =>
      write('DELETE', path`/v1/webhooks/${id}`, OWNER, undefined, options),
    /** The secret before works on for a day: each notification is signed with both. */
    rotateSecret: (id: string, options?: WriteOptions): Promise<RotatedSecret> =>
      write('POST', path`/v1/webhooks/${id}/rotate-secret`, OWNER, undefined, options),
    /** What was sent or waits to be, newest first. */
    deliveries: (
      id: string,
      query?: DeliveryQuery,
      options?: CallOptions,
    ): Listing<WebhookDelivery> => list(path`/v1/webhooks/${id}/deliveries`, OWNER, query, options),
    delivery: (
      id: string,
      deliveryId: string,
      options?: CallOptions,
    ): Promise<WebhookDeliveryDetails> =>
      read(path`/v1/webhooks/${id}/deliveries/${deliveryId}`, OWNER, options),
    /** Sends one again, under its own `webhook-id`. */
    redeliver: (id: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery> =>
      write(
        'POST',
        path`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`,
        OWNER,
        undefined,
        options,
      ),
    /** Sends again what failed or was told while the subscription was disabled. */
    recover: (id: string, since: Timestamp, options?: WriteOptions): Promise<Recovered> =>
      write('POST', path`/v1/webhooks/${id}/recover`, OWNER, { since }, options),
    /** Follows what is told from now on, without a public address: fetch it by `notifications`. */
    listen: (input: ListenInput, options?: WriteOptions): Promise<Listener> =>
      write('POST', '/v1/webhooks/listeners', OWNER, input, options),
    /** What was told since `cursor`, oldest first; waits up to `waitSeconds` (5) for something. */
    notifications: (
      listenerId: string,
      query?: NoticesQuery,
      options?: CallOptions,
    ): Promise<NoticesPage> =>
      read(path`/v1/webhooks/listeners/${listenerId}/notifications`, OWNER, options, query),
    /** Sends a notification of the type `webhook.test`. */
    test: (id: string, options?: WriteOptions): Promise<WebhookDelivery> =>
      write('POST', path`/v1/webhooks/${id}/test`, OWNER, undefined, options),
  }
}
