import { RULES } from '../../fraud/rules.ts'
import { z } from '../../http/schema.ts'
import { Event } from '../events/schema.ts'
import { checkSpan, listOf, PageQuery } from '../paging.ts'
import { ClassificationName, Score } from '../scores/schema.ts'
import { AgentStatusName, Id, Reason, Time, TimeInput } from '../wire.ts'

const ReviewDecisionName = z.enum(['released', 'upheld'])
const RuleId = z.enum(RULES.map(({ id }) => id)).openapi({ example: 'near_duplicate' })

export const ReviewBody = z
  .strictObject({ decision: ReviewDecisionName, reason: Reason })
  .openapi('ReviewDecision')

const Filter = {
  rule: RuleId.optional().openapi({ description: 'Only events with a finding of this rule.' }),
  agentId: Id.optional().openapi({ description: 'Only events about this agent.' }),
  reporterId: Id.optional().openapi({ description: 'Only events from this reporter.' }),
  from: TimeInput.optional().openapi({ description: 'Earliest time of receipt to include.' }),
  to: TimeInput.optional().openapi({ description: 'Latest time of receipt to include.' }),
}

export const ReviewQueryParams = PageQuery.extend(Filter).superRefine(checkSpan)

export const BulkReviewBody = z
  .strictObject({ decision: ReviewDecisionName, reason: Reason, ...Filter })
  .refine(({ rule, agentId, reporterId }) => rule ?? agentId ?? reporterId, {
    message: 'must name a rule, an agentId or a reporterId',
    path: ['rule'],
  })
  .superRefine(checkSpan)
  .openapi('BulkReview')

export const BulkReviewAnswer = z
  .object({
    reviewed: z.int(),
    more: z.boolean().openapi({ description: 'Whether more events match the filter.' }),
    data: z.array(Event),
  })
  .openapi('BulkReviewAnswer')

export const AppealBody = z
  .strictObject({
    statement: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .openapi({ example: 'The invoices are attached to the order.' }),
  })
  .openapi('Appeal')

const Finding = z
  .object({
    rule: z.string().openapi({ example: 'contradictory_data' }),
    severity: z.enum(['low', 'medium', 'high']),
    mode: z
      .enum(['quarantine', 'shadow'])
      .openapi({ description: '`shadow`: recorded only; the rule did not quarantine the event.' }),
    sentence: z.string().openapi({
      example: 'The task is said to be completed and to have failed.',
    }),
    evidence: z.record(z.string(), z.number().or(z.string())),
  })
  .openapi('Finding')

const ReviewItem = Event.extend({
  findings: z
    .array(Finding)
    .openapi({ description: 'The findings of the rules, with their figures.' }),
  agent: z
    .object({
      status: AgentStatusName,
      score: z.int(),
      classification: ClassificationName,
      events: z.int().openapi({ description: 'The number of events that count.' }),
      quarantined: z
        .int()
        .openapi({ description: 'The number of events that are quarantined or were found wrong.' }),
      registeredAt: Time,
      daysActive: z.int(),
      usualPerDay: z.number().openapi({ description: 'Positive events on a usual day.' }),
      payments: z.object({ count: z.int(), usualUsd: z.number() }),
      platforms: z.array(z.object({ good: z.int(), bad: z.int(), days: z.int() })),
    })
    .nullable()
    .openapi({ description: 'The history of the agent, as of now.' }),
  reporterRecord: z
    .object({
      agreement: z.number(),
      total: z.int(),
      quarantined: z.int(),
      released: z.int(),
      upheld: z.int(),
    })
    .nullable()
    .openapi({ description: 'The history of the platform that reported the event.' }),
}).openapi('ReviewItem')

export const ReviewList = listOf(ReviewItem, 'ReviewList')

export const QuarantinedScore = z
  .object({
    quarantinedEvents: z
      .int()
      .openapi({ description: 'The number of events that await a decision.' }),
    current: Score,
    withQuarantined: Score.openapi({ description: 'The score if all of them counted.' }),
  })
  .openapi('QuarantinedScore')
