import type { Rule } from '../rule.ts'

/** An invalid signature is worse than none: it may be an attempt to impersonate the platform. */
export const attestationInvalid: Rule = {
  id: 'attestation_invalid',
  summary: 'The request has a signature that does not verify with the platform’s key.',
  severity: 'high',
  mode: 'quarantine',
  threshold: null,
  inspect({ event: { attestation, attestationProblem } }) {
    if (attestation !== 'invalid') {
      return null
    }
    const problem = attestationProblem ?? 'it does not verify with the platform’s key'
    return {
      sentence: `The request was signed, but the signature does not hold: ${problem}.`,
      evidence: { problem },
    }
  },
}
