import type { ChildReport } from '../domain/delegation.ts'
import type { ById, Rows, Waiting } from './rows.ts'

/** What is to be done for other agents after a transaction that concerns an agent. */
export interface NewDelegationTask {
  readonly agentId: string
  /** A bad report of the agent, for its parents; null where its own score moved, which
   *  limits its children, and agents of its owner that have not started. */
  readonly report: ChildReport | null
}

export interface DelegationTask extends NewDelegationTask {
  readonly id: string
}

/** Tasks. The transaction that deletes one carries it out, and no other. */
export interface DelegationTaskStore
  extends Pick<Rows<DelegationTask, ById>, 'delete'>,
    Waiting<DelegationTask> {
  /** In the transaction of what causes them. */
  add(tasks: readonly NewDelegationTask[]): Promise<void>
}
