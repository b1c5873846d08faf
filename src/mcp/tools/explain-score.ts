import { z } from 'zod'
import { agentIdOf } from '../find.ts'
import { AgentName, Classification, Confidence, EventTypeName, Summary } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const Contribution = { events: z.int(), points: z.int() }

const Explanation = z.object({
  agentId: z.string(),
  score: z.int(),
  classification: Classification,
  confidence: Confidence,
  reasons: z.array(
    z.object({
      code: z.string(),
      effect: z.enum(['lowers', 'raises', 'limits']),
      sentence: z.string(),
    }),
  ),
  contributions: z
    .object({
      start: z.int(),
      time: z.int(),
      correction: z.int(),
      dimensions: z.array(z.object({ dimension: z.string(), ...Contribution })),
      types: z.array(z.object({ type: EventTypeName, ...Contribution })),
    })
    .describe('start, time, correction and the dimensions add up to the score; so do the types.'),
  nextTier: z
    .object({
      classification: Classification,
      min: z.int(),
      pointsMissing: z.int(),
      ways: z.array(
        z.object({
          type: EventTypeName,
          perDay: z.int().nullable(),
          events: z.int(),
          days: z.int(),
        }),
      ),
    })
    .nullable(),
  errorBudget: z
    .object({
      classification: Classification,
      pointsLeft: z.int(),
      failures: z.array(z.object({ type: EventTypeName, events: z.int().nullable() })),
    })
    .nullable(),
})

export const explainScore = defineTool({
  name: 'explain_score',
  title: 'Explain a score',
  description:
    'Why an agent has its score: what each dimension and event type contributed (exact sums), the ' +
    'main reasons, what is missing to the next tier, and how many failures the present tier ' +
    'withstands. Needs no key. Costs one lookup, and another when the agent is asked for by name.',
  input: z.strictObject({ agent: AgentName }),
  output: Explanation.extend({ summary: Summary }),
  isReadOnly: true,
  async run({ agent }, context) {
    const id = await agentIdOf(context, agent)
    const path = `/v1/agents/${id}/score/explanation`
    const explanation = Explanation.parse(await context.call({ method: 'GET', path }))
    return { ...explanation, summary: summaryOf(explanation) }
  },
})

function summaryOf({ score, classification, reasons, nextTier }: z.output<typeof Explanation>) {
  const why = reasons.slice(0, 3).map(({ sentence }) => sentence)
  const next = nextTier
    ? [`${nextTier.pointsMissing} points are missing to ${nextTier.classification}.`]
    : []
  return [`${score} of 1000, ${classification}.`, ...why, ...next].join(' ')
}
