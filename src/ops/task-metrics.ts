import type { Schedule } from '../lib/interval.ts'
import type { TaskState } from '../lib/task-state.ts'
import type { Metrics } from './metrics.ts'

/** Follows the rounds of the background tasks of a node. */
export interface TaskWatch {
  /** Wraps the work of a task, so that its rounds are counted. */
  watched(task: Task, work: () => Promise<unknown>): () => Promise<unknown>
  states(): readonly TaskState[]
}

export interface Task extends Pick<Schedule, 'everyMs' | 'retryMs'> {
  /** In the metrics. */
  readonly name: string
}

/** By the system's clock, as Prometheus has it, not by the steady one of the service. */
export function createTaskWatch({ gauges, counters }: Metrics): TaskWatch {
  const tasks = new Map<string, TaskState>()
  const figures = (value: (task: TaskState) => number) => () =>
    new Map([...tasks].map(([name, task]) => [name, value(task)]))
  gauges(
    'standing_task_last_success_timestamp_seconds',
    'When a background task of this node last ended without a fault; 0 for never',
    'task',
    figures(({ succeededAt }) => (succeededAt ?? 0) / 1000),
  )
  counters(
    'standing_task_failures_total',
    'Rounds of a background task that failed; each runs again',
    'task',
    figures(({ failures }) => failures),
  )
  return {
    watched({ name, everyMs, retryMs = everyMs }, work) {
      let task: TaskState = { ...NEVER_RUN, name, everyMs, nextAt: Date.now() + everyMs }
      const set = (change: Partial<TaskState>) => {
        task = { ...task, ...change }
        tasks.set(name, task)
      }
      set({})
      return async () => {
        const startedAt = Date.now()
        set({ isRunning: true, startedAt, nextAt: startedAt + everyMs })
        try {
          await work()
          set({ isRunning: false, succeededAt: Date.now() })
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          const { failures } = task
          const at = Date.now()
          const nextAt = Math.min(startedAt + everyMs, at + retryMs)
          set({ isRunning: false, nextAt, failures: failures + 1, lastError: { at, message } })
          throw error
        }
      }
    },
    states: () => [...tasks.values()],
  }
}

const NEVER_RUN = {
  isRunning: false,
  startedAt: null,
  succeededAt: null,
  failures: 0,
  lastError: null,
} as const
