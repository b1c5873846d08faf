import { type Schedule, startInterval } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
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
  readonly log: Log
}

/** Carries out erasures, beginning with those that an earlier process left. */
export function startErasures(options: ErasureRunnerOptions): ErasureRunner {
  const { schedule, log } = options
  const onError = (err: unknown) =>
    log.warn({ err }, 'an erasure was interrupted; it is tried again')
  const failed = new Map<string, FailedErasure>()
  let isStopping = false
  const interval = startInterval({
    ...schedule,
    async work() {
      const finished = await runErasures({
        ...options,
        failed,
        onError,
        isStopping: () => isStopping,
      })
      if (finished > 0) {
        log.info({ count: finished }, 'erasures finished')
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
