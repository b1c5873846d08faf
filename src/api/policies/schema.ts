import { contradictionsIn, DEFAULT_POLICY, VERDICTS } from '../../domain/policy.ts'
import { DAY_MS } from '../../domain/time.ts'
import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { ConfidenceName } from '../scores/schema.ts'
import { AMOUNT_MAX, Points, Time, TimeInput } from '../wire.ts'

const VerdictName = z.enum(VERDICTS)

export const PolicyName = z
  .string()
  // With a letter, so that a number meant as something else is not taken for a name.
  .regex(
    /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, . _ or -, with a letter among them',
  )
  .openapi({ example: 'purchases' })

export const PolicyParams = z.object({
  name: PolicyName.openapi({ description: 'The name of the policy.' }),
})

const FIELDS = {
  minScore: Points.default(DEFAULT_POLICY.minScore).openapi({
    description: 'Agents below this score are denied.',
    example: 650,
  }),
  minConfidence: ConfidenceName.default(DEFAULT_POLICY.minConfidence).openapi({
    description: 'Agents with less confidence are reviewed.',
    example: 'medium',
  }),
  unknown: VerdictName.default(DEFAULT_POLICY.unknown).openapi({
    description:
      'For a name that leads to no agent. `allow` contradicts a `minScore` above 100, which is what a ' +
      'new agent scores, and a `minConfidence` above `low`.',
    example: 'review',
  }),
  disputed: VerdictName.default(DEFAULT_POLICY.disputed).openapi({
    description: 'For an agent about which platforms disagree.',
    example: 'review',
  }),
  maxExposure: z
    .number()
    .min(0)
    .max(AMOUNT_MAX)
    .nullable()
    .default(DEFAULT_POLICY.maxExposure)
    .openapi({
      description:
        'The most US dollars that may be at risk in one deal with any agent; more is denied. Null for ' +
        'no limit besides the agent’s own `exposureLimit`.',
      example: 500,
    }),
}

/** Fields that are left out have their defaults. */
export const PolicyFields = z
  .strictObject(FIELDS)
  .superRefine((policy, context) => {
    for (const { path, message } of contradictionsIn(policy)) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
  .openapi('PolicyInput')

const Shown = {
  minScore: z.int().openapi({ example: 650 }),
  minConfidence: ConfidenceName,
  unknown: VerdictName.openapi({ example: 'review' }),
  disputed: VerdictName.openapi({ example: 'review' }),
  maxExposure: z.number().nullable().openapi({ example: 500 }),
}

export const Policy = z
  .object({ name: PolicyName, ...Shown, createdAt: Time, updatedAt: Time })
  .openapi('Policy')

export const PolicyList = listOf(Policy, 'PolicyList')

/** A policy as a decision went by it: null is the name of one that is not stored. */
export const AppliedPolicy = z
  .object({ name: PolicyName.nullable(), ...Shown })
  .openapi('AppliedPolicy')

/** Longer than a season, and the rows of a year can be read in time. */
const DAYS_MAX = 366
export const BacktestBody = z
  .strictObject({
    from: TimeInput.openapi({ description: 'Earliest time to include (RFC 3339).' }),
    to: TimeInput.openapi({
      description: `Latest time to include, at most ${DAYS_MAX} days later.`,
      example: '2026-07-15T11:00:00.000Z',
    }),
    policy: PolicyFields.optional(),
  })
  .superRefine(({ from, to }, context) => {
    if (to < from || to - from > DAYS_MAX * DAY_MS) {
      const message = `must be after from, by at most ${DAYS_MAX} days`
      context.addIssue({ code: 'custom', path: ['to'], message })
    }
  })
  .openapi('Backtest')

const Count = z.int().min(0)
const Dollars = z.number().min(0)

const Outcome = z
  .object({
    deals: Count.openapi({ example: 120 }),
    good: Count.openapi({ example: 117 }),
    bad: Count.openapi({ example: 3 }),
    amount: Dollars.openapi({ description: 'US dollars of all payments.', example: 14_400 }),
    loss: Dollars.openapi({
      description: 'US dollars of payments that failed or were disputed.',
      example: 240,
    }),
  })
  .openapi('BacktestOutcome')

export const BacktestResult = z
  .object({
    policy: AppliedPolicy,
    from: Time,
    to: Time,
    deals: Count.openapi({
      description: 'Tasks and payments that the platform reported in this time.',
      example: 160,
    }),
    isTruncated: z.boolean().openapi({
      description: 'Whether there were more deals than are tested: the newest are.',
    }),
    allow: Outcome,
    review: Outcome,
    deny: Outcome,
    reasons: z.record(z.string(), Count).openapi({
      description: 'How often each reason decided.',
      example: { meets_policy: 120, score_too_low: 22, above_exposure_limit: 18 },
    }),
    expectedLoss: Dollars.openapi({
      description: 'US dollars lost with each deal that the policy allows; 0 where it allows none.',
      example: 2,
    }),
    expectedLossWithout: Dollars.openapi({
      description: 'US dollars lost with each deal, had all been made; 0 where there are none.',
      example: 5.5,
    }),
    tradeOff: z
      .array(
        z.object({
          minScore: z.int().openapi({ example: 650 }),
          allowed: Count.openapi({ example: 120 }),
          loss: Dollars.openapi({ example: 240 }),
          goodNotAllowed: Count.openapi({ example: 31 }),
        }),
      )
      .openapi({
        description:
          'The same policy with other minimum scores: how many deals it allows, their loss, and how ' +
          'many good deals it does not allow.',
      }),
  })
  .openapi('BacktestResult')
