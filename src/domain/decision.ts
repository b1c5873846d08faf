/** Whether to deal with an agent, and why. Pure: what is known comes in, a verdict comes out. */

import type { AgentStatus } from './agent.ts'
import type { Disputed } from './dispute.ts'
import type { Policy, Verdict } from './policy.ts'
import { CONFIDENCES, type Confidence } from './tiers.ts'

/** What is known of an agent when it is decided on. */
export interface AgentFacts {
  readonly status: AgentStatus
  readonly score: number
  readonly confidence: Confidence
  readonly disputed: Disputed
  readonly exposureLimit: number | null
}

/** What the account that asks has itself reported about the agent, in its latest reports. */
export interface OwnExperience {
  readonly good: number
  readonly bad: number
  /** US dollars that the agent may carry for the account, once a payment to it has gone wrong (`OwnVote`). */
  readonly limitUsd?: number | undefined
}

export interface Question {
  readonly policy: Policy
  /** How the agent was named. */
  readonly namedBy: 'id' | 'name' | 'nothing'
  /** Null where that leads to no agent. */
  readonly agent: AgentFacts | null
  /** US dollars at risk; null where nothing is said about money. */
  readonly amountUsd: number | null
  /** Null where the caller reports nothing. */
  readonly own: OwnExperience | null
}

export const REASON_CODES = [
  'meets_policy',
  'own_experience_good',
  'agent_unknown',
  'agent_suspended',
  'agent_deactivated',
  'score_too_low',
  'confidence_too_low',
  'disputed',
  'exposure_unknown',
  'above_exposure_limit',
  'above_max_exposure',
  'own_experience_mixed',
  'own_experience_bad',
] as const

export type DecisionReasonCode = (typeof REASON_CODES)[number]

export interface Reason {
  readonly code: DecisionReasonCode
  readonly message: string
}

export interface Decision {
  readonly verdict: Verdict
  /** What led to the verdict; what would have led to a milder one is left out. */
  readonly reasons: readonly Reason[]
}

/**
 * Own experience counts fully: it is not weighed against what others say. Two bad reports in ten are
 * no accident, one in ten is a question. Twenty reports with one bad one at most are worth more than
 * the confidence of a score, or the word of others on either side of a dispute.
 */
const OWN = { badMin: 2, denyShare: 0.2, reviewShare: 0.1, goodMin: 20, goodShare: 0.95 } as const

interface Finding extends Reason {
  readonly verdict: Verdict
}

export function decide(question: Question): Decision {
  const findings = findingsOf(question)
  const verdict = strictest(findings.map((finding) => finding.verdict))
  const decisive = findings.filter((finding) => finding.verdict === verdict)
  return {
    verdict,
    reasons: decisive.map(({ code, message }) => ({ code, message })),
  }
}

function strictest(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('deny')) {
    return 'deny'
  }
  return verdicts.includes('review') ? 'review' : 'allow'
}

const UNKNOWN: Readonly<Record<Question['namedBy'], string>> = {
  id: 'no agent has this id, so there is no score',
  name: 'no agent has proven this name, so there is no score',
  nothing:
    'the request names no agent: it has no X-Agent-Id, no X-Agent-Identifier and no Signature-Agent',
}

function findingsOf({ policy, namedBy, agent, amountUsd, own }: Question): readonly Finding[] {
  if (agent === null) {
    return [
      { verdict: policy.unknown, code: 'agent_unknown', message: UNKNOWN[namedBy] },
      ...capFindings(policy, amountUsd),
    ]
  }
  const isTrusted = own !== null && isGood(own)
  return [
    { verdict: 'allow', ...praise(policy, agent, own, isTrusted) },
    ...statusFindings(agent),
    ...scoreFindings(policy, agent),
    ...(isTrusted ? [] : doubtFindings(policy, agent)),
    ...capFindings(policy, amountUsd),
    ...exposureFindings(agent, amountUsd, own),
    ...(own === null ? [] : experienceFindings(own)),
  ]
}

