import { LOGGED_TYPES } from '../../domain/event.ts'
import { MODEL_VERSION } from '../../domain/model.ts'
import { CONFIDENCES, TIERS } from '../../domain/tiers.ts'
import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { AgentStatusName, Id, Points, queryInteger, TaskClass, Time, TimeInput } from '../wire.ts'

export const ClassificationName = z.enum(TIERS.map(({ label }) => label))
export const ConfidenceName = z.enum(CONFIDENCES)
export const EventTypeName = z.enum(LOGGED_TYPES).openapi('EventType')

const DimensionScore = z
  .object({
    score: Points.openapi({
      description:
        'How far the agent is trusted in this dimension. The three scores, each times its `weight`, add ' +
        'up to the score within a point. If there are events about work but none about payments, or the ' +
        'reverse, the dimension without events has the score of the other.',
    }),
    weight: z.number().openapi({
      description: 'The nominal weight of the dimension.',
      example: 0.4,
    }),
    effectiveWeight: z.number().openapi({
      description:
        'The weight of the dimension in this score. Of work and payments, one without events leaves ' +
        'its weight to the other.',
      example: 0.4,
    }),
    eventCount: z.int().min(0),
  })
  .openapi('DimensionScore')

const Breakdown = z
  .object({ reliability: DimensionScore, financial: DimensionScore, identity: DimensionScore })
  .openapi('Breakdown', {
    example: {
      reliability: { score: 776, weight: 0.4, effectiveWeight: 0.4, eventCount: 150 },
      financial: { score: 765, weight: 0.35, effectiveWeight: 0.35, eventCount: 60 },
      identity: { score: 655, weight: 0.25, effectiveWeight: 0.25, eventCount: 2 },
    },
  })

export const ModelVersion = z.string().openapi({
  description:
    'The version of the scoring model. Another version may score the same events differently.',
  example: MODEL_VERSION,
})

const INTERVAL = { low: 701, high: 780 }

export const Disputed = z
  .object({
    isDisputed: z.boolean(),
    platformsFor: z.int().min(0),
    platformsAgainst: z.int().min(0),
  })
  .openapi('Disputed', {
    description:
      'Whether platforms disagree about the agent, and how many of those with a vote of their own ' +
      'are for it and against it.',
    example: { isDisputed: false, platformsFor: 3, platformsAgainst: 0 },
  })

export const ExposureLimit = z
  .number()
  .min(0)
  .nullable()
  .openapi({
    description:
      'US dollars that may be at risk in one deal, from the payments that the agent has made well and ' +
      'its score. Null when no platform with a vote of its own has reported the amount of a good payment.',
    example: 144,
  })

const Graded = {
  agentId: Id,
  score: Points.openapi({ example: 742 }),
  classification: ClassificationName.openapi({ example: 'good' }),
  confidence: ConfidenceName.openapi({ example: 'medium' }),
  eventCount: z.int().min(0).openapi({
    description: 'Events accepted and not quarantined.',
    example: 212,
  }),
  breakdown: Breakdown,
  disputed: Disputed,
  exposureLimit: ExposureLimit,
}

const Probability = z.number().min(0).max(1)

const prospect = (description: string) =>
  z
    .object({
      probability: Probability.openapi({ description: 'Probability that the next one goes well.' }),
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
      'Probability that the next task succeeds; without task reports, that the next uptime or error ' +
        'report is a good one. Null when no platform has reported either.',
    ),
    payment: prospect(
      'Probability that the next payment is made on time. Null when no payment was reported.',
    ),
  })
  .openapi('Forecast')

