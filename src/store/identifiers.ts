import type { Identifier, IdentifierStatus } from '../domain/identifier.ts'
import type { Mode } from '../domain/mode.ts'
import type { Due, Listed, Rows } from './rows.ts'

/** The names of an agent, of any status by default. */
export interface NamesOf {
  readonly agentId: string
  readonly status?: IdentifierStatus | undefined
}

/** Whose a value is: the agent that has proven it, or null where it is only claimed. */
export type HolderByValue = ReadonlyMap<string, string | null>

/** What names at most one identifier. */
export type IdentifierKey =
  | Pick<Identifier, 'agentId' | 'id'>
  | Pick<Identifier, 'agentId' | 'type' | 'value'>

/** In each mode at most one agent has verified a value. */
export interface VerifiedName {
  readonly verified: string
  readonly mode: Mode
}

/**
 * The names of agents. Each change is published by its value, so that lookups see it on every node. An update throws, so
 * that the transaction runs again, if another agent has verified the value meanwhile. Verified names fall due for a
 * check.
 */
export interface IdentifierStore
  extends Pick<Rows<Identifier, IdentifierKey | VerifiedName>, 'find'>,
    Pick<Rows<Identifier, IdentifierKey>, 'insert' | 'update' | 'delete'>,
    Due<Identifier>,
    Listed<Identifier, NamesOf> {
  /** A value without a claim is left out. */
  holders(values: readonly string[], mode: Mode): Promise<HolderByValue>
}
