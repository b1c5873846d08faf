import type { ChildReport } from '../domain/delegation.ts'
import type { ById, Inserted, Rows, Waiting } from './rows.ts'

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

/** Tasks, inserted with what causes them. The transaction that deletes one carries it out, and no other. */
export type DelegationTaskStore = Inserted<NewDelegationTask> &
  Pick<Rows<DelegationTask, ById>, 'delete'> &
  Waiting<DelegationTask>
