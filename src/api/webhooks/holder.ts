import type { CallerOf } from '../../domain/caller.ts'
import type { Store, WebhookRow } from '../../store/store.ts'
import { ownWebhook, type WebhookHolder } from '../../webhooks/webhooks.ts'

/** The account that subscriptions and watches belong to. */
export function holderOf(caller: CallerOf<'owner' | 'platform'>): WebhookHolder {
  const { kind } = caller
  return { kind, id: kind === 'owner' ? caller.ownerId : caller.platformId }
}

/** Locked, to be changed or sent to. */
export function lockedWebhook(
  within: Store,
  caller: CallerOf<'owner' | 'platform'>,
  id: string,
): Promise<WebhookRow> {
  return ownWebhook(within, holderOf(caller).id, id, { lock: 'wait' })
}
