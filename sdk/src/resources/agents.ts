import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type {
  Agent,
  AgentInput,
  AgentPatch,
  AgentProfile,
  AgentQuery,
  AgentWithKey,
  Erasure,
  KeyRotation,
  PublicProfile,
  RotatedKey,
  SuccessorInput,
} from '../types.ts'
import { path } from '../url.ts'

export type Agents = ReturnType<typeof agentCalls>

export function agentCalls({ read, readText, patch, post, remove, list }: Calls) {
  return {
    /** Owner. The answer alone carries the agent's `apiKey`. With `parentId` it acts for that agent. */
    register: (input: AgentInput, options?: WriteOptions): Promise<AgentWithKey> =>
      post('/v1/agents', ['token'], input, options),
    /**
     * In full to the agent itself, its owner and the operator; to another agent its public part, in
     * which `metadata`, `ownerId` and `updatedAt` are missing.
     */
    get: (id: string, options?: CallOptions): Promise<AgentProfile> =>
      read(path`/v1/agents/${id}`, ['apiKey', 'token', 'operatorKey'], options),
    /** Anyone, where the owner has made it public (`publicProfile`). */
    publicProfile: (id: string, options?: CallOptions): Promise<PublicProfile> =>
      read(path`/v1/agents/${id}/profile`, ['apiKey', 'token', 'operatorKey'], options),
    /** Agent. */
    me: (options?: CallOptions): Promise<Agent> => read('/v1/agents/me', ['apiKey'], options),
    /** Owner. */
    list: (query?: AgentQuery, options?: CallOptions): Listing<Agent> =>
      list('/v1/agents', ['token'], query, options),
    /** Owner. A given `metadata` replaces the whole. */
    update: (id: string, changes: AgentPatch, options?: WriteOptions): Promise<Agent> =>
      patch(path`/v1/agents/${id}`, ['token'], changes, options),
    /** Owner. Final: the key stops working, credentials are revoked, the score stays readable. */
    deactivate: (id: string, options?: WriteOptions): Promise<Agent> =>
      remove(path`/v1/agents/${id}`, ['token'], options),
    /** The agent itself, its owner, operator. Everything about the agent, one JSON object a line. */
    export: (id: string, options?: CallOptions): Promise<string> =>
      readText(path`/v1/agents/${id}/export`, ['apiKey', 'token', 'operatorKey'], options),
    /** Owner, operator. Deactivates the agent permanently and erases its personal data. */
    erase: (id: string, options?: WriteOptions): Promise<Erasure> =>
      post(path`/v1/agents/${id}/erasure`, ['token', 'operatorKey'], { confirm: id }, options),
    /** Owner, operator. */
    erasure: (id: string, options?: CallOptions): Promise<Erasure> =>
      read(path`/v1/agents/${id}/erasure`, ['token', 'operatorKey'], options),
    /** Owner. A new agent, with its `apiKey`, that carries the record of this one, which is deactivated. */
    registerSuccessor: (
      id: string,
      input?: SuccessorInput,
      options?: WriteOptions,
    ): Promise<AgentWithKey> => post(path`/v1/agents/${id}/successor`, ['token'], input, options),
    /** Owner. The answer alone carries the new key; the old one works on for a while. */
    rotateKey: (id: string, input?: KeyRotation, options?: WriteOptions): Promise<RotatedKey> =>
      post(path`/v1/agents/${id}/rotate-key`, ['token'], input, options),
  }
}
