import { isCurrency } from '../../domain/currency.ts'
import { REASON_CODES } from '../../domain/decision.ts'
import { VERDICTS } from '../../domain/policy.ts'
import { z } from '../../http/schema.ts'
import { DECISION_APIS } from '../../store/store.ts'
import { PublicAgent } from '../agents/schema.ts'
import { IDENTIFIER_CHARS_MAX } from '../identifiers/schema.ts'
import { listOf } from '../paging.ts'
import { AppliedPolicy, PolicyFields, PolicyName } from '../policies/schema.ts'
import { ConfidenceName, Disputed, ExposureLimit } from '../scores/schema.ts'
import { AMOUNT_MAX, Id, Points, Time } from '../wire.ts'

const Subject = {
  agentId: Id.optional().openapi({ description: 'The agent, by its id here.' }),
  identifier: z.string().min(1).max(IDENTIFIER_CHARS_MAX).optional().openapi({
    description: 'Or by a name under which it is known elsewhere.',
    example: 'did:web:agent.example.com',
  }),
}

const ActionName = z.string().trim().min(1).max(64).openapi({
  description:
    'The action to decide on. If `policy` is not given, the stored policy of this name is used.',
  example: 'purchase',
})

export const Amount = z.number().min(0).max(AMOUNT_MAX).openapi({
  description: 'What is at risk.',
  example: 120,
})

export const Currency = z
  .string()
  .refine(isCurrency, 'must be a currency code of ISO 4217, such as USD')
  .openapi({ description: 'The currency of the amount; US dollars by default.', example: 'USD' })

export const DecisionBody = z
  .strictObject({
    ...Subject,
    action: ActionName.optional(),
    amount: Amount.optional(),
    currency: Currency.optional(),
    policy: z
      .union([PolicyName, PolicyFields])
      .optional()
      .openapi({ description: 'The name of a stored policy, or a policy.' }),
  })
  .superRefine(({ agentId, identifier, amount, currency }, context) => {
    if ((agentId === undefined) === (identifier === undefined)) {
      const message =
        agentId === undefined
          ? 'is required, unless agentId is given'
          : 'must not be given together with agentId'
      context.addIssue({ code: 'custom', path: ['identifier'], message })
    }
    if (currency !== undefined && amount === undefined) {
      context.addIssue({ code: 'custom', path: ['currency'], message: 'needs an amount' })
    }
  })
  .openapi('DecisionRequest', {
    example: {
      identifier: 'did:web:agent.example.com',
      action: 'purchase',
      amount: 120,
      currency: 'USD',
      policy: 'purchases',
    },
  })

export const Decision = z
  .object({
    decision: z.enum(VERDICTS),
    reasons: z
      .array(
        z.object({
          code: z.enum(REASON_CODES),
          message: z.string().openapi({ example: 'the score of 742 is at least 650' }),
        }),
      )
      .openapi({ description: 'What led to this decision, for a person to read.' }),
    agent: z.union([PublicAgent, z.null()]),
    score: Points.nullable().openapi({ example: 742 }),
    confidence: z.union([ConfidenceName, z.null()]),
    interval: z
      .object({ low: z.int(), high: z.int() })
      .nullable()
      .openapi({
        description: 'The range of the score that the evidence allows.',
        example: { low: 701, high: 780 },
      }),
    disputed: z.union([Disputed, z.null()]),
    exposureLimit: ExposureLimit,
    ownExperience: z
      .object({
        good: z.int().min(0),
        bad: z.int().min(0),
        lastReportAt: Time.nullable(),
      })
      .nullable()
      .openapi({
        description:
          'What the asking platform has itself reported: its latest 200 reports about the agent, or what its ' +
          'vote keeps of them where thousands of others came since. Null for other callers.',
        example: { good: 41, bad: 1, lastReportAt: '2026-06-14T09:30:00.000Z' },
      }),
    policy: AppliedPolicy,
    expiresAt: Time.openapi({ description: 'Ask again after this.' }),
  })
  .openapi('Decision')

const PastDecision = z
  .object({
    id: Id,
    createdAt: Time,
    via: z.enum(DECISION_APIS).openapi({
      description:
        'How it was asked for: `api` is `POST /v1/decisions`, also by a tool of MCP; `authzen` an ' +
        'evaluation; `gate` the gate of a proxy.',
    }),
    agent: z.union([PublicAgent, z.null()]),
    identifier: z.string().nullable().openapi({
      description: 'The id or name that was asked about, where it led to no agent.',
      example: null,
    }),
    action: z.string().nullable().openapi({ example: 'purchase' }),
    decision: z.enum(VERDICTS),
    reasons: z
      .array(
        z.object({
          code: z.string().openapi({ example: 'meets_policy' }),
          message: z.string().openapi({ example: 'the score of 742 is at least 650' }),
        }),
      )
      .openapi({ description: 'What led to this decision.' }),
    score: z
      .int()
      .min(0)
      .max(1000)
      .nullable()
      .openapi({ description: 'As it was then.', example: 742 }),
    policy: z.string().nullable().openapi({
      description: 'The name of the stored policy; null for one that was not stored.',
      example: 'purchases',
    }),
  })
  .openapi('PastDecision')

export const PastDecisionList = listOf(PastDecision, 'PastDecisionList')
