import type { Metrics } from './metrics.ts'

/** Counts what becomes of the background tasks of a node. */
export interface TaskWatch {
  /** The same work, counted under this name. */
  watched(name: string, work: () => Promise<unknown>): () => Promise<unknown>
}

export function createTaskWatch({ gauges, counters }: Metrics): TaskWatch {
  const succeededAt = new Map<string, number>()
  const failures = new Map<string, number>()
  gauges(
    'standing_task_last_success_timestamp_seconds',
    'When a background task of this node last ended without a fault; 0 for never',
    'task',
    () => succeededAt,
  )
  counters(
    'standing_task_failures_total',
    'Rounds of a background task that failed; each runs again',
    'task',
    () => failures,
  )
  return {
    watched(name, work) {
      succeededAt.set(name, 0)
      failures.set(name, 0)
      return async () => {
        try {
          await work()
          // The system's clock, as Prometheus has it, not the steady one of the service.
          succeededAt.set(name, Date.now() / 1000)
        } catch (error) {
          failures.set(name, (failures.get(name) ?? 0) + 1)
          throw error
        }
      }
    },
  }
}
