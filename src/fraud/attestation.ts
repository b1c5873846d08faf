import type { Rule } from './rule.ts'

/** A signature that does not hold is worse than none: somebody may be speaking for the platform. */
export const attestationInvalid: Rule = {
  id: 'attestation_invalid',
  summary: 'The request carries a signature that is not the platform’s over this request.',
  inspect({ attestation }) {
    if (attestation !== 'invalid') return null
    return 'The request was signed, but the signature does not verify with the platform’s key.'
  },
}
