import { DIMENSIONS, EVENT_TYPES, type EventType } from '../../domain/event.ts'
import { REASONS, type ReasonCode } from '../../domain/reasons.ts'
import type { Hypothetical } from '../../domain/what-if.ts'
import { z } from '../../http/schema.ts'
import { AgentStatusName, Id, Time } from '../wire.ts'
import { EXPLANATION_EXAMPLE } from './explanation-example.ts'
import {
  ClassificationName,
  ClassScore,
  ConfidenceName,
  Disputed,
  EventTypeName,
  ExposureLimit,
  ModelVersion,
  TaskClassQuery,
} from './schema.ts'

/** A larger number of events would not change the answer any more. */
const COUNT_MAX = 1_000
const HYPOTHETICALS_MAX = 5

const MORE_MESSAGE = `must be a list such as task.completed:10,task.failed:1 with at most ${HYPOTHETICALS_MAX} entries of at most ${COUNT_MAX} events each`

export const ExplanationQuery = z.object({
  since: Id.optional().openapi({
    description: 'The id of a snapshot: also explain why the score changed since then.',
  }),
  without: Id.optional().openapi({
    description:
      'The id of an event: also return the score without it. For the agent itself, its owner and the ' +
      'operator. For an event of long ago that is computed first: 503 with the reason `computing`, and ' +
      'the score a moment later.',
  }),
  more: z
    .string()
    .transform(hypotheticalsOf)
    .refine((asked) => asked !== null, MORE_MESSAGE)
    .transform((asked) => asked ?? [])
    .optional()
    .openapi({
      type: 'string',
      description: 'Also return the score after these additional events.',
      example: 'task.completed:10,payment.completed:5',
    }),
  taskClass: TaskClassQuery,
})

function hypotheticalsOf(text: string): readonly Hypothetical[] | null {
  const parts = text.split(',').map((part) => {
    const [, type = '', digits = ''] = /^([a-z.]+):(\d{1,4})$/.exec(part.trim()) ?? []
    const count = Number(digits)
    const isValid = Object.hasOwn(EVENT_TYPES, type) && count >= 1 && count <= COUNT_MAX
    return isValid ? { type: type as EventType, count } : null
  })
  const asked = parts.filter((part) => part !== null)
  return asked.length === parts.length && asked.length <= HYPOTHETICALS_MAX ? asked : null
}

const Points = z.int()
const Contribution = { events: z.int().min(0), points: Points }

const Contributions = z.object({
  time: Points.openapi({ description: 'The effect of time: decay and tenure.' }),
  correction: Points.openapi({
    description:
      'The difference between the published score and the events scored by the current model; ' +
      'usually 0.',
  }),
  dimensions: z.array(
    z.object({
      dimension: z.enum(DIMENSIONS),
      ...Contribution,
    }),
  ),
  types: z.array(z.object({ type: EventTypeName, ...Contribution })),
  reporters: z
    .array(
      z.object({
        reporter: z
          .object({ kind: z.enum(['agent', 'platform', 'owner', 'system']), id: Id })
          .nullable()
          .openapi({
            description: 'Null in the entry that sums up all reporters that are not listed.',
          }),
        ...Contribution,
      }),
    )
    .optional()
    .openapi({ description: 'Only for the agent itself, its owner and the operator.' }),
})

const ScoreChanges = z.array(
  z.object({ id: Id, type: EventTypeName, points: z.number(), createdAt: Time }),
)

const StrongestEvents = z.object({ up: ScoreChanges, down: ScoreChanges }).optional().openapi({
  description: 'The most influential first. Only for the agent itself, its owner and the operator.',
})

const NextTier = z.object({
  classification: ClassificationName,
  min: Points.openapi({ description: 'The lowest score of the tier.' }),
  pointsMissing: Points,
  ways: z
    .array(
      z.object({
        type: EventTypeName,
        perDay: z.int().nullable().openapi({ description: 'Null when all of them happen now.' }),
        events: z.int().openapi({ description: 'How many events of this type it takes.' }),
        days: z.int(),
      }),
    )
    .openapi({ description: 'The shortest first; empty when none takes less than half a year.' }),
})

const ErrorBudget = z.object({
  classification: ClassificationName,
  pointsLeft: Points.openapi({ description: 'By how much the score may fall within the tier.' }),
  failures: z.array(
    z.object({
      type: EventTypeName,
      events: z.int().nullable().openapi({
        description: 'How many of them cost no tier; null when that is more than were tried.',
      }),
    }),
  ),
})

export const ScoreExplanation = z
  .object({
    agentId: Id,
    score: Points,
    classification: ClassificationName,
    confidence: ConfidenceName,
    disputed: Disputed,
    exposureLimit: ExposureLimit,
    status: AgentStatusName,
    contributions: Contributions.extend({
      start: Points.openapi({ description: 'The score before any event.' }),
    }).openapi({
      description:
        '`start`, `time`, `correction` and the dimensions add up to the score exactly. So do the ' +
        'first three and the types, and the first three and the reporters.',
    }),
    reasons: z
      .array(
        z.object({
          code: z.enum(Object.keys(REASONS) as ReasonCode[]),
          effect: z.enum(['lowers', 'raises', 'limits']),
          sentence: z.string(),
        }),
      )
      .openapi({
        description:
          'What lowers and limits comes first. A limit such as `young`, `former_agent` or `has_parent` is ' +
          'listed while it takes at least a point from the score.',
      }),
    nextTier: NextTier.nullable().openapi({
      description: 'How the next better tier can be reached; null in the best one.',
    }),
    errorBudget: ErrorBudget.nullable().openapi({
      description: 'How much the agent can fail and keep its tier; null in the worst one.',
    }),
    after: z
      .array(z.object({ type: EventTypeName, count: z.int(), score: Points, difference: Points }))
      .openapi({
        description:
          'The score after so many more events of a type that a platform reports now: those of `more`, ' +
          'otherwise some usual ones.',
      }),
    events: StrongestEvents,
    since: z
      .object({
        snapshot: z.object({ id: Id, score: Points, createdAt: Time }),
        difference: Points,
        contributions: Contributions.openapi({
          description: '`time`, `correction` and the dimensions add up to the difference exactly.',
        }),
        events: StrongestEvents,
      })
      .optional()
      .openapi({ description: 'Only with `since`: why the score changed after this snapshot.' }),
    without: z
      .object({
        eventId: Id,
        counts: z
          .boolean()
          .openapi({ description: 'Whether the event counts; otherwise the score is the same.' }),
        score: Points,
        difference: Points,
      })
      .optional()
      .openapi({ description: 'Only with `without`: the score without this event.' }),
    taskClass: ClassScore.optional(),
    modelVersion: ModelVersion,
    computedAt: Time,
  })
  .openapi('ScoreExplanation', { example: EXPLANATION_EXAMPLE })
