import type { Recorder } from '../ingest/record-reports.ts'
import { agentsFailed, type EachAgentOptions, eachAgent } from '../lib/each-agent.ts'
import { throwFirst } from '../lib/failures.ts'
import type { Store } from '../store/store.ts'
import { carryOut, limitChildren } from './delegation.ts'
import { createStartLimits } from './starts.ts'

/** What follows for parents and children of agents that had events. */
export interface Delegations {
  /**
   * Carries out one part of each task that waits, of a bounded number of tasks. A task that fails, or has very many
   * parts, delays no other.
   */
  carryOut(): Promise<void>
  /**
   * Limits all children again: the passing of days moves a parent's score too, and no event says so. Throws at the end
   * where it failed for a parent.
   */
  limitAll(options: EachAgentOptions): Promise<void>
}

/** Tasks read at a time. */
const PART = 100

/** Tasks that wait because they failed, a megabyte of ids at most. Beyond that the fault is not theirs. */
const FAILED_MAX = 10_000

export function createDelegations(store: Store, recorder: Recorder): Delegations {
  /** Tasks that have further parts, by id. Another node, or the next start, begins them again. */
  let begun: ReadonlyMap<string, AsyncGenerator<void, void>> = new Map()
  /** Tasks that failed since every other task last had its turn, by id: they wait until it has. */
  const failed = new Set<string>()
  const starts = createStartLimits(store, recorder)
  return {
    async carryOut() {
      const failures: unknown[] = []
      const unfinished = new Map<string, AsyncGenerator<void, void>>()
      const tasks = await store.delegationTasks.waiting([...failed], PART)
      if (tasks.length < PART || failed.size > FAILED_MAX) {
        failed.clear()
      }
      for (const task of tasks) {
        const parts = begun.get(task.id) ?? carryOut(store, recorder, starts, task)
        try {
          const { done } = await parts.next()
          if (!done) {
            unfinished.set(task.id, parts)
          }
        } catch (error) {
          failed.add(task.id)
          failures.push(error)
        }
      }
      begun = unfinished
      throwFirst(failures)
    },
    async limitAll(options) {
      const parents = store.agentStates.agentIds({ isParent: true })
      const limit = (parentId: string) => limitChildren(store, recorder, parentId)
      const failed = await eachAgent(parents, limit, options)
      if (failed > 0) {
        throw agentsFailed(failed)
      }
    },
  }
}
