import type { RecordedEvent } from '../../domain/agent.ts'
import { isCurrency } from '../../domain/currency.ts'
import {
  DIMENSIONS,
  EVENT_TYPES,
  type EventType,
  FULL_WEIGHT,
  SELF_WEIGHT,
} from '../../domain/event.ts'
import { z } from '../../http/schema.ts'
import { REQUIRED } from '../../http/validation-messages.ts'
import { EventTypeName } from '../scores/schema.ts'
import { Id, listOf, RangeQuery, Time, TimeInput, time } from '../wire.ts'

const Text = z.string().min(1).max(200)
const NotNegative = z.number().min(0)

const TaskData = z
  .strictObject({
    duration: NotNegative.optional().openapi({ description: 'Milliseconds.' }),
    success: z.boolean().optional(),
    errorCode: Text.optional(),
  })
  .openapi('TaskData')

/** Far above any payment in any currency; beyond it a sum is a mistake or a probe (A20). */
const AMOUNT_MAX = 1e15

const PaymentData = z
  .strictObject({
    amount: NotNegative.max(AMOUNT_MAX).optional().openapi({
      description: 'In the currency itself, not in its cents: 120.5 is 120 dollars and a half.',
    }),
    currency: z
      .string()
      .refine(isCurrency, 'must be a currency code of ISO 4217, such as USD')
      .optional()
      .openapi({ description: 'ISO 4217; without it, US dollars.', pattern: '^[A-Z]{3}$' }),
    daysLate: NotNegative.max(36_500).optional().openapi({
      description: 'How late it was, of `payment.late`.',
    }),
  })
  .openapi('PaymentData')

const UptimeData = z
  .strictObject({
    uptimePercentage: z.number().min(0).max(100).optional(),
    responseTimeMs: NotNegative.optional(),
  })
  .openapi('UptimeData')

const ErrorData = z
  .strictObject({
    errorType: Text.optional(),
    severity: z
      .enum(['low', 'medium', 'high', 'critical'])
      .optional()
      .openapi({ description: 'As medium, unless told.' }),
  })
  .openapi('ErrorData')

const CredentialData = z
  .strictObject({
    credentialId: Text.optional(),
    credentialType: Text.optional(),
  })
  .openapi('CredentialData')

const DATA = {
  task: TaskData,
  payment: PaymentData,
  uptime: UptimeData,
  error: ErrorData,
  credential: CredentialData,
}

/** Every field is optional, but those that are there must be the type's own. */
const AnyData = z.union(Object.values(DATA) as [typeof TaskData, ...(typeof TaskData)[]])

const ExternalId = z.string().min(1).max(100).openapi({
  description: "The event's name on your side: sent again, it is not counted again.",
  example: 'task-4711',
})

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const UNKNOWN_TYPE = `must be one of ${TYPES.join(', ')}`

/** Only of an object can the type be the trouble. */
function saysWhatType({ input }: { readonly input?: unknown }): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return undefined
  }
  return 'type' in input ? UNKNOWN_TYPE : REQUIRED
}

type Kind = keyof typeof DATA

const DATA_EXAMPLES: Readonly<Record<Kind, object>> = {
  task: { duration: 1200, success: true },
  payment: { amount: 149.9, currency: 'EUR', daysLate: 0 },
  uptime: { uptimePercentage: 99.95, responseTimeMs: 180 },
  error: { errorType: 'upstream_timeout', severity: 'medium' },
  credential: { credentialType: 'identity.verified' },
}

const isOf = (kind: Kind) => (type: EventType) => EVENT_TYPES[type].data === kind

