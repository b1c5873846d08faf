import { EVENT_TYPES, type EventType } from '../../domain/event.ts'
import { forecastAt } from '../../domain/forecast.ts'
import { MODEL, MODEL_VERSION } from '../../domain/model.ts'
import type { Score as ScoreValue } from '../../domain/score.ts'
import { classify, confidenceOf, TIERS } from '../../domain/tiers.ts'
import { z } from '../../http/schema.ts'
import type { AgentState, Snapshot as SnapshotRow } from '../../store/store.ts'
import { AgentStatusName } from '../agents/schema.ts'
import { Id, listOf, RangeQuery, Time, TimeInput, time, timeOrNull } from '../wire.ts'

const Points = z.int().min(0).max(1000)

export const ClassificationName = z.enum(['excellent', 'good', 'fair', 'poor', 'untrusted'])
export const ConfidenceName = z.enum(['low', 'medium', 'high'])
export const EventTypeName = z
  .enum(Object.keys(EVENT_TYPES) as [EventType, ...EventType[]])
  .openapi('EventType')

const DimensionScore = z
  .object({
    score: Points,
    weight: z.number().openapi({
      description: "The dimension's share by the interface.",
      example: 0.4,
    }),
    effectiveWeight: z.number().openapi({
      description:
        'Its share in this score: part of the weight of a dimension without evidence moves.',
      example: 0.4,
    }),
    eventCount: z.int().min(0),
  })
  .openapi('DimensionScore')

export const Breakdown = z
  .object({ reliability: DimensionScore, financial: DimensionScore, identity: DimensionScore })
  .openapi('Breakdown', {
    example: {
      reliability: { score: 776, weight: 0.4, effectiveWeight: 0.4, eventCount: 150 },
      financial: { score: 765, weight: 0.35, effectiveWeight: 0.35, eventCount: 60 },
      identity: { score: 655, weight: 0.25, effectiveWeight: 0.25, eventCount: 2 },
    },
  })

const ModelVersion = z.string().openapi({
  description: 'The model that made the score; another one may judge the same events otherwise.',
  example: MODEL_VERSION,
})

const INTERVAL = { low: 701, high: 780 }

const Graded = {
  agentId: Id,
  score: Points.openapi({ example: 742 }),
  classification: ClassificationName.openapi({ example: 'good' }),
  confidence: ConfidenceName.openapi({ example: 'medium' }),
  eventCount: z.int().min(0).openapi({
    description: 'Events accepted and not held.',
    example: 212,
  }),
  breakdown: Breakdown,
}

const Probability = z.number().min(0).max(1)

const prospect = (description: string) =>
  z
    .object({
      probability: Probability.openapi({ description: 'That the next one goes well.' }),
      low: Probability.openapi({
        description: 'The true rate lies between `low` and `high` with 90 % probability.',
      }),
      high: Probability,
    })
    .nullable()
    .openapi({ description, example: { probability: 0.9412, low: 0.8803, high: 0.9826 } })

const Forecast = z
  .object({
    task: prospect(
      'That the next task succeeds; where no task was reported, that the next report on uptime ' +
        'and errors is a good one. Null when no platform has reported any: nothing is known.',
    ),
    payment: prospect('That the next payment is made, on time. Null when nothing is known.'),
  })
  .openapi('Forecast')

export const Score = z
  .object({
    ...Graded,
    interval: z
      .object({ low: Points, high: Points })
      .openapi({ description: 'Where the score lies, by what is known.', example: INTERVAL }),
    forecast: Forecast,
    evidence: z
      .object({
        platformReported: z.int().min(0),
        selfReported: z.int().min(0),
        quarantined: z.int().min(0),
      })
      .openapi({
        description: 'Who said what the score is made of.',
        example: { platformReported: 190, selfReported: 22, quarantined: 1 },
      }),
    status: AgentStatusName,
    modelVersion: ModelVersion,
    computedAt: Time,
    correctedAt: Time.nullable().optional().openapi({
      description:
        'Only with `at`: when a review changed what had gone into this score; null when none did.',
    }),
  })
  .openapi('Score')

export const Snapshot = z
  .object({
    id: Id,
    ...Graded,
    trigger: z
      .object({ kind: z.enum(['event', 'review', 'model']), id: Id, type: EventTypeName })
      .openapi({
        description:
          'The event folded or reviewed; with `model` the last event that counted when another model took over.',
      }),
    modelVersion: ModelVersion,
    createdAt: Time,
    correctedAt: Time.nullable().openapi({
      description: 'When a review changed what had gone into this score; null when none did.',
      example: null,
    }),
  })
  .openapi('Snapshot')

export const SnapshotList = listOf(Snapshot, 'SnapshotList')

export const HistoryQueryParams = RangeQuery

export const ScoreQueryParams = z.object({
  at: TimeInput.optional().openapi({
    description:
      'The score as of this instant, since the registration: what was served then, corrected by ' +
      'the reviews since, by the model in force now.',
  }),
})

/** As many as one request may ask for (interface, Limits). */
const BATCH_MAX = 100

export const BatchBody = z
  .strictObject({ agentIds: z.array(Id).min(1).max(BATCH_MAX) })
  .openapi('ScoreBatch')

export const BatchAnswer = z
  .object({ data: z.array(Score), notFound: z.array(Id).openapi({ example: [] }) })
  .openapi('ScoreBatchAnswer')

export const Tiers = z
  .object({
    data: z
      .array(
        z.object({
          label: ClassificationName,
          name: z.string(),
          min: Points,
          max: Points,
          meaning: z.string(),
        }),
      )
      .openapi({ example: [...TIERS] }),
  })
  .openapi('Classifications')

export function presentTiers() {
  return { data: TIERS }
}

export function presentScore(agentState: AgentState, value: ScoreValue, computedAt: number) {
  const { agentId, status, quarantinedCount: quarantined } = agentState
  const { score, classification, confidence, eventCount, breakdown, interval } = value
  return {
    agentId,
    score,
    classification,
    confidence,
    eventCount,
    breakdown,
    interval,
    forecast: forecastAt(MODEL, agentState.evidence, computedAt),
    evidence: { ...value.evidence, quarantined },
    status,
    modelVersion: value.modelVersion,
    computedAt: time(computedAt),
  }
}

/** A score of the past. Whatever is not of the past in the standing has been put in its place. */
export function presentPastScore(
  agentState: AgentState,
  value: ScoreValue,
  { at, correctedAt }: { readonly at: number; readonly correctedAt: number | null },
) {
  return { ...presentScore(agentState, value, at), correctedAt: timeOrNull(correctedAt) }
}

export function presentSnapshot(snapshot: SnapshotRow) {
  const { id, agentId, score, eventCount, breakdown, trigger, modelVersion } = snapshot
  return {
    id,
    agentId,
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown,
    trigger,
    modelVersion,
    createdAt: time(snapshot.createdAt),
    correctedAt: timeOrNull(snapshot.correctedAt),
  }
}
