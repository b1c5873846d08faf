import { DIMENSIONS, EVENT_TYPES, type EventType } from '../../domain/event.ts'
import { REASONS, type ReasonCode } from '../../domain/reasons.ts'
import type { Hypothetical } from '../../domain/what-if.ts'
import { z } from '../../http/schema.ts'
import { AgentStatusName } from '../agents/schema.ts'
import { Id, Time } from '../wire.ts'
import { EXPLANATION_EXAMPLE } from './explanation-example.ts'
import { ClassificationName, ConfidenceName, EventTypeName } from './schema.ts'

/** More of one type at once than this says nothing new. */
const COUNT_MAX = 1_000
const SUPPOSITIONS_MAX = 5

const MORE_WORDS = `must read like task.completed:10, of at most ${COUNT_MAX} events each, up to ${SUPPOSITIONS_MAX} of them with commas between`

export const ExplanationQuery = z.object({
  since: Id.optional().openapi({ description: 'A snapshot: why the score moved since.' }),
  without: Id.optional().openapi({
    description:
      'An event: what the score would be without it. For the agent, its owner and the operator.',
  }),
  more: z
    .string()
    .transform(suppositionsOf)
    .refine((asked) => asked !== null, MORE_WORDS)
    .transform((asked) => asked ?? [])
    .optional()
    .openapi({
      type: 'string',
      description: 'What the score would be after so many more events now.',
      example: 'task.completed:10,payment.completed:5',
    }),
})

function suppositionsOf(text: string): readonly Hypothetical[] | null {
  const parts = text.split(',').map((part) => {
    const [, type = '', digits = ''] = /^([a-z.]+):(\d{1,4})$/.exec(part.trim()) ?? []
    const count = Number(digits)
    const isGood = Object.hasOwn(EVENT_TYPES, type) && count >= 1 && count <= COUNT_MAX
    return isGood ? { type: type as EventType, count } : null
  })
  const asked = parts.filter((part) => part !== null)
  return asked.length === parts.length && asked.length <= SUPPOSITIONS_MAX ? asked : null
}

const Points = z.int()
const Contribution = { events: z.int().min(0), points: Points }

const Contributions = z.object({
  time: Points.openapi({ description: 'What the passing of days brought and took.' }),
  correction: Points.openapi({
    description: 'Where the score told is not what the log gives under the model in force; else 0.',
  }),
  dimensions: z.array(
    z.object({
      dimension: z.enum(DIMENSIONS as ['reliability', 'financial', 'identity']),
      ...Contribution,
    }),
  ),
  types: z.array(z.object({ type: EventTypeName, ...Contribution })),
  reporters: z
    .array(
      z.object({
        reporter: z
          .object({ kind: z.enum(['agent', 'platform', 'owner', 'system']), id: z.string() })
          .nullable()
          .openapi({ description: 'Null for all those together that are not named.' }),
        ...Contribution,
      }),
    )
    .optional()
    .openapi({ description: 'For the agent, its owner and the operator.' }),
})

const Moves = z.array(
  z.object({ id: Id, type: EventTypeName, points: z.number(), createdAt: Time }),
)

const StrongestEvents = z
  .object({ up: Moves, down: Moves })
  .optional()
  .openapi({ description: 'The strongest first. For the agent, its owner and the operator.' })

const NextTier = z.object({
  classification: ClassificationName,
  min: Points,
  pointsMissing: Points,
  ways: z
    .array(
      z.object({
        type: EventTypeName,
        perDay: z.int().nullable().openapi({ description: 'Null: all of them now.' }),
        events: z.int(),
        days: z.int(),
      }),
    )
    .openapi({ description: 'The shortest first; none where none was found in half a year.' }),
})

const ErrorBudget = z.object({
  classification: ClassificationName,
  pointsLeft: Points,
  failures: z.array(
    z.object({
      type: EventTypeName,
      events: z.int().nullable().openapi({ description: 'Null: more than were tried.' }),
    }),
  ),
})

export const ScoreExplanation = z
  .object({
    agentId: Id,
    score: Points,
    classification: ClassificationName,
    confidence: ConfidenceName,
    status: AgentStatusName,
    contributions: Contributions.extend({
      start: Points.openapi({ description: 'What there was before any event.' }),
    }).openapi({
      description:
        'start, time, correction and the dimensions sum to the score exactly; so do the first ' +
        'three with the types, and with the reporters.',
    }),
    reasons: z.array(
      z.object({
        code: z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]),
        effect: z.enum(['lowers', 'raises', 'limits']),
        sentence: z.string(),
      }),
    ),
    nextTier: NextTier.nullable(),
    errorBudget: ErrorBudget.nullable(),
    after: z.array(
      z.object({ type: EventTypeName, count: z.int(), score: Points, difference: Points }),
    ),
    events: StrongestEvents,
    since: z
      .object({
        snapshot: z.object({ id: Id, score: Points, createdAt: Time }),
        difference: Points,
        contributions: Contributions.openapi({
          description: 'time, correction and the dimensions sum to the difference exactly.',
        }),
        events: StrongestEvents,
      })
      .optional(),
    without: z
      .object({ eventId: Id, counts: z.boolean(), score: Points, difference: Points })
      .optional(),
    modelVersion: z.string(),
    computedAt: Time,
  })
  .openapi('ScoreExplanation', { example: EXPLANATION_EXAMPLE })
