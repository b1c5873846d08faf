import type { DecisionRow } from '../../store/store.ts'
import { presentApplied } from '../policies/present.ts'
import { time, timeOrNull } from '../wire.ts'
import type { Decided } from './answer.ts'

/** A decision as JSON; the agent is JSON already. */
export function presentDecision(decided: Decided): string {
  const { verdict, reasons, agent, known, own, chosen, expiresAt } = decided
  const head = JSON.stringify({ decision: verdict, reasons })
  const rest = JSON.stringify({
    score: known?.score ?? null,
    confidence: known?.confidence ?? null,
    interval: known?.interval ?? null,
    disputed: known?.disputed ?? null,
    exposureLimit: known?.exposureLimit ?? null,
    ownExperience: own && {
      good: own.good,
      bad: own.bad,
      lastReportAt: timeOrNull(own.lastReportAt),
    },
    policy: presentApplied(chosen.name, chosen.policy),
    expiresAt: time(expiresAt),
  })
  return `${head.slice(0, -1)},"agent":${agent ?? 'null'},${rest.slice(1)}`
}

/** A decision of the past; the agent is JSON already. */
export function presentAsked(row: DecisionRow & { readonly agent: string | null }) {
  const { id, createdAt, via, agent, identifier, action, verdict, reasons, score, policy } = row
  return {
    id,
    createdAt: time(createdAt),
    via,
    agent: agent === null ? null : JSON.parse(agent),
    identifier,
    action,
    decision: verdict,
    reasons,
    score,
    policy,
  }
}
