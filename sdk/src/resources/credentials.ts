import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type {
  Credential,
  CredentialInput,
  CredentialQuery,
  ScoreCredentialInput,
  Verification,
} from '../types.ts'
import { path } from '../url.ts'

export type Credentials = ReturnType<typeof credentialCalls>

/** The form of an id. Anything else is taken for a credential, and so is never an error. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function credentialCalls({ read, ask, post, remove, list }: Calls) {
  return {
    /** Owner. Records a `credential.issued` event as well. */
    issue: (input: CredentialInput, options?: WriteOptions): Promise<Credential> =>
      post('/v1/credentials', ['token'], input, options),
    /** Owner. The service itself states the tier; revoked when the score falls below it. */
    issueScore: (
      agentId: string,
      input: ScoreCredentialInput,
      options?: WriteOptions,
    ): Promise<Credential> =>
      post(path`/v1/agents/${agentId}/score/credential`, ['token'], input, options),
    /** Owner. `agentId` is required. */
    list: (query: CredentialQuery, options?: CallOptions): Listing<Credential> =>
      list('/v1/credentials', ['token'], query, options),
    /** Anyone. */
    get: (id: string, options?: CallOptions): Promise<Credential> =>
      read(path`/v1/credentials/${id}`, [], options),
    /**
     * Anyone: by its id, or the credential itself (`jwt`). What is not a credential of the service is
     * `valid: false`, `status: "invalid"`; an id that does not exist throws `NOT_FOUND`.
     */
    verify: (idOrJwt: string, options?: CallOptions): Promise<Verification> =>
      ask(
        '/v1/credentials/verify',
        [],
        UUID.test(idOrJwt) ? { credentialId: idOrJwt } : { jwt: idOrJwt },
        options,
      ),
    /** Owner. Final, and seen by every verifier before it is answered. */
    revoke: (id: string, reason?: string, options?: WriteOptions): Promise<Credential> =>
      remove(
        path`/v1/credentials/${id}`,
        ['token'],
        options,
        reason === undefined ? undefined : { reason },
      ),
  }
}
