import type { Recorder } from '../ingest/record-reports.ts'
import type { Store } from '../store/store.ts'
import { carryOut, limitChildren } from './delegation.ts'

/** What follows for parents and children of agents that had events. */
export interface Delegations {
  /** Carries out what waits, at most so much in a round. One task that fails delays no other. */
  carryOut(): Promise<void>
  /** Limits all children again: the passing of days moves a parent's score too, and no event says so. */
  limitAll(isStopping: () => boolean): Promise<void>
}

/** Read at a time. */
const PART = 100

export function createDelegations(store: Store, recorder: Recorder): Delegations {
  return {
    async carryOut() {
      const failures: unknown[] = []
      for (const task of await store.delegationTasks.list(PART)) {
        await carryOut(store, recorder, task).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) {
        throw failures[0]
      }
    },
    async limitAll(isStopping) {
      for await (const parents of store.agentStates.agentIds({ isParent: true })) {
        for (const parentId of parents) {
          if (isStopping()) {
            return
          }
          await limitChildren(store, recorder, parentId)
        }
      }
    },
  }
}
