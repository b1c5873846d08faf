import { type Schedule, startInterval } from '../lib/interval.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'
import { type FailedErasure, runErasures } from './run.ts'

export interface ErasureRunner {
  /** Begins at once, for an erasure that was just requested. */
  wake(): void
  close(): Promise<void>
}

export interface ErasureRunnerOptions extends Sources {
  readonly store: Store
  readonly schedule: Schedule
  readonly onFinished: (erasures: number) => void
  /** Called for each erasure that failed, and where the list cannot be read; both are tried again later. */
  readonly onError: (error: unknown) => void
}

/** Carries out erasures, beginning with those that an earlier process left. */
export function startErasures(options: ErasureRunnerOptions): ErasureRunner {
  const { schedule, onFinished, onError } = options
  const failed = new Map<string, FailedErasure>()
  let isStopping = false
  const interval = startInterval({
    ...schedule,
    async work() {
      const finished = await runErasures({ ...options, failed, isStopping: () => isStopping })
      if (finished > 0) {
        onFinished(finished)
      }
    },
    onError,
  })
  return {
    wake: interval.wake,
    async close() {
      isStopping = true
      await interval.stop()
    },
  }
}
