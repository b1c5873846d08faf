import type { Job } from '../store/delivery-job.ts'
import { end, type SubscriptionQueue, startNext } from './subscription-queue.ts'

/**
 * The slots of a node, and whose turn is next: queues take turns, one job each, so that none waits for the
 * length of another. Slow and new receivers share half of the slots.
 */
export interface Turns<J extends Job> {
  /** The queue may have a job to start; its turn comes after those of the others. */
  readonly add: (queue: SubscriptionQueue<J>) => void
  readonly remove: (queue: SubscriptionQueue<J>) => void
  /** The next job to send now, from then on in a slot; null if none may start. */
  readonly next: (now: number) => J | null
  /** Frees the slot of a job. */
  readonly end: (queue: SubscriptionQueue<J>, job: J) => void
  /** Says whether the receiver of a queue is slow; its jobs in flight then count as such. */
  readonly setSlow: (queue: SubscriptionQueue<J>, isSlow: boolean) => void
}

export function createTurns<J extends Job>(slots: number): Turns<J> {
  /** Queues that may have a job to start, in the order of their turns. */
  const ready = new Set<SubscriptionQueue<J>>()
  let inFlight = 0
  let slowInFlight = 0

  function count(queue: SubscriptionQueue<J>, change: 1 | -1) {
    inFlight += change
    if (queue.isSlow) {
      slowInFlight += change
    }
  }

  return {
    add: (queue) => void ready.add(queue),
    remove: (queue) => void ready.delete(queue),
    next(now) {
      for (const queue of ready) {
        if (inFlight >= slots) {
          return null
        }
        if (queue.isSlow && slowInFlight >= slots / 2) {
          continue
        }
        const job = startNext(queue, now)
        ready.delete(queue)
        if (job !== null) {
          ready.add(queue)
          count(queue, 1)
          return job
        }
      }
      return null
    },
    end(queue, job) {
      end(queue, job)
      count(queue, -1)
    },
    setSlow(queue, isSlow) {
      if (isSlow !== queue.isSlow) {
        slowInFlight += isSlow ? queue.started.size : -queue.started.size
        queue.isSlow = isSlow
      }
    },
  }
}
