import type { ChildReport } from '../domain/delegation.ts'

/** What is to be done after a transaction that concerns an agent with a parent or with children. */
export interface NewDelegationTask {
  readonly agentId: string
  /** A bad report of the agent, for its parents; null where its own score moved, which limits its children. */
  readonly report: ChildReport | null
}

export interface DelegationTask extends NewDelegationTask {
  readonly id: string
}

export interface DelegationStore {
  /** In the transaction of what causes them. */
  add(tasks: readonly NewDelegationTask[]): Promise<void>
  /** The oldest ones. */
  list(limit: number): Promise<readonly DelegationTask[]>
  /** Removes a task; false where another node did. Its transaction alone carries it out. */
  take(id: string): Promise<boolean>
  /** The children of an agent that are not deactivated, in the order of their ids. */
  children(parentId: string): Promise<readonly string[]>
  /** Notes that an agent has children. */
  setParent(agentId: string): Promise<void>
  /** Puts the children of an agent under another one. */
  moveChildren(fromId: string, toId: string): Promise<void>
}