/** What a question about one class of work adds to a score and to an explanation. */
export const ClassScore = z
  .object({
    name: TaskClass.openapi({ example: 'translation' }),
    isKnown: z.boolean().openapi({
      description:
        'False when no platform with a vote of its own has reported the class: all figures are then ' +
        'those of the whole.',
    }),
    eventCount: z.int().min(0).openapi({
      description: 'Reports of the class by platforms with a vote of their own.',
      example: 64,
    }),
    platforms: z.int().min(0).openapi({
      description: 'How many platforms made these reports.',
      example: 2,
    }),
    score: Points.openapi({ example: 690 }),
    classification: ClassificationName.openapi({ example: 'good' }),
    confidence: ConfidenceName.openapi({ example: 'medium' }),
    interval: z.object({ low: Points, high: Points }).openapi({ example: { low: 611, high: 752 } }),
    disputed: Disputed,
    difference: z.int().openapi({
      description: 'The score of the class less the score.',
      example: -52,
    }),
    forecast: prospect(
      'Probability that the next task of the class succeeds. Null when no platform has reported a ' +
        'task, uptime or an error.',
    ),
  })
  .openapi('ClassScore', {
    description:
      'Only with `taskClass`: the score with every report of that class counted five times. Where ' +
      'little is known of the class it is near the score.',
  })

export const TaskClassQuery = TaskClass.optional().openapi({
  description: 'Also return the score for this class of work, as task events name it.',
  example: 'translation',
})

export const Score = z
  .object({
    ...Graded,
    interval: z.object({ low: Points, high: Points }).openapi({
      description: 'The range of the score that the evidence allows.',
      example: INTERVAL,
    }),
    forecast: Forecast,
    evidence: z
      .object({
        platformReported: z.int().min(0),
        selfReported: z.int().min(0),
        quarantined: z.int().min(0),
      })
      .openapi({
        description:
          'The number of events by who reported them. Those that the service itself recorded (a change of ' +
          'hands, a ceiling, a discard of reports) are in `eventCount` only.',
        example: { platformReported: 190, selfReported: 22, quarantined: 1 },
      }),
    status: AgentStatusName,
    modelVersion: ModelVersion,
    computedAt: Time,
    correctedAt: Time.nullable().optional().openapi({
      description:
        'Only with `at`: when a review last changed the events behind this score; null when none did.',
    }),
    taskClass: ClassScore.optional(),
  })
  .openapi('Score')

const Snapshot = z
  .object({
    id: Id,
    ...Graded,
    trigger: z.object({ kind: z.enum(['event', 'model']), id: Id, type: EventTypeName }).openapi({
      description:
        'What caused the snapshot: an event, or a new scoring model (with the last event that counted ' +
        'before it). A review corrects the snapshots of the events, and sets `correctedAt`.',
    }),
    modelVersion: ModelVersion,
    createdAt: Time,
    correctedAt: Time.nullable().openapi({
      description: 'When a review last changed the events behind this score; null when none did.',
      example: null,
    }),
  })
  .openapi('Snapshot')

export const SnapshotList = listOf(Snapshot, 'SnapshotList')

export const ScoreQueryParams = z.object({
  at: TimeInput.optional().openapi({
    description:
      'Return the score as of this time, not before the registration: computed by the current model ' +
      'from the events received until then, as corrected by later reviews. Defaults to now.',
  }),
  taskClass: TaskClassQuery,
})

/** A chart as wide as a screen has some pixels for each. */
export const POINTS_DEFAULT = 100
const POINTS_MAX = 400

export const SeriesQueryParams = z.object({
  from: TimeInput.optional().openapi({
    description: 'The first time. Defaults to the registration, and is never before it.',
  }),
  to: TimeInput.optional().openapi({ description: 'The last time. Defaults to now.' }),
  points: queryInteger({
    min: 2,
    max: POINTS_MAX,
    default: POINTS_DEFAULT,
    description: 'The number of times.',
  }),
})

export const ScoreSeries = z
  .object({
    data: z.array(
      z.object({
        at: Time,
        score: Points.openapi({ example: 742 }),
        classification: ClassificationName.openapi({ example: 'good' }),
        confidence: ConfidenceName.openapi({ example: 'medium' }),
        interval: z.object({ low: Points, high: Points }).openapi({ example: INTERVAL }),
        isDisputed: z.boolean(),
      }),
    ),
  })
  .openapi('ScoreSeries')

/** The limit of the interface specification. */
export const BATCH_MAX = 100

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
