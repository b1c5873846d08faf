import { unavailable } from '../domain/error.ts'

/**
 * Has what is asked of one thing done one by one, in the order asked. Its row would see to that too,
 * but each who waits for a row holds a connection meanwhile, and everybody else goes short.
 */
export interface KeyedMutex {
  take<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Some seconds of work; beyond it, saying so at once is kinder than a queue. */
const WAITING_MAX = 1_000

interface Queue {
  readonly last: Promise<unknown>
  readonly length: number
}

export function createKeyedMutex(): KeyedMutex {
  const queues = new Map<string, Queue>()

  function leave(name: string): void {
    const queue = queues.get(name)
    if (!queue) {
      return
    }
    if (queue.length === 1) {
      queues.delete(name)
    } else {
      queues.set(name, { ...queue, length: queue.length - 1 })
    }
  }

  return {
    take(name, work) {
      const { last, length } = queues.get(name) ?? { last: Promise.resolve(), length: 0 }
      if (length >= WAITING_MAX) {
        return Promise.reject(unavailable('too many wait for the same just now'))
      }
      const mine = last.then(work)
      // Whoever comes next waits for the end of this one, however it ends.
      const ended = mine.then(
        () => leave(name),
        () => leave(name),
      )
      queues.set(name, { last: ended, length: length + 1 })
      return mine
    },
  }
}
