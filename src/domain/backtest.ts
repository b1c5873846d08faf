/** What a policy would have decided, of deals whose outcome is known. Pure. */

import { type AgentFacts, type Decision, decide, type OwnExperience } from './decision.ts'
import { SCORE_MAX } from './model.ts'
import type { Policy, Verdict } from './policy.ts'

/** A deal as its reporter saw it, with what was known of the agent just before. */
export interface PastDeal {
  readonly agent: AgentFacts
  /** What the reporter had itself reported before. */
  readonly own: OwnExperience
  readonly isGood: boolean
  /** US dollars of the payment; null for a deal without one. */
  readonly amountUsd: number | null
  /** US dollars that did not come: of a payment that failed or was disputed. */
  readonly lossUsd: number
}

/** What came of the deals with one verdict. */
export interface Outcome {
  readonly deals: number
  readonly good: number
  readonly bad: number
  /** US dollars of all payments, and of those that did not come. */
  readonly amount: number
  readonly loss: number
}

/** One point of the trade-off between losses and good deals turned away. */
export interface TradeOff {
  readonly minScore: number
  readonly allowed: number
  readonly loss: number
  readonly goodNotAllowed: number
}

export interface Backtest {
  readonly deals: number
  readonly verdicts: Readonly<Record<Verdict, Outcome>>
  /** How often each reason decided. */
  readonly reasons: Readonly<Record<string, number>>
  /** US dollars lost with each deal that the policy allows, and with each deal without a policy. */
  readonly expectedLoss: number
  readonly expectedLossWithout: number
  readonly tradeOff: readonly TradeOff[]
}

/** Points between two minimum scores: three or four in each tier show where the curve bends. */
const TRADE_OFF_STEP = 50

export function backtest(policy: Policy, deals: readonly PastDeal[]): Backtest {
  const decided = deals.map((deal) => ({ deal, decision: decideOn(policy, deal) }))
  const of = (verdict: Verdict) =>
    outcomeOf(decided.flatMap(({ deal, decision }) => (decision.verdict === verdict ? [deal] : [])))
  const verdicts = { allow: of('allow'), review: of('review'), deny: of('deny') }
  return {
    deals: deals.length,
    verdicts,
    reasons: reasonCounts(decided.map(({ decision }) => decision)),
    expectedLoss: perDeal(verdicts.allow),
    expectedLossWithout: perDeal(outcomeOf(deals)),
    tradeOff: tradeOffOf(policy, deals),
  }
}

function decideOn(policy: Policy, { agent, own, amountUsd }: PastDeal): Decision {
  return decide({ policy, namedBy: 'id', agent, own, amountUsd })
}

function outcomeOf(deals: readonly PastDeal[]): Outcome {
  const outcome = { deals: deals.length, good: 0, bad: 0, amount: 0, loss: 0 }
  for (const { isGood, amountUsd, lossUsd } of deals) {
    outcome.good += isGood ? 1 : 0
    outcome.bad += isGood ? 0 : 1
    outcome.amount += amountUsd ?? 0
    outcome.loss += lossUsd
  }
  return { ...outcome, amount: cents(outcome.amount), loss: cents(outcome.loss) }
}

function reasonCounts(decisions: readonly Decision[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { reasons } of decisions) {
    for (const { code } of reasons) {
      counts[code] = (counts[code] ?? 0) + 1
    }
  }
  return counts
}

/** What the policy would allow with other minimum scores. */
function tradeOffOf(policy: Policy, deals: readonly PastDeal[]): readonly TradeOff[] {
  const anyScore = { ...policy, minScore: 0 }
  // The score is one reason to deny among others: without it each deal is decided on once.
  const allowable = deals.filter((deal) => decideOn(anyScore, deal).verdict === 'allow')
  const good = deals.filter(({ isGood }) => isGood).length
  const steps = Array.from({ length: SCORE_MAX / TRADE_OFF_STEP + 1 }, (_, i) => i * TRADE_OFF_STEP)
  return steps.map((minScore) => {
    const allowed = outcomeOf(allowable.filter(({ agent }) => agent.score >= minScore))
    const { deals: count, loss } = allowed
    return { minScore, allowed: count, loss, goodNotAllowed: good - allowed.good }
  })
}

function perDeal({ deals, loss }: Outcome): number {
  return deals === 0 ? 0 : cents(loss / deals)
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100
}
