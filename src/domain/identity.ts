import type { Evidence } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'

/**
 * Trust in an agent's identity, 0 to 1: credentials and tenure, less revocations. A revocation counts
 * less the more credentials of platforms stand against it, and the more platforms beside one say that the agent
 * is good: one platform's word is one of many.
 */
export function identityTrust(model: Model, evidence: Evidence, tenureDays: number): number {
  const credentials = evidence.verified + model.selfWeight * evidence.claimed
  const revocations = revokedShare(evidence) + model.selfWeight * evidence.withdrawn
  const earned =
    model.credentialsShare * (1 - exp2(-credentials)) +
    (1 - model.credentialsShare) * (1 - exp2(-tenureDays / model.tenureHalfDays))
  const identity = model.identityStart + (1 - model.identityStart) * earned
  return revocations > 0 ? identity * exp2(-revocations) : identity
}

/** Without the platforms that say that the agent is good, one platform could issue and revoke what cost it nothing. */
function revokedShare({ revoked, verified, sources }: Evidence): number {
  if (revoked === 0) {
    return 0
  }
  let vouching = 0
  for (const { positiveWeight, jointWeight } of sources) {
    vouching += Math.max(0, positiveWeight - jointWeight)
  }
  return revoked / (1 + verified + Math.max(0, vouching - 1))
}
