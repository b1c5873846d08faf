import type { Evidence } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'

/**
 * Trust in an agent's identity, 0 to 1: credentials and tenure, less revocations. A revocation counts less the more
 * credentials of platforms there are, and the more platforms beside one say that the agent is good: the opinion of one
 * platform is one of many.
 */
export function identityTrust(model: Model, evidence: Evidence, tenureDays: number): number {
  const credentials = evidence.verified + model.selfWeight * evidence.claimed
  const revocations = revocationsAmong(evidence) + model.selfWeight * evidence.withdrawn
  const earned =
    model.credentialsShare * (1 - exp2(-credentials)) +
    (1 - model.credentialsShare) * (1 - exp2(-tenureDays / model.tenureHalfDays))
  const identity = model.identityStart + (1 - model.identityStart) * earned
  return revocations > 0 ? identity * exp2(-revocations) : identity
}

/** The revocations of platforms, divided among those that hold another opinion. Without those that say that the agent is
 *  good, one platform could lower it by issuing and revoking credentials, which costs nothing. */
function revocationsAmong({ revoked, verified, sources }: Evidence): number {
  if (revoked === 0) {
    return 0
  }
  let goodWeight = 0
  for (const { positiveWeight, jointWeight } of sources) {
    goodWeight += Math.max(0, positiveWeight - jointWeight)
  }
  return revoked / (1 + verified + Math.max(0, goodWeight - 1))
}
