import type { Evidence } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'

/**
 * Trust in an agent's identity, 0 to 1: credentials and tenure, less revocations. A revocation counts
 * less the more credentials of platforms stand against it, so that one platform's word is one of many.
 */
export function identityTrust(model: Model, evidence: Evidence, tenureDays: number): number {
  const credentials = evidence.verified + model.selfWeight * evidence.claimed
  const revocations =
    evidence.revoked / (1 + evidence.verified) + model.selfWeight * evidence.withdrawn
  const earned =
    model.credentialsShare * (1 - exp2(-credentials)) +
    (1 - model.credentialsShare) * (1 - exp2(-tenureDays / model.tenureHalfDays))
  const identity = model.identityStart + (1 - model.identityStart) * earned
  return revocations > 0 ? identity * exp2(-revocations) : identity
}
