import { secretProblem } from '../../auth/sender-signature.ts'
import { REPORTED_TYPES } from '../../domain/event.ts'
import { TIME_FORMATS } from '../../domain/mapping.ts'
import { z } from '../../http/schema.ts'
import { SIGNATURE_SCHEMES } from '../../store/mappings.ts'
import { DATA_FIELDS } from '../events/input-schema.ts'
import { EventBatchAnswer } from '../events/schema.ts'
import { listOf } from '../paging.ts'
import { EXAMPLE_ID, Id, Time } from '../wire.ts'

const MappingName = z
  .string()
  .regex(
    /^(?=.*[a-z])[a-z0-9][a-z0-9._-]{0,39}$/,
    'must be 1 to 40 lower-case letters, digits, . _ or -, with a letter among them',
  )
  .openapi({ example: 'stripe' })

export const MappingParams = z.object({
  name: MappingName.openapi({ description: 'The name of the mapping.' }),
})

export const InletParams = z.object({
  id: Id.openapi({ description: 'The id of the platform, a UUID.' }),
  name: MappingName.openapi({ description: 'The name of the mapping.' }),
})

/** Each part of a path is read once, so that neither a pattern nor a payload can take long. */
const PATH = /^(?:\/(?:[^~/]|~[01])*){1,16}$/
const PATH_CHARS_MAX = 300

const Path = z
  .string()
  .max(PATH_CHARS_MAX)
  .regex(PATH, 'must be a JSON Pointer such as /data/object/id')
  .refine(
    (path) => path.split('/').filter((part) => part === '*').length <= 1,
    'may have one * at most',
  )
  .openapi({
    description: 'A JSON Pointer (RFC 6901). One part may be `*`: every member of a list.',
    example: '/type',
  })

const SCALAR = ['string', 'number', 'boolean'] as const
/** As long as the longest text of an event. */
const SCALAR_CHARS_MAX = 200

/** A text, a number or a boolean. */
const Value = z
  .union([z.string().max(SCALAR_CHARS_MAX), z.number(), z.boolean()], {
    error: 'must be a text of at most 200 characters, a number, true or false',
  })
  .openapi({ type: [...SCALAR], example: 'payment.completed' })

/** A platform with more kinds of payload than this has several mappings. */
const ENTRIES_MAX = 200

const tableOf = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(SCALAR_CHARS_MAX), value)
    .refine((table) => Object.keys(table).length <= ENTRIES_MAX, `may have ${ENTRIES_MAX} entries`)

const Values = tableOf(Value).openapi({
  description:
    'The value to take for the one found. Of several found, the first in the table counts.',
  example: { 'payment_intent.succeeded': 'payment.completed' },
})

const Divisor = z
  .strictObject({
    path: Path.optional().openapi({ example: '/data/object/currency' }),
    values: tableOf(z.number().positive())
      .optional()
      .openapi({ example: { jpy: 1 } }),
    otherwise: z.number().positive().openapi({ example: 100 }),
  })
  .openapi({ description: 'A number to divide by; it may depend on another value.' })

const Source = z.strictObject({
  path: Path.optional(),
  constant: Value.optional().openapi({ description: 'In place of a path.' }),
  values: Values.optional(),
  otherwise: Value.optional().openapi({
    description: 'The value where none is found, or none in the table.',
  }),
  upperCase: z.boolean().optional().openapi({ example: false }),
  divideBy: Divisor.optional(),
})

const AgentSource = z.strictObject({
  path: Path.optional().openapi({ example: '/data/object/metadata/agentId' }),
  constant: Value.optional().openapi({ description: 'In place of a path.', example: 'shop' }),
  values: tableOf(Value)
    .optional()
    .openapi({ example: { '7': 'shop.example.com' } }),
  remembered: z.boolean().optional().openapi({
    description: 'Whether the value is one that an earlier report of this mapping remembered.',
    example: false,
  }),
})

const Condition = z.strictObject({
  path: Path,
  in: z
    .array(Value)
    .min(1)
    .max(ENTRIES_MAX)
    .optional()
    .openapi({
      description:
        'The condition holds if one of these values is found. If none are given, any value will do.',
      example: ['payment_intent.succeeded'],
    }),
})

const TimeSource = z.strictObject({
  path: Path.openapi({ example: '/created' }),
  format: z.enum(TIME_FORMATS).openapi({
    description: '`utc`: `2026-06-15 11:00:00.000`, without a zone.',
    example: 'unix_seconds',
  }),
})

const Data = z
  .record(z.string().max(SCALAR_CHARS_MAX), Source)
  .superRefine((data, context) => {
    for (const name of Object.keys(data).filter((one) => !DATA_FIELDS.has(one))) {
      context.addIssue({ code: 'custom', path: [name], message: 'is not a field of event data' })
    }
  })
  .default({})
  .openapi({
    description: `A source for each of ${[...DATA_FIELDS].join(', ')}, as far as the type has it.`,
    example: { amount: { path: '/data/object/amount', divideBy: { otherwise: 100 } } },
  })

const few = <T extends z.ZodType>(item: T, max: number) => z.array(item).min(1).max(max)

