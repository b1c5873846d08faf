import { z } from 'zod'
import { VERDICTS } from '../../domain/policy.ts'
import { isId } from '../find.ts'
import { AgentName, Confidence, Summary } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const Verdict = z.enum(VERDICTS)

const Policy = z.strictObject({
  minScore: z.int().min(0).max(1000).optional().describe('Agents below it are denied.'),
  minConfidence: Confidence.optional().describe('Agents with less confidence are reviewed.'),
  unknown: Verdict.optional().describe('For a name that leads to no agent.'),
  disputed: Verdict.optional().describe('For an agent about which platforms disagree.'),
  maxExposure: z.number().min(0).nullable().optional().describe('US dollars at risk in one deal.'),
})

const Decision = z.object({
  decision: Verdict,
  reasons: z.array(z.object({ code: z.string(), message: z.string() })),
  agent: z.object({ id: z.string(), displayName: z.string(), status: z.string() }).nullable(),
  score: z.int().nullable(),
  confidence: Confidence.nullable(),
  interval: z.object({ low: z.int(), high: z.int() }).nullable(),
  exposureLimit: z.number().nullable(),
  ownExperience: z
    .object({ good: z.int(), bad: z.int(), lastReportAt: z.string().nullable() })
    .nullable()
    .describe('What the asking platform has itself reported; null for other callers.'),
  expiresAt: z.string().describe('Ask again after this.'),
})

export const decide = defineTool({
  name: 'decide',
  title: 'Decide whether to deal with an agent',
  description:
    'allow, review or deny, with the reasons, by a policy: a stored one by its name, one given here, or ' +
    'the default. Give the amount when money is at risk. On review ask a person. Needs any key. Costs ' +
    'one lookup.',
  input: z.strictObject({
    agent: AgentName,
    action: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The action to decide on, such as purchase.'),
    amount: z.number().min(0).optional().describe('What is at risk.'),
    currency: z.string().optional().describe('ISO 4217, with an amount; US dollars by default.'),
    policy: z.union([z.string(), Policy]).optional().describe('The name of a policy, or a policy.'),
  }),
  output: Decision.extend({ summary: Summary }),
  isReadOnly: true,
  async run({ agent, ...asked }, { call }) {
    const subject = isId(agent) ? { agentId: agent } : { identifier: agent }
    const body = { ...subject, ...asked }
    const decision = Decision.parse(await call({ method: 'POST', path: '/v1/decisions', body }))
    const why = decision.reasons.map(({ message }) => message).join('; ')
    return { ...decision, summary: `${decision.decision}: ${why}.` }
  },
})
