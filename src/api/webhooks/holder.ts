import type { CallerOf } from '../../domain/caller.ts'
import type { WebhookHolder } from '../../webhooks/webhooks.ts'

/** The account that subscriptions and watches belong to. */
export function holderOf(caller: CallerOf<'owner' | 'platform'>): WebhookHolder {
  const { kind } = caller
  return { kind, id: kind === 'owner' ? caller.ownerId : caller.platformId }
}
