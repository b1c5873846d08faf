import { overloaded } from '../domain/error.ts'

/** Limits how many pieces of work run at the same time. The others wait, in the order they came. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
  /** How much runs and how much waits. */
  state(): { readonly running: number; readonly waiting: number }
}

export interface SemaphoreOptions {
  readonly runningMax: number
  /** Work that would wait behind this much is refused with 503. By default all work may wait. */
  readonly waitingMax?: number
  /** The message of that refusal. */
  readonly refusal?: string
}

export function createSemaphore({
  runningMax,
  waitingMax = Number.POSITIVE_INFINITY,
  refusal = 'too many requests are waiting',
}: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    state: () => ({ running, waiting: waiting.length }),
    async run(work) {
      if (running < runningMax) {
        running++
      } else if (waiting.length < waitingMax) {
        await new Promise<void>((start) => waiting.push(start))
      } else {
        throw overloaded(refusal)
      }
      try {
        return await work()
      } finally {
        // The place passes to the next in line, so that work which comes later cannot overtake it.
        const start = waiting.shift()
        if (start) {
          start()
        } else {
          running--
        }
      }
    },
  }
}