/** The types that carry one kind of data, as one shape. */
const inputOf = (kind: Kind) =>
  z
    .strictObject({
      type: z.enum(TYPES.filter(isOf(kind))),
      data: DATA[kind].optional(),
      occurredAt: TimeInput.optional().openapi({
        description: 'When it happened, at most 30 days back; now, unless told.',
      }),
      externalId: ExternalId.nullish(),
    })
    .openapi(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}EventInput`, {
      // Without a time, so that it can be sent as it stands on any day.
      example: {
        type: TYPES.find(isOf(kind)),
        data: DATA_EXAMPLES[kind],
        externalId: `${kind}-4711`,
      },
    })

type InputSchema = ReturnType<typeof inputOf>

const INPUTS = (Object.keys(DATA) as Kind[]).map(inputOf) as [InputSchema, ...InputSchema[]]

export const EventBody = z
  .discriminatedUnion('type', INPUTS, { error: saysWhatType })
  .openapi('EventInput')

export type EventInput = z.output<typeof EventBody>

const EVENTS_PER_BATCH_MAX = 100

/** Each event is parsed by itself, so that one bad event fails none of its neighbours. */
export const EventBatchBody = z
  .strictObject({
    events: z
      .array(z.unknown())
      .min(1)
      .max(EVENTS_PER_BATCH_MAX)
      .openapi({ type: 'array', items: { $ref: '#/components/schemas/EventInput' } }),
  })
  .openapi('EventBatch')

const Review = z
  .object({
    status: z.enum(['pending', 'appealed', 'released', 'upheld']),
    decisions: z.array(
      z.object({
        decision: z.enum(['released', 'upheld']),
        reason: z.string().openapi({ example: 'The invoice was checked.' }),
        decidedAt: Time,
      }),
    ),
    appeal: z
      .object({
        statement: z.string().openapi({ example: 'The invoices are attached to the order.' }),
        createdAt: Time,
      })
      .nullable()
      .openapi({
        description: "What the subject's owner has to say; null when nothing.",
        example: null,
      }),
  })
  .openapi('Review')

export const Event = z
  .object({
    id: Id,
    agentId: Id,
    type: EventTypeName,
    dimension: z.enum(DIMENSIONS as ['reliability', 'financial', 'identity']),
    impact: z.enum(['positive', 'negative']),
    data: AnyData.openapi({ example: DATA_EXAMPLES.task }),
    occurredAt: Time,
    createdAt: Time,
    isSelfReported: z.boolean(),
    reporter: z.object({
      kind: z.enum(['agent', 'platform', 'owner', 'system']).openapi({ example: 'platform' }),
      id: z.string().openapi({ example: '01931b5a-90c4-7f02-a5d3-6c1e8f7b4a20' }),
    }),
    externalId: z.string().nullable().openapi({ example: 'task-4711' }),
    weight: z.number().openapi({
      description:
        "The reporter's: 1 for a platform, less once reviews found against it; 0.1 for a self-report.",
      example: 1,
    }),
    fraudFlags: z.array(z.string()).openapi({ description: 'The rules it met.', example: [] }),
    isQuarantined: z.boolean(),
    quarantineReason: z.string().nullable().openapi({ example: null }),
    attestationVerified: z.boolean(),
    review: Review.nullable().openapi({
      description: 'Of an event that was held; null for others.',
      example: null,
    }),
  })
  .openapi('Event')

export const EventList = listOf(Event, 'EventList')

export const EventQueryParams = RangeQuery.extend({
  type: EventTypeName.optional().openapi({ param: { description: 'Events of this type alone.' } }),
})

export const EventBatchAnswer = z
  .object({
    accepted: z.int().openapi({ example: 1 }),
    rejected: z.int().openapi({ example: 1 }),
    errors: z.array(
      z.object({
        index: z.int().openapi({
          description: "The event's place in the batch, from 0.",
          example: 1,
        }),
        code: z.string().openapi({ example: 'VALIDATION_ERROR' }),
        message: z.string().openapi({ example: 'events.1.data.amount: must be at least 0' }),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    data: z.array(Event).openapi({ description: 'The events accepted, in the order given.' }),
  })
  .openapi('EventBatchAnswer')

export function presentEvent(event: RecordedEvent) {
  const { id, agentId, type, data, reporter, externalId } = event
  const { dimension, impact } = EVENT_TYPES[type]
  return {
    id,
    agentId,
    type,
    dimension,
    impact,
    data,
    occurredAt: time(event.occurredAt),
    createdAt: time(event.createdAt),
    isSelfReported: reporter.kind === 'agent',
    reporter,
    externalId,
    weight: event.self ? SELF_WEIGHT : FULL_WEIGHT * event.trust,
    fraudFlags: event.fraudFlags,
    isQuarantined: event.isQuarantined,
    quarantineReason: event.quarantineReason,
    attestationVerified: event.attestationVerified,
    review: event.review && presentReview(event.review),
  }
}

function presentReview({ status, decisions, appeal }: NonNullable<RecordedEvent['review']>) {
  return {
    status,
    decisions: decisions.map((decision) => ({ ...decision, decidedAt: time(decision.decidedAt) })),
    appeal: appeal && { statement: appeal.statement, createdAt: time(appeal.createdAt) },
  }
}
