import { isCurrency } from '../../domain/currency.ts'
import { EVENT_TYPES, REPORTED_TYPES, type ReportedType } from '../../domain/event.ts'
import { z } from '../../http/schema.ts'
import { parseBy, REQUIRED } from '../../http/validation-messages.ts'
import { isJsonObject } from '../../lib/json-object.ts'
import { EventTypeName } from '../scores/schema.ts'
import { AMOUNT_MAX, Id, TaskClass, TimeInput } from '../wire.ts'
import { EXTERNAL_ID_CHARS_MAX } from './external-id.ts'

const Text = z.string().max(200)
const NotNegative = z.number().min(0)

const Counterparty = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .openapi({
    description:
      "The other party, such as the customer, by the reporter's name for it. Each counterparty of a " +
      'platform counts for what it said last: for two good events or a bad one at most. Stored and ' +
      'returned as a keyed hash only.',
  })

const TaskData = z
  .strictObject({
    duration: NotNegative.optional().openapi({ description: 'Milliseconds.' }),
    success: z.boolean().optional(),
    errorCode: Text.optional(),
    difficulty: z
      .literal([1, 2, 3])
      .optional()
      .openapi({
        type: 'integer',
        enum: [1, 2, 3],
        description: '1 easy, 2 medium, 3 hard. What it counts for is learnt from outcomes.',
      }),
    taskClass: TaskClass.optional().openapi({
      description: "The reporter's name for this kind of work, such as `translation`.",
    }),
    counterparty: Counterparty,
  })
  .openapi('TaskData')

const PaymentData = z
  .strictObject({
    amount: NotNegative.max(AMOUNT_MAX).optional().openapi({
      description: 'In units of the currency, not in cents: 120.5 is 120 dollars and 50 cents.',
    }),
    currency: z
      .string()
      .refine(isCurrency, 'must be an ISO 4217 currency code such as USD')
      .optional()
      .openapi({ description: 'ISO 4217 code. Defaults to USD.', pattern: '^[A-Z]{3}$' }),
    daysLate: NotNegative.max(36_500).optional().openapi({
      description: 'How many days late the payment was (`payment.late`).',
    }),
    counterparty: Counterparty,
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
      .openapi({ description: 'Defaults to `medium`.' }),
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

/** Every field that the data of an event may have. */
export const DATA_FIELDS: ReadonlySet<string> = new Set(
  Object.values(DATA).flatMap(({ shape }) => Object.keys(shape)),
)

/** What a change of hands, a parent's ceiling, or a discard says in lists of events. */
const HandoverData = z
  .object({
    transferId: Id.optional(),
    predecessorId: Id.optional(),
    parentId: Id.optional(),
    ceiling: z.number().optional(),
    platformId: Id.optional(),
  })
  .openapi('HandoverData')

/** What the log of a parent says of a bad report of its child. */
const ChildData = z
  .object({
    childId: Id,
    childEventId: Id,
    childEventType: EventTypeName.optional(),
    observation: z.number(),
    amount: z.number().optional(),
    currency: z.string().optional(),
    counterparty: z.string().optional(),
  })
  .openapi('ChildData')

/** Every field is optional; a field must belong to the event type. */
const AnyData = z.union(Object.values(DATA) as [typeof TaskData, ...(typeof TaskData)[]])

export const LoggedData = z.union([AnyData, HandoverData, ChildData])

export const ExternalId = z.string().min(1).max(EXTERNAL_ID_CHARS_MAX).openapi({
  description:
    "The reporter's own id of the event: a report with the same id and content counts once.",
  example: 'task-4711',
})

const UNKNOWN_TYPE = `must be one of ${REPORTED_TYPES.join(', ')}`

/** The type is at fault only when the value is an object. */
function typeMessage({ input }: { readonly input?: unknown }): string | undefined {
  if (!isJsonObject(input)) {
    return undefined
  }
  return 'type' in input ? UNKNOWN_TYPE : REQUIRED
}

type Kind = keyof typeof DATA

export const DATA_EXAMPLES: Readonly<Record<Kind, object>> = {
  task: { duration: 1200, success: true },
  payment: { amount: 149.9, currency: 'EUR', daysLate: 0 },
  uptime: { uptimePercentage: 99.95, responseTimeMs: 180 },
  error: { errorType: 'upstream_timeout', severity: 'medium' },
  credential: { credentialType: 'identity.verified' },
}

const isOf = (kind: Kind) => (type: ReportedType) => EVENT_TYPES[type].data === kind

/** What an event of any type may have besides its data. */
const COMMON = {
  occurredAt: TimeInput.optional().openapi({
    description:
      'When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ' +
      'ahead. Defaults to the time of receipt.',
  }),
  externalId: ExternalId.nullish(),
}

/** The event types that share one kind of data, as one schema. */
const inputOf = (kind: Kind) =>
  z
    .strictObject({
      type: z.enum(REPORTED_TYPES.filter(isOf(kind))),
      data: DATA[kind].optional(),
      ...COMMON,
    })
    .openapi(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}EventInput`, {
      // Without a time, so that the example is valid on any day.
      example: {
        type: REPORTED_TYPES.find(isOf(kind)),
        data: DATA_EXAMPLES[kind],
        externalId: `${kind}-4711`,
      },
    })

type InputSchema = ReturnType<typeof inputOf>

const INPUTS = (Object.keys(DATA) as Kind[]).map(inputOf) as [InputSchema, ...InputSchema[]]

/** An event whose type is missing or unknown: a field of any kind of data may be meant. */
const OfUnknownType = z.strictObject({
  type: z.unknown().optional(),
  data: z
    .strictObject(Object.assign({}, ...Object.values(DATA).map(({ shape }) => shape)))
    .optional(),
  ...COMMON,
})

/** The union itself stops at the type, and an error lists every problem. */
export const EventBody = z
  .discriminatedUnion('type', INPUTS, { error: typeMessage })
  .superRefine(
    (event, context) => {
      const { error } = parseBy(OfUnknownType, event)
      context.issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[]))
    },
    { when: ({ issues }) => issues.some(({ code }) => code === 'invalid_union') },
  )
  .openapi('EventInput')

/** The limit of the interface specification. */
export const EVENTS_PER_BATCH_MAX = 100

/** Each event is parsed on its own, so that a bad one does not fail the others. */
export const EventBatchBody = z
  .strictObject({
    events: z
      .array(z.unknown())
      .min(1)
      .max(EVENTS_PER_BATCH_MAX)
      .openapi({
        type: 'array',
        minItems: 1,
        maxItems: EVENTS_PER_BATCH_MAX,
        items: { $ref: '#/components/schemas/EventInput' },
      }),
  })
  .openapi('EventBatch')
