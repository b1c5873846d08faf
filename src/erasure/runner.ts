import { startInterval } from '../lib/interval.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'
import { runErasures } from './run.ts'

/** How soon another node takes up what a node that died had begun. */
const EVERY_MS = 60_000

export interface ErasureRunner {
  /** Begins at once, for one that was just asked for. */
  wake(): void
  close(): Promise<void>
}

export interface ErasureRunnerOptions extends Sources {
  readonly store: Store
  readonly onFinished: (erasures: number) => void
  readonly onError: (error: unknown) => void
}

/** Works off erasures, and at the start those that an earlier process began. */
export function startErasures(options: ErasureRunnerOptions): ErasureRunner {
  const { onFinished, onError } = options
  let isStopping = false
  let running: Promise<void> | null = null
  let isWoken = false

  async function work(): Promise<void> {
    do {
      isWoken = false
      const finished = await runErasures({ ...options, isStopping: () => isStopping })
      if (finished > 0) {
        onFinished(finished)
      }
    } while (isWoken && !isStopping)
  }

  function round(): Promise<void> {
    isWoken = true
    running ??= work().finally(() => {
      running = null
    })
    return running
  }

  const interval = startInterval({ everyMs: EVERY_MS, work: round, onError, startsAtOnce: true })
  return {
    wake: () => void round().catch(onError),
    async close() {
      isStopping = true
      await interval.stop()
      await running?.catch(() => {})
    },
  }
}
