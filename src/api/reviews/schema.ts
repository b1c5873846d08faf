import type { RecordedEvent } from '../../domain/agent.ts'
import { classify } from '../../domain/tiers.ts'
import { agreementOf, NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import { RULES } from '../../fraud/rules.ts'
import { z } from '../../http/schema.ts'
import type { AgentState } from '../../store/store.ts'
import { AgentStatusName } from '../agents/schema.ts'
import { Event, presentEvent } from '../events/schema.ts'
import { Reason } from '../operator/routes.ts'
import { ClassificationName, Score } from '../scores/schema.ts'
import { Id, listOf, PageQuery, Time, TimeInput, time } from '../wire.ts'

const ReviewDecisionName = z.enum(['released', 'upheld'])
const RULE_IDS = RULES.map(({ id }) => id) as [string, ...string[]]
const RuleId = z.enum(RULE_IDS).openapi({ example: 'one_sided' })

export const ReviewBody = z
  .strictObject({ decision: ReviewDecisionName, reason: Reason })
  .openapi('ReviewDecision')

const Filter = {
  rule: RuleId.optional().openapi({ description: 'Only what this rule found.' }),
  agentId: Id.optional().openapi({ description: 'Only events about this agent.' }),
  reporterId: Id.optional().openapi({ description: 'Only what this reporter told.' }),
  from: TimeInput.optional().openapi({ description: 'Received then or later.' }),
  to: TimeInput.optional().openapi({ description: 'Received then or earlier.' }),
}

export const ReviewQueryParams = PageQuery.extend(Filter)

/** Decided in one transaction, each agent's scores anew: a few seconds at the most. */
export const BULK_MAX = 100

export const BulkReviewBody = z
  .strictObject({ decision: ReviewDecisionName, reason: Reason, ...Filter })
  .refine(({ rule, agentId, reporterId }) => rule ?? agentId ?? reporterId, {
    message: 'must name a rule, an agentId or a reporterId',
    path: ['rule'],
  })
  .openapi('BulkReview')

export const BulkReviewAnswer = z
  .object({
    reviewed: z.int(),
    more: z.boolean().openapi({ description: 'Whether more await review by the same filter.' }),
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
      .enum(['hold', 'shadow'])
      .openapi({ description: 'shadow: noted, and not held for it.' }),
    sentence: z.string().openapi({
      example: 'The task is said to be completed and to have failed.',
    }),
    evidence: z.record(z.string(), z.number().or(z.string())),
  })
  .openapi('Finding')

export const ReviewItem = Event.extend({
  findings: z.array(Finding).openapi({ description: 'What the rules found, and the figures.' }),
  agent: z
    .object({
      status: AgentStatusName,
      score: z.int(),
      classification: ClassificationName,
      events: z.int(),
      quarantined: z.int(),
      registeredAt: Time,
      daysActive: z.int(),
      usualPerDay: z.number().openapi({ description: 'Good events on a usual day.' }),
      payments: z.object({ count: z.int(), usualUsd: z.number() }),
      platforms: z.array(z.object({ good: z.int(), bad: z.int(), days: z.int() })),
    })
    .nullable()
    .openapi({ description: 'What is known of the agent now.' }),
  reporterRecord: z
    .object({
      agreement: z.number(),
      total: z.int(),
      held: z.int(),
      released: z.int(),
      upheld: z.int(),
    })
    .nullable()
    .openapi({ description: 'What is known of the platform that reported it.' }),
}).openapi('ReviewItem')

export const ReviewList = listOf(ReviewItem, 'ReviewList')

export const QuarantinedScore = z
  .object({
    heldEvents: z.int().openapi({ description: 'Events that await a decision.' }),
    current: Score,
    withHeld: Score.openapi({ description: 'As it would be if all of them counted.' }),
  })
  .openapi('HeldScore')

/** What a reviewer sees of an event: what was found beside what is known of agent and reporter. */
export function presentReviewItem(
  event: RecordedEvent,
  agentState: AgentState | undefined,
  record: ReporterStats | undefined,
) {
  return {
    ...presentEvent(event),
    findings: event.findings,
    agent: agentState ? presentHistory(agentState) : null,
    reporterRecord: event.reporter.kind === 'platform' ? presentRecord(record) : null,
  }
}

function presentHistory({
  status,
  score,
  seq,
  quarantinedCount: quarantined,
  evidence,
  profile,
}: AgentState) {
  const { days, payments, reporters: voices } = profile
  return {
    status,
    score,
    classification: classify(score),
    events: seq,
    quarantined,
    registeredAt: time(evidence.registeredAt),
    daysActive: days.active + (days.last < 0 ? 0 : 1),
    usualPerDay: days.usual,
    payments: { count: payments.count, usualUsd: Math.round(2 ** payments.mean - 1) },
    platforms: voices.map(({ good, bad, days }) => ({ good, bad, days })),
  }
}

function presentRecord(record: ReporterStats = NO_REPORTS) {
  const { events: total, held, released, upheld } = record
  return { agreement: Math.round(agreementOf(record) * 1000) / 1000, total, held, released, upheld }
}
