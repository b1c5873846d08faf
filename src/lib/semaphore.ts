import { unavailable } from '../domain/error.ts'

/** Lets so much work run at a time; the rest waits its turn, and too much is turned away. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface SemaphoreOptions {
  readonly runningMax: number
  readonly waitingMax: number
  /** What those are told who are turned away. */
  readonly refusal: string
}

/**
 * Folding a log again costs as much as it is long (some 10 µs an event, most of it reading). Two at a
 * time leave a core and most connections to the requests that cost nothing.
 */
export const REFOLDS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 50,
  refusal: 'too many histories are being read again just now',
}

/**
 * An export takes its turn for each part of the log (some 10 ms), so that one whose reader is slow keeps
 * no other waiting.
 */
export const EXPORTS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 1_000,
  refusal: 'too many logs are being exported just now',
}

export function createSemaphore({ runningMax, waitingMax, refusal }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running >= runningMax) {
        if (waiting.length >= waitingMax) {
          throw unavailable(refusal)
        }
        // Whoever leaves hands its place on, so that nobody who comes later slips in.
        await new Promise<void>((enter) => waiting.push(enter))
      } else {
        running++
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) {
          next()
        } else {
          running--
        }
      }
    },
  }
}
