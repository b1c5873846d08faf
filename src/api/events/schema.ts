import { DIMENSIONS, IMPACTS } from '../../domain/event.ts'
import { z } from '../../http/schema.ts'
import { listOf, RangeQuery } from '../paging.ts'
import { EventTypeName } from '../scores/schema.ts'
import { Id, Time } from '../wire.ts'
import { DATA_EXAMPLES, ExternalId, LoggedData } from './input-schema.ts'

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
        description: "The appeal of the agent's owner; null without one.",
        example: null,
      }),
  })
  .openapi('Review')

export const Event = z
  .object({
    id: Id,
    agentId: Id,
    type: EventTypeName,
    dimension: z.enum(DIMENSIONS),
    impact: z.enum(IMPACTS).openapi({
      description: '`neutral` only of `reports.discarded`, which may raise or lower a score.',
      example: 'positive',
    }),
    data: LoggedData.openapi({ example: DATA_EXAMPLES.task }),
    occurredAt: Time,
    createdAt: Time,
    isSelfReported: z.boolean(),
    reporter: z.object({
      kind: z.enum(['agent', 'platform', 'owner', 'system']).openapi({ example: 'platform' }),
      id: Id.openapi({ example: '01931b5a-90c4-7f02-a5d3-6c1e8f7b4a20' }),
    }),
    externalId: ExternalId.nullable(),
    imported: z.boolean().openapi({
      description:
        'Whether the operator imported it with a past. It then counts from `createdAt` on.',
      example: false,
    }),
    weight: z.number().openapi({
      description: 'The weight of its reporter: 1 for a platform, 0.1 for the agent and its owner.',
      example: 1,
    }),
    share: z.number().openapi({
      description:
        'How much of that weight the event had: 1 as a rule, less after reviews upheld the quarantine of ' +
        'many reports of the platform, for a credential that adds little to those known before, and for the ' +
        'nth event of a day with the same figures (1/n).',
      example: 1,
    }),
    reporterWeight: z.number().openapi({
      description:
        'How established the reporter was when the event was received: 1 established, 0.5 provisional, ' +
        '0.1 otherwise and for self-reports. A reporter below 0.5 has no vote of its own.',
      example: 1,
    }),
    hardness: z.number().openapi({
      description:
        'How much harder than usual such work was when the event was received, as a logarithm of odds, ' +
        'learnt from the outcomes of tasks with the same `taskClass` and `difficulty`. 0 when unknown.',
      example: 0,
    }),
    fraudFlags: z
      .array(z.string())
      .openapi({ description: 'The ids of the fraud rules it triggered.', example: [] }),
    isQuarantined: z.boolean(),
    quarantineReason: z.string().nullable().openapi({ example: null }),
    attestationVerified: z.boolean(),
    review: Review.nullable().openapi({
      description: 'The review of a quarantined event; null for others.',
      example: null,
    }),
  })
  .openapi('Event')

export const EventList = listOf(Event, 'EventList')

export const EventQueryParams = RangeQuery.extend({
  type: EventTypeName.optional().openapi({ param: { description: 'Only events of this type.' } }),
})

/** A platform looks back as far as it may test a policy. */
export const REPORTED_DAYS = 90

export const OwnEventQueryParams = EventQueryParams.extend({
  agentId: Id.optional().openapi({
    param: { description: 'Platform only: only events about this agent.' },
  }),
  quarantined: z
    .enum(['true', 'false'])
    .optional()
    .openapi({
      param: {
        description:
          'Platform only: `true` returns only quarantined events, `false` only the others.',
      },
    }),
})

export const EventBatchAnswer = z
  .object({
    accepted: z.int().openapi({ example: 1 }),
    rejected: z.int().openapi({ example: 1 }),
    errors: z.array(
      z.object({
        index: z.int().openapi({
          description: 'The index of the event in the batch, from 0.',
          example: 1,
        }),
        code: z.string().openapi({ example: 'VALIDATION_ERROR' }),
        message: z.string().openapi({ example: 'events.1.data.amount: must be at least 0' }),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    data: z.array(Event).openapi({ description: 'The accepted events, in the order given.' }),
  })
  .openapi('EventBatchAnswer')
