import { z } from 'zod'
import { Summary } from '../schemas.ts'
import { defineTool, ToolRefusal } from '../tool.ts'

/** As long as the longest token that the API takes. */
const TOKEN_CHARS_MAX = 65_536

const Verification = z.object({
  valid: z.boolean(),
  status: z.enum(['active', 'expired', 'revoked', 'suspended', 'invalid']),
  claims: z.record(z.string(), z.unknown()).nullable().describe('As the issuer wrote them.'),
  checks: z.record(z.string(), z.boolean()),
  credential: z
    .object({
      id: z.string(),
      agentId: z.string(),
      issuerId: z.string(),
      assertedBy: z
        .enum(['owner', 'service'])
        .describe('owner: a statement of the agent’s own owner about it.'),
      type: z.string(),
      issuedAt: z.string(),
      expiresAt: z.string().nullable(),
      revokedAt: z.string().nullable(),
    })
    .nullable(),
  verifiedAt: z.string(),
})

export const verifyCredential = defineTool({
  name: 'verify_credential',
  title: 'Verify a credential',
  description:
    'Checks a credential that an agent shows: signature, issuer, dates and revocation, as of now. ' +
    'Takes either the id of the credential or the signed token. A forged token is valid: false, not ' +
    'an error. Needs no key and costs no lookup.',
  input: z.strictObject({
    credentialId: z.guid('must be a UUID').optional(),
    jwt: z.string().min(1).max(TOKEN_CHARS_MAX).optional().describe('The token, a JWT (vc+jwt).'),
  }),
  output: Verification.extend({ summary: Summary }),
  isReadOnly: true,
  async run(input, { call }) {
    if ((input.credentialId === undefined) === (input.jwt === undefined)) {
      throw new ToolRefusal('VALIDATION_ERROR', 'give either credentialId or jwt')
    }
    const path = '/v1/credentials/verify'
    const verification = Verification.parse(await call({ method: 'POST', path, body: input }))
    return { ...verification, summary: summaryOf(verification) }
  },
})

function summaryOf({ valid, status, credential }: z.output<typeof Verification>): string {
  if (credential === null) {
    return 'Not a credential of this service, or changed since it was signed.'
  }
  const by = credential.assertedBy === 'owner' ? 'the agent’s own owner' : 'this service'
  const { type, agentId } = credential
  return `${type} about agent ${agentId}, stated by ${by}: ${valid ? 'valid' : `not valid, ${status}`}.`
}