/** The reason to allow, which stands where nothing speaks against it. */
function praise(
  { minScore }: Policy,
  { score }: AgentFacts,
  own: OwnExperience | null,
  isTrusted: boolean,
): Reason {
  return own && isTrusted
    ? {
        code: 'own_experience_good',
        message: `${own.good} of your own ${own.good + own.bad} latest reports are good`,
      }
    : { code: 'meets_policy', message: `the score of ${score} is at least ${minScore}` }
}

function statusFindings({ status }: AgentFacts): readonly Finding[] {
  switch (status) {
    case 'active':
      return []
    case 'suspended':
      return [
        { verdict: 'deny', code: 'agent_suspended', message: 'the operator has suspended it' },
      ]
    case 'deactivated':
      return [{ verdict: 'deny', code: 'agent_deactivated', message: 'its owner has ended it' }]
  }
}

function scoreFindings({ minScore }: Policy, { score }: AgentFacts): readonly Finding[] {
  if (score >= minScore) {
    return []
  }
  const message = `the score of ${score} is below ${minScore}`
  return [{ verdict: 'deny', code: 'score_too_low', message }]
}

/** The doubts that a good experience of the account itself outweighs. */
function doubtFindings(policy: Policy, { confidence, disputed }: AgentFacts): readonly Finding[] {
  const findings: Finding[] = []
  if (CONFIDENCES.indexOf(confidence) < CONFIDENCES.indexOf(policy.minConfidence)) {
    const message = `the confidence is ${confidence}, and ${policy.minConfidence} is asked`
    findings.push({ verdict: 'review', code: 'confidence_too_low', message })
  }
  if (disputed.isDisputed) {
    const { platformsFor, platformsAgainst } = disputed
    const message = `platforms disagree: ${platformsFor} speak for it, ${platformsAgainst} against it`
    findings.push({ verdict: policy.disputed, code: 'disputed', message })
  }
  return findings
}

function capFindings({ maxExposure }: Policy, amountUsd: number | null): readonly Finding[] {
  if (amountUsd === null || maxExposure === null || amountUsd <= maxExposure) {
    return []
  }
  const message = `${dollars(amountUsd)} are at risk, and the policy allows ${dollars(maxExposure)}`
  return [{ verdict: 'deny', code: 'above_max_exposure', message }]
}

function exposureFindings(
  { exposureLimit }: AgentFacts,
  amountUsd: number | null,
  own: OwnExperience | null,
): readonly Finding[] {
  if (amountUsd === null || amountUsd === 0) {
    return []
  }
  if (exposureLimit === null) {
    const message =
      'no platform with a vote has named the amount of a good payment, and money is at risk'
    return [{ verdict: 'review', code: 'exposure_unknown', message }]
  }
  const ownLimit = own?.limitUsd ?? exposureLimit
  const limit = Math.min(exposureLimit, ownLimit)
  if (amountUsd <= limit) {
    return []
  }
  const whose =
    ownLimit < exposureLimit
      ? 'after payments to you that went wrong its exposure limit for you is'
      : 'its exposure limit is'
  const message = `${dollars(amountUsd)} are at risk, and ${whose} ${dollars(limit)}`
  return [{ verdict: 'review', code: 'above_exposure_limit', message }]
}

function isGood({ good, bad }: OwnExperience): boolean {
  const count = good + bad
  return count >= OWN.goodMin && good >= OWN.goodShare * count
}

function experienceFindings({ good, bad }: OwnExperience): readonly Finding[] {
  const share = bad / (good + bad)
  if (bad < OWN.badMin || share < OWN.reviewShare) {
    return []
  }
  const message = `${bad} of your own ${good + bad} latest reports are bad`
  return share >= OWN.denyShare
    ? [{ verdict: 'deny', code: 'own_experience_bad', message }]
    : [{ verdict: 'review', code: 'own_experience_mixed', message }]
}

/** Whole dollars from a hundred on; below, cents count. */
function dollars(amount: number): string {
  const digits = amount < 100 && !Number.isInteger(amount) ? 2 : 0
  return `$${amount.toFixed(digits)}`
}
