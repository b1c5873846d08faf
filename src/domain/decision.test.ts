import { describe, expect, test } from 'vitest'
import { backtest, type PastDeal } from './backtest.ts'
import { type AgentFacts, decide, type Question } from './decision.ts'
import { contradictionsIn, DEFAULT_POLICY } from './policy.ts'

const AGENT: AgentFacts = {
  status: 'active',
  score: 700,
  confidence: 'high',
  disputed: { isDisputed: false, platformsFor: 3, platformsAgainst: 0 },
  exposureLimit: 1000,
}

const DISPUTED = { isDisputed: true, platformsFor: 3, platformsAgainst: 2 }

function ask(question: Partial<Question>) {
  const whole: Question = {
    policy: DEFAULT_POLICY,
    namedBy: 'id',
    agent: AGENT,
    amountUsd: null,
    own: null,
    ...question,
  }
  const { verdict, reasons } = decide(whole)
  return { verdict, codes: reasons.map(({ code }) => code), reasons }
}

describe('a decision', () => {
  test('allows an agent that meets the policy, and says so', () => {
    expect(ask({})).toEqual({
      verdict: 'allow',
      codes: ['meets_policy'],
      reasons: [{ code: 'meets_policy', message: 'the score of 700 is at least 500' }],
    })
  })

  test('denies an agent one point below the minimum score', () => {
    const policy = { ...DEFAULT_POLICY, minScore: 701 }
    expect(ask({ policy })).toMatchObject({ verdict: 'deny', codes: ['score_too_low'] })
    expect(ask({ policy: { ...policy, minScore: 700 } })).toMatchObject({ verdict: 'allow' })
  })

  test.each(['allow', 'review', 'deny'] as const)(
    'about an unknown or a disputed agent follows the policy: %s',
    (verdict) => {
      const policy = { ...DEFAULT_POLICY, minScore: 0, unknown: verdict, disputed: verdict }
      expect(ask({ policy, agent: null })).toMatchObject({ verdict, codes: ['agent_unknown'] })
      const disputed = ask({ policy, agent: { ...AGENT, disputed: DISPUTED } })
      expect(disputed.verdict).toBe(verdict)
      expect(disputed.reasons.at(-1)).toEqual({
        code: 'disputed',
        message: 'platforms disagree: 3 speak for it, 2 against it',
      })
    },
  )

  test('sends an agent with too little confidence to a review', () => {
    const policy = { ...DEFAULT_POLICY, minConfidence: 'high' } as const
    const agent = { ...AGENT, confidence: 'medium' } as const
    expect(ask({ policy, agent })).toMatchObject({
      verdict: 'review',
      codes: ['confidence_too_low'],
    })
  })

  test('denies suspended and deactivated agents, whatever their score', () => {
    for (const status of ['suspended', 'deactivated'] as const) {
      const agent = { ...AGENT, status, score: 1000 }
      expect(ask({ agent, own: { good: 200, bad: 0 } })).toMatchObject({
        verdict: 'deny',
        codes: [`agent_${status}`],
      })
    }
  })

  test('reviews amounts above the exposure limit, and any amount where it is unknown', () => {
    expect(ask({ amountUsd: 1000 }).verdict).toBe('allow')
    expect(ask({ amountUsd: 1000.01 })).toMatchObject({
      verdict: 'review',
      codes: ['above_exposure_limit'],
    })
    const agent = { ...AGENT, exposureLimit: null }
    expect(ask({ agent, amountUsd: 1 }).codes).toEqual(['exposure_unknown'])
    expect(ask({ agent, amountUsd: 0 }).verdict).toBe('allow')
  })

  test('reviews amounts above what the agent has carried for the caller, once a payment to it went wrong', () => {
    const own = { good: 190, bad: 10, limitUsd: 40 }
    expect(ask({ amountUsd: 40, own }).verdict).toBe('allow')
    expect(ask({ amountUsd: 41, own }).reasons).toEqual([
      {
        code: 'above_exposure_limit',
        message:
          '$41 are at risk, and after payments to you that went wrong its exposure limit for you is $40',
      },
    ])
    expect(ask({ amountUsd: 1000, own: { ...own, limitUsd: 5000 } }).verdict).toBe('allow')
    expect(ask({ amountUsd: 1001, own: { ...own, limitUsd: 5000 } }).reasons).toMatchObject([
      { message: '$1001 are at risk, and its exposure limit is $1000' },
    ])
  })

  test('denies amounts above the policy’s maximum, for known and unknown agents', () => {
    const policy = { ...DEFAULT_POLICY, maxExposure: 99.5 }
    expect(ask({ policy, amountUsd: 99.5 }).verdict).toBe('allow')
    for (const agent of [AGENT, null]) {
      expect(ask({ policy, agent, amountUsd: 100 })).toMatchObject({
        verdict: 'deny',
        reasons: [{ message: '$100 are at risk, and the policy allows $99.50' }],
      })
    }
  })

  test('gives every reason of the strictest verdict, and none of milder ones', () => {
    const policy = { ...DEFAULT_POLICY, minScore: 800, maxExposure: 10 }
    const agent = { ...AGENT, disputed: DISPUTED }
    expect(ask({ policy, agent, amountUsd: 5000 }).codes).toEqual([
      'score_too_low',
      'above_max_exposure',
    ])
  })
})

