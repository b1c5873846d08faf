import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type { CallOptions, WriteOptions } from '../transport.ts'
import type { ListQuery, Webhook, WebhookInput, WebhookPatch, WebhookWithSecret } from '../types.ts'
import { path } from '../url.ts'

export type Webhooks = ReturnType<typeof webhookCalls>

/** All of them the owner's. */
export function webhookCalls({ write, list }: Calls) {
  return {
    /** The answer alone carries the `secret` that `verifyWebhook` asks for. */
    create: (input: WebhookInput, options?: WriteOptions): Promise<WebhookWithSecret> =>
      write('POST', '/v1/webhooks', ['token'], input, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Webhook> =>
      list('/v1/webhooks', ['token'], query, options),
    update: (id: string, patch: WebhookPatch, options?: WriteOptions): Promise<Webhook> =>
      write('PATCH', path`/v1/webhooks/${id}`, ['token'], patch, options),
    delete: (id: string, options?: WriteOptions): Promise<void> =>
      write('DELETE', path`/v1/webhooks/${id}`, ['token'], undefined, options),
  }
}
