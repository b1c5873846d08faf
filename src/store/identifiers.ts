import type { Identifier, IdentifierStatus, IdentifierType } from '../domain/identifier.ts'
import type { Mode } from '../domain/mode.ts'
import type { FindOptions, Page } from './types.ts'

export interface IdentifierQuery {
  readonly status?: IdentifierStatus | undefined
  readonly before: string | null
  readonly limit: number
}

/** Whose a value is: the agent that has proven it, or null where it is only claimed. */
export type HolderByValue = ReadonlyMap<string, string | null>

/** What names at most one identifier. In each mode at most one agent has verified a value. */
export type IdentifierKey =
  | { readonly agentId: string; readonly id: string }
  | { readonly agentId: string; readonly type: IdentifierType; readonly value: string }
  | { readonly verified: string; readonly mode: Mode }

/** The names of agents. Each change is published by its value, so that lookups see it on every node. */
export interface IdentifierStore {
  insert(identifier: Identifier): Promise<void>
  find(by: IdentifierKey, options?: FindOptions): Promise<Identifier | null>
  /** Newest first. */
  list(agentId: string, query: IdentifierQuery): Promise<Page<Identifier>>
  /** A value without a claim is left out. */
  holders(values: readonly string[], mode: Mode): Promise<HolderByValue>
  /**
   * Throws, so that the transaction runs again, if another agent has verified the value meanwhile.
   */
  update(identifier: Identifier): Promise<void>
  delete(identifier: Identifier): Promise<void>
  /** All names of an agent pass to another. */
  move(fromAgentId: string, toAgentId: string): Promise<void>
  /** Verified ones that are due for a check; each is put off to `until`, so that no other node takes it. */
  claimDue(now: number, until: number, limit: number): Promise<readonly Identifier[]>
}