describe('the caller’s own experience counts in full', () => {
  test.each([
    [0, 2, 'deny', 'own_experience_bad'],
    [8, 2, 'deny', 'own_experience_bad'],
    [18, 2, 'review', 'own_experience_mixed'],
    [19, 2, 'allow', 'meets_policy'],
    [0, 1, 'allow', 'meets_policy'],
    [19, 1, 'allow', 'own_experience_good'],
    [19, 0, 'allow', 'meets_policy'],
  ] as const)('with %d good reports and %d bad ones: %s', (good, bad, verdict, code) => {
    expect(ask({ own: { good, bad } })).toMatchObject({ verdict, codes: [code] })
  })

  test('and a good one settles a dispute or low confidence, but not a low score or a high amount', () => {
    const policy = { ...DEFAULT_POLICY, minConfidence: 'high' } as const
    const agent = { ...AGENT, confidence: 'low', disputed: DISPUTED } as const
    const own = { good: 40, bad: 0 }
    expect(ask({ policy, agent, own })).toMatchObject({
      verdict: 'allow',
      reasons: [{ message: '40 of your own 40 latest reports are good' }],
    })
    expect(ask({ policy, agent: { ...agent, score: 499 }, own }).verdict).toBe('deny')
    expect(ask({ policy, agent, own, amountUsd: 2000 }).verdict).toBe('review')
  })
})

test('a policy that is stricter with known agents than with unknown ones contradicts itself', () => {
  const allow = { ...DEFAULT_POLICY, unknown: 'allow' } as const
  expect(contradictionsIn(DEFAULT_POLICY)).toEqual([])
  expect(contradictionsIn({ ...allow, minScore: 100 })).toEqual([])
  for (const policy of [
    { ...allow, minScore: 101 },
    { ...allow, minScore: 0, minConfidence: 'medium' } as const,
  ]) {
    expect(contradictionsIn(policy)).toMatchObject([{ path: 'unknown', code: 'contradiction' }])
  }
})

describe('a backtest', () => {
  const own = { good: 0, bad: 0 }
  const deal = (score: number, isGood: boolean, amountUsd: number | null): PastDeal => ({
    agent: { ...AGENT, score },
    own,
    isGood,
    amountUsd,
    lossUsd: isGood ? 0 : (amountUsd ?? 0),
  })
  const deals = [
    deal(400, false, 300),
    deal(450, true, 50),
    deal(600, true, 100),
    deal(700, false, 40),
    deal(800, true, 5000),
    deal(800, true, null),
  ]

  test('shows the outcome of the deals that would have been allowed, reviewed and denied', () => {
    const result = backtest(DEFAULT_POLICY, deals)
    expect(result).toMatchObject({
      deals: 6,
      verdicts: {
        allow: { deals: 3, good: 2, bad: 1, amount: 140, loss: 40 },
        review: { deals: 1, good: 1, bad: 0, amount: 5000, loss: 0 },
        deny: { deals: 2, good: 1, bad: 1, amount: 350, loss: 300 },
      },
      reasons: { meets_policy: 3, above_exposure_limit: 1, score_too_low: 2 },
      expectedLoss: 13.33,
      expectedLossWithout: 56.67,
    })
  })

  test('shows for each minimum score what it allows, loses and rejects', () => {
    const { tradeOff, verdicts } = backtest(DEFAULT_POLICY, deals)
    expect(tradeOff).toHaveLength(21)
    expect(tradeOff[0]).toEqual({ minScore: 0, allowed: 5, loss: 340, goodNotAllowed: 1 })
    const { deals: allowed, loss } = verdicts.allow
    expect(tradeOff[10]).toEqual({ minScore: 500, allowed, loss, goodNotAllowed: 2 })
    expect(tradeOff.at(-1)).toEqual({ minScore: 1000, allowed: 0, loss: 0, goodNotAllowed: 4 })
  })

  test('without deals loses nothing', () => {
    expect(backtest(DEFAULT_POLICY, [])).toMatchObject({ deals: 0, expectedLoss: 0 })
  })
})
