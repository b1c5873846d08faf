import { overloaded } from '../domain/error.ts'

/**
 * Runs the work of one key one piece at a time, in the order it came; the keys do not wait for each
 * other. A row lock would do the same, but each request that waits for a row occupies a connection.
 */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export interface KeyedMutexOptions {
  /** Work of one key, running or waiting, beyond which more is refused with 503. */
  readonly queuedMax?: number
}

/** Some seconds of work. Beyond it, an immediate refusal serves the caller better than a queue. */
const QUEUED_MAX = 1_000

interface Queue {
  readonly last: Promise<unknown>
  readonly length: number
}

export function createKeyedMutex({ queuedMax = QUEUED_MAX }: KeyedMutexOptions = {}): KeyedMutex {
  const queues = new Map<string, Queue>()

  function release(key: string): void {
    const queue = queues.get(key)
    if (queue && queue.length > 1) {
      queues.set(key, { ...queue, length: queue.length - 1 })
    } else {
      queues.delete(key)
    }
  }

  return {
    run(key, work) {
      const { last, length } = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
      if (length >= queuedMax) {
        return Promise.reject(overloaded('too many requests wait for the same resource; retry'))
      }
      const result = last.then(work)
      // The next one waits for the end of this one, whether it succeeds or fails.
      const ended = result.then(
        () => release(key),
        () => release(key),
      )
      queues.set(key, { last: ended, length: length + 1 })
      return result
    },
  }
}