const Rule = z
  .strictObject({
    when: z
      .array(Condition)
      .max(10)
      .default([])
      .openapi({ description: 'All must hold. The first rule whose conditions hold counts.' }),
    agent: few(AgentSource, 5).optional().openapi({
      description: 'Tried in order: the id of an agent, or a name that it has proven.',
    }),
    remember: few(Path, 5)
      .optional()
      .openapi({
        description: 'Values by which a later payload may name the agent.',
        example: ['/data/object/id'],
      }),
    type: Source.optional().openapi({
      description: `Must become one of ${REPORTED_TYPES.join(', ')}.`,
    }),
    occurredAt: TimeSource.optional().openapi({ description: 'Defaults to the time of receipt.' }),
    externalId: few(Path, 4)
      .optional()
      .openapi({
        description: 'The values that name the payload at its source: it counts once.',
        example: ['/id'],
      }),
    data: Data,
  })
  .openapi('MappingRule')

/** One for each event type, and some with further conditions. */
const RULES_MAX = 20

const Rules = z.array(Rule).min(1).max(RULES_MAX)

/** The payload of the examples; its agent is found by an id. */
const EXAMPLE_PAYLOAD = {
  id: 'evt_4711',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', amount: 1999, metadata: { agentId: EXAMPLE_ID } } },
}

const EXAMPLE_RULE = {
  when: [{ path: '/type', in: ['payment_intent.succeeded'] }],
  agent: [{ path: '/data/object/metadata/agentId' }],
  type: { path: '/type', values: { 'payment_intent.succeeded': 'payment.completed' } },
  externalId: ['/id'],
  data: { amount: { path: '/data/object/amount', divideBy: { otherwise: 100 } } },
}

export const Payload = z
  .record(z.string(), z.unknown())
  .openapi('MappingPayload', { example: EXAMPLE_PAYLOAD })

const Sender = z
  .strictObject({
    scheme: z.enum(SIGNATURE_SCHEMES).openapi({
      description:
        '`stripe`: `Stripe-Signature`; `github`: `X-Hub-Signature-256`; `standard_webhooks`: `webhook-signature`.',
      example: 'github',
    }),
    secret: z.string().min(16).max(200).optional().openapi({
      description:
        'Write-only. Left out: the secret stored before. For `standard_webhooks`: `whsec_` and 24 to 64 bytes in base64.',
      example: 'a secret shared with the sender',
    }),
  })
  .superRefine(({ scheme, secret }, context) => {
    const message = secret === undefined ? null : secretProblem(scheme, secret)
    if (message !== null) {
      context.addIssue({ code: 'custom', path: ['secret'], message })
    }
  })
  .nullable()
  .default(null)
  .openapi({
    description: 'How the sender signs, if it cannot send an API key.',
    example: { scheme: 'github', secret: 'a secret shared with the sender' },
  })

export const MappingBody = z
  .strictObject({
    rules: Rules,
    sample: Payload.openapi({ description: 'A payload that these rules make a report of.' }),
    sender: Sender,
  })
  .openapi('MappingInput', {
    example: {
      rules: [EXAMPLE_RULE],
      sample: EXAMPLE_PAYLOAD,
      sender: { scheme: 'github', secret: 'a secret shared with the sender' },
    },
  })

export const Mapping = z
  .object({
    name: MappingName,
    rules: z.array(Rule),
    sample: Payload,
    sender: z
      .object({ scheme: z.enum(SIGNATURE_SCHEMES) })
      .nullable()
      .openapi({ example: { scheme: 'github' } }),
    path: z.string().openapi({
      description: 'Where a sender that signs posts its payloads.',
      example: `/v1/platforms/${EXAMPLE_ID}/mappings/stripe/events`,
    }),
    createdAt: Time,
    updatedAt: Time,
  })
  .openapi('Mapping')

export const MappingList = listOf(Mapping, 'MappingList')

export const DryRunBody = z
  .strictObject({
    payload: Payload,
    rules: Rules.optional().openapi({ description: 'In place of those of the stored mapping.' }),
  })
  .openapi('MappingDryRun', { example: { payload: EXAMPLE_PAYLOAD, rules: [EXAMPLE_RULE] } })

const Issues = z.array(
  z.object({
    path: z.string().openapi({ example: 'rules.0.agent' }),
    code: z.string().openapi({ example: 'unmapped' }),
    message: z.string().openapi({ example: 'the payload has no such value at /data/agent' }),
  }),
)

export const DryRunResult = z
  .object({
    outcome: z.enum(['report', 'ignored', 'refused']).openapi({
      description: '`ignored`: the conditions of no rule hold.',
    }),
    rule: z.int().nullable().openapi({ description: 'The rule that counts.', example: 0 }),
    agentId: Id.nullable(),
    event: z
      .looseObject({})
      .nullable()
      .openapi({
        description: 'The report as it would be made.',
        example: {
          type: 'payment.completed',
          data: { amount: 19.99 },
          externalId: 'stripe evt_4711',
        },
      }),
    issues: Issues,
  })
  .openapi('MappingDryRunResult')

export const MappedAnswer = EventBatchAnswer.extend({
  ignored: z.int().openapi({
    description: 'Payloads for which the conditions of no rule hold.',
    example: 0,
  }),
}).openapi('MappedAnswer')
