import { NOTIFICATION_TYPES, TEST_TYPE } from '../../domain/notification.ts'
import { z } from '../../http/schema.ts'
import { listOf, PageQuery } from '../paging.ts'
import { EXAMPLE_ID, Id, Time, TimeInput } from '../wire.ts'

export const NotificationId = z
  .string()
  .regex(/^evt_[0-9a-f]{32}$/, 'must be the id of a notification: evt_…')
  .openapi({ example: 'evt_01931b667d507c63b6f23f1a2b3c4d5e' })

/** The field `mode` of a notification. */
export const NotificationMode = z
  .literal('test')
  .optional()
  .openapi({ description: 'Only where it is about test data.' })

export const DeliveryParams = z.object({
  id: Id.openapi({ description: 'The id of the subscription, a UUID.' }),
  deliveryId: NotificationId.openapi({ description: 'The id of the notification.' }),
})

const Status = z.enum(['pending', 'delivered', 'failed'])

export const DeliveryQueryParams = PageQuery.extend({
  status: Status.optional().openapi({ description: 'Only deliveries with this status.' }),
})

const DeliveryFields = {
  id: NotificationId.openapi({ description: 'The id of the notification, sent as `webhook-id`.' }),
  webhookId: Id,
  type: z.enum([...NOTIFICATION_TYPES, TEST_TYPE]),
  agentId: Id.nullable(),
  status: Status.openapi({ example: 'delivered' }),
  attemptCount: z.int().openapi({ example: 1 }),
  lastError: z.string().nullable().openapi({
    description: 'Why the last attempt failed; null where it succeeded, or none was made.',
    example: null,
  }),
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
      description: 'The HTTP status; null when there was no response.',
      example: 200,
    }),
    error: z.string().nullable().openapi({ example: null }),
    durationMs: z.int().openapi({ example: 84 }),
    responseStart: z.string().openapi({
      description: 'The first KiB of the response body.',
      example: 'thanks',
    }),
  })
  .openapi('WebhookAttempt')

export const DeliveryDetails = z
  .object({
    ...DeliveryFields,
    data: z.record(z.string(), z.unknown()).openapi({
      description: 'The data of the notification.',
      example: { agentId: EXAMPLE_ID, previousScore: 736, newScore: 742, classification: 'good' },
    }),
    attempts: z.array(Attempt).openapi({ description: 'The latest 30, oldest first.' }),
  })
  .openapi('WebhookDeliveryDetails')

export const RecoverBody = z
  .strictObject({
    since: TimeInput.openapi({
      description: 'At most 30 days back: notifications are kept that long.',
    }),
  })
  .openapi('RecoverWebhook')

export const Recovered = z
  .object({
    recovered: z
      .int()
      .openapi({ description: 'The number of deliveries queued again.', example: 3 }),
    complete: z.boolean().openapi({
      description: 'False when more are left: call again once these are delivered.',
      example: true,
    }),
  })
  .openapi('RecoveredWebhook')
