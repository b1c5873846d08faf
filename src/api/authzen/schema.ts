import { z } from '../../http/schema.ts'
import { Amount, Currency, Decision } from '../decisions/schema.ts'
import { PolicyFields, PolicyName } from '../policies/schema.ts'

/** Longer than any name of an agent. */
const TEXT_CHARS_MAX = 2_000

const Text = z.string().max(TEXT_CHARS_MAX)

/** What is at risk. Unknown fields are ignored, as AuthZEN asks. */
const Risk = z.looseObject({ amount: Amount.optional(), currency: Currency.optional() })

const Properties = Risk.optional().openapi({
  description: '`amount` and `currency` say what is at risk. Other properties are ignored.',
  example: { amount: 120, currency: 'USD' },
})

const Subject = z
  .looseObject({
    type: Text.openapi({ example: 'agent' }),
    id: Text.min(1).openapi({
      description: 'The id of an agent here, or any name under which it is known elsewhere.',
      example: 'did:web:agent.example.com',
    }),
    properties: z.looseObject({}).optional().openapi({ description: 'Ignored.', example: {} }),
  })
  .openapi('AuthZenSubject')

const Action = z
  .looseObject({
    name: Text.openapi({
      description: 'A stored policy of this name is used, where the context names no other.',
      example: 'purchase',
    }),
    properties: Properties,
  })
  .openapi('AuthZenAction')

const Resource = z
  .looseObject({
    type: Text.openapi({ example: 'order' }),
    id: Text.openapi({ example: '4711' }),
    properties: Properties,
  })
  .openapi('AuthZenResource')

const RequestContext = Risk.extend({
  policy: z
    .union([PolicyName, PolicyFields])
    .optional()
    .openapi({ description: 'The name of a stored policy, or a policy.' }),
}).openapi('AuthZenContext', { example: { policy: 'purchases' } })

const REQUEST = {
  subject: Subject,
  action: Action,
  resource: Resource,
  context: RequestContext.optional(),
}

export const Evaluation = z.looseObject(REQUEST).openapi('AuthZenEvaluation')

/** A decision and each of its defaults is read at once; more is another request. */
const EVALUATIONS_MAX = 100

export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const

export const Evaluations = z
  .looseObject({
    subject: Subject.optional(),
    action: Action.optional(),
    resource: Resource.optional(),
    context: RequestContext.optional(),
    evaluations: z
      .array(z.unknown())
      .max(EVALUATIONS_MAX)
      .optional()
      .openapi({
        type: 'array',
        items: { type: 'object' },
        description:
          'The evaluations. A member that one of them omits has the value of the request. Without ' +
          '`evaluations` the request itself is the only one.',
        example: [{ resource: { type: 'order', id: '4711' } }],
      }),
    options: z
      .looseObject({ evaluations_semantic: z.enum(SEMANTICS).optional() })
      .optional()
      .openapi({ example: { evaluations_semantic: 'execute_all' } }),
  })
  .openapi('AuthZenEvaluations')

const Failure = z.object({
  error: z.object({
    status: z.int().openapi({ example: 400 }),
    message: z.string().openapi({ example: 'resource: is required' }),
  }),
})

export const EvaluationAnswer = z
  .object({
    decision: z.boolean().openapi({ description: 'Whether to allow it; a review is no.' }),
    context: Decision,
  })
  .openapi('AuthZenDecision')

const OneOfMany = z.object({ decision: z.boolean(), context: z.union([Decision, Failure]) })

export const EvaluationsAnswer = z
  .union([z.object({ evaluations: z.array(OneOfMany) }), EvaluationAnswer])
  .openapi('AuthZenDecisions')

const BASE = 'https://trust.example.com'

export const PdpMetadata = z
  .object({
    policy_decision_point: z.string().openapi({ example: BASE }),
    access_evaluation_endpoint: z.string().openapi({ example: `${BASE}/access/v1/evaluation` }),
    access_evaluations_endpoint: z.string().openapi({ example: `${BASE}/access/v1/evaluations` }),
  })
  .openapi('AuthZenMetadata')
