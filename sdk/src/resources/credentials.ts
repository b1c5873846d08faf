import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type { CallOptions, WriteOptions } from '../transport.ts'
import type {
  Credential,
  CredentialInput,
  CredentialProof,
  CredentialQuery,
  ScoreCredentialInput,
  Verification,
} from '../types.ts'
import { path } from '../url.ts'

export type Credentials = ReturnType<typeof credentialCalls>

export function credentialCalls({ read, ask, write, list }: Calls) {
  return {
    /** Owner. Records a `credential.issued` event as well. */
    issue: (input: CredentialInput, options?: WriteOptions): Promise<Credential> =>
      write('POST', '/v1/credentials', ['token'], input, options),
    /** Owner. The service's own word on the score; revoked when the score falls below. */
    issueScore: (
      agentId: string,
      input: ScoreCredentialInput,
      options?: WriteOptions,
    ): Promise<Credential> =>
      write('POST', path`/v1/agents/${agentId}/score/credential`, ['token'], input, options),
    /** Owner. `agentId` is required. */
    list: (query: CredentialQuery, options?: CallOptions): Listing<Credential> =>
      list('/v1/credentials', ['token'], query, options),
    /** Anyone. */
    get: (id: string, options?: CallOptions): Promise<Credential> =>
      read(path`/v1/credentials/${id}`, [], options),
    /** Owner. */
    verify: (id: string, options?: CallOptions): Promise<Verification> =>
      ask(path`/v1/credentials/${id}/verify`, ['token'], undefined, options),
    /** Anyone. A forged credential is `valid: false`, `status: "invalid"`; an unknown id throws. */
    verifyToken: (proof: CredentialProof, options?: CallOptions): Promise<Verification> =>
      ask('/v1/credentials/verify', [], proof, options),
    /** Owner. Final, and seen by every verifier before it is answered. */
    revoke: (id: string, reason?: string, options?: WriteOptions): Promise<Credential> =>
      write(
        'DELETE',
        path`/v1/credentials/${id}`,
        ['token'],
        reason === undefined ? undefined : { reason },
        options,
      ),
  }
}
