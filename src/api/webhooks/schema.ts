import { NOTIFICATION_TYPES, TEST_TYPE } from '../../domain/notification.ts'
import { z } from '../../http/schema.ts'
import type { DeliveryRow, WebhookRow } from '../../store/store.ts'
import { EXAMPLE_ID, Id, listOf, PageQuery, Time, TimeInput, time, timeOrNull } from '../wire.ts'

const FILTERS = [...NOTIFICATION_TYPES, '*'] as const

const Filter = z.enum(FILTERS)

export const Events = z
  .array(Filter)
  .min(1, 'must name at least one type, or *')
  .max(FILTERS.length)
  .openapi({
    description: 'What to be told of; `*` is everything.',
    example: ['score.changed'],
  })

/** Agents a subscription may name; who means more of them means all, and filters on his side. */
const AGENT_IDS_MAX = 100

export const AgentIds = z
  .array(Id)
  .min(1, 'must name at least one agent; leave it out for all of them')
  .max(AGENT_IDS_MAX)
  .nullish()
  .openapi({
    example: [EXAMPLE_ID],
    description: "Only what is told of these agents; without it, of all the owner's agents.",
  })

const URL_EXAMPLE = 'https://example.com/hooks/standing'

const Url = z.string().min(1).openapi({
  description: 'Where to post to: https, a public host.',
  example: URL_EXAMPLE,
})

const DESCRIPTION = { example: 'Tells our chat of every score that moves.' }

const Description = z.string().trim().max(200).openapi(DESCRIPTION)

export const CreateWebhookBody = z
  .strictObject({
    url: Url,
    events: Events,
    description: Description.nullish(),
    agentIds: AgentIds,
  })
  .openapi('CreateWebhook')

export const UpdateWebhookBody = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    description: Description.nullish(),
    agentIds: AgentIds,
    status: z
      .enum(['active', 'disabled'])
      .optional()
      .openapi({ description: '`active` resumes a paused or disabled subscription at once.' }),
  })
  .openapi('UpdateWebhook')

export const Webhook = z
  .object({
    id: Id,
    url: z.string().openapi({ example: URL_EXAMPLE }),
    events: z.array(z.enum(FILTERS)),
    agentIds: z.array(Id).nullable().openapi({ example: null }),
    description: z.string().nullable().openapi(DESCRIPTION),
    status: z.enum(['active', 'paused', 'disabled']).openapi({
      description:
        'Five failures in a row pause it: what is told waits, one probe an hour. Ten disable it, ' +
        'and so does an answer of 410.',
    }),
    statusReason: z.enum(['failing', 'gone']).nullable().openapi({ example: null }),
    statusChangedAt: Time.nullable().openapi({ example: null }),
    consecutiveFailures: z.int(),
    createdAt: Time,
    updatedAt: Time,
  })
  .openapi('Webhook')

const Secret = z.string().openapi({
  description: 'Shown this once. What is posted is signed with it (Standard Webhooks 1.0.0).',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
})

export const WebhookWithSecret = Webhook.extend({ secret: Secret }).openapi('WebhookWithSecret')

export const RotatedSecret = z
  .object({
    secret: Secret,
    previousSecretExpiresAt: Time.openapi({
      description: 'Until then every notice carries a signature of the secret before as well.',
    }),
  })
  .openapi('RotatedSecret')

export const WebhookList = listOf(Webhook, 'WebhookList')

export const NotificationId = z
  .string()
  .regex(/^evt_[0-9a-f]{32}$/, 'must be the id of a notice: evt_…')
  .openapi({ example: 'evt_01931b667d507c63b6f23f1a2b3c4d5e' })

export const DeliveryParams = z.object({
  id: Id.openapi({ description: 'The id of the subscription, a UUID.' }),
  deliveryId: NotificationId.openapi({ description: 'The id of the notice.' }),
})

const Status = z.enum(['pending', 'delivered', 'failed'])

export const DeliveryQueryParams = PageQuery.extend({
  status: Status.optional().openapi({ description: 'Only those that are so.' }),
})

const DeliveryFields = {
  id: NotificationId.openapi({ description: 'The id of the notice, sent as `webhook-id`.' }),
  webhookId: Id,
  type: z.enum([...NOTIFICATION_TYPES, TEST_TYPE]),
  agentId: Id.nullable(),
  status: Status.openapi({ example: 'delivered' }),
  attemptCount: z.int().openapi({ example: 1 }),
  nextAttemptAt: Time.nullable().openapi({ example: null }),
  createdAt: Time,
  finishedAt: Time.nullable(),
}

export const Delivery = z.object(DeliveryFields).openapi('WebhookDelivery')

export const DeliveryList = listOf(Delivery, 'WebhookDeliveryList')

const Attempt = z
  .object({
    at: Time,
    outcome: z.enum(['delivered', 'failed', 'gone', 'throttled']),
    status: z.int().nullable().openapi({
      description: 'Of HTTP; null where no answer came.',
      example: 200,
    }),
    error: z.string().nullable().openapi({ example: null }),
    durationMs: z.int().openapi({ example: 84 }),
    responseStart: z.string().openapi({
      description: 'The first KiB of the answer.',
      example: 'thanks',
    }),
  })
  .openapi('WebhookAttempt')

export const DeliveryDetails = z
  .object({
    ...DeliveryFields,
    data: z.record(z.string(), z.unknown()).openapi({
      description: 'What was told.',
      example: { agentId: EXAMPLE_ID, previousScore: 736, newScore: 742, classification: 'good' },
    }),
    attempts: z.array(Attempt).openapi({ description: 'The latest 30, oldest first.' }),
  })
  .openapi('WebhookDeliveryDetails')

export const RecoverBody = z
  .strictObject({
    since: TimeInput.openapi({ description: 'At most 30 days back: so long notices are kept.' }),
  })
  .openapi('RecoverWebhook')

export const Recovered = z
  .object({
    recovered: z.int().openapi({ description: 'How many were queued again.', example: 3 }),
    complete: z.boolean().openapi({
      description: 'False where there is more: ask again once these are delivered.',
      example: true,
    }),
  })
  .openapi('RecoveredWebhook')

export function presentWebhook(webhook: WebhookRow) {
  const { id, url, events, agentIds, description, status, consecutiveFailures } = webhook
  return {
    id,
    url,
    events,
    agentIds,
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
    nextAttemptAt: timeOrNull(delivery.nextAttemptAt),
    createdAt: time(delivery.createdAt),
    finishedAt: timeOrNull(delivery.finishedAt),
  }
}

export function presentDetails(delivery: DeliveryRow) {
  const attempts = delivery.log.map((attempt) => ({ ...attempt, at: time(attempt.at) }))
  return { ...presentDelivery(delivery), data: delivery.data, attempts }
}
