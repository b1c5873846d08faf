import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type { Identifier, IdentifierClaim, IdentifierProof, ListQuery } from '../types.ts'
import { path } from '../url.ts'

export type Identifiers = ReturnType<typeof identifierCalls>

const MANAGERS: readonly CredentialKind[] = ['apiKey', 'token']

/** For the agent itself or its owner. */
export function identifierCalls({ post, remove, list }: Calls) {
  return {
    /** The answer carries the `challenge`, and the ways in which it proves the name. */
    claim: (agentId: string, input: IdentifierClaim, options?: WriteOptions): Promise<Identifier> =>
      post(path`/v1/agents/${agentId}/identifiers`, MANAGERS, input, options),
    /** Anyone reads verified ones; the agent, its owner and the operator read all of it. */
    list: (agentId: string, query?: ListQuery, options?: CallOptions): Listing<Identifier> =>
      list(
        path`/v1/agents/${agentId}/identifiers`,
        ['apiKey', 'token', 'operatorKey'],
        query,
        options,
      ),
    /** What cannot be proven stays claimed: `VALIDATION_ERROR` says why. */
    verify: (
      agentId: string,
      identifierId: string,
      proof?: IdentifierProof,
      options?: WriteOptions,
    ): Promise<Identifier> =>
      post(
        path`/v1/agents/${agentId}/identifiers/${identifierId}/verify`,
        MANAGERS,
        proof,
        options,
      ),
    /** Another agent can verify the name from now on. */
    delete: (agentId: string, identifierId: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/agents/${agentId}/identifiers/${identifierId}`, MANAGERS, options),
  }
}
