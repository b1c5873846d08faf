import { DAY_MS } from '../domain/time.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import type { ChangeFeed } from '../store/changes.ts'
import type { DeliveryJob } from '../store/delivery-job.ts'
import type { DeliveryQueue } from '../store/delivery-queue.ts'
import { createDispatcher } from './dispatcher.ts'
import { pruneAll } from './prune.ts'
import { createSender, type SenderOptions } from './sender.ts'

export interface DelivererOptions extends SenderOptions {
  readonly queue: DeliveryQueue<DeliveryJob>
  /** Calls `wake` whenever there may be something to send, until the function returned is called. */
  readonly subscribe: (wake: () => void) => () => void
  /** What of the queue has changed since a node claimed it. */
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  /** How long notifications and deliveries are kept (STANDING_RETENTION). */
  readonly keptDays: number
  /** Of the removal of those that are older. */
  readonly pruning: Schedule
}

export interface Deliverer {
  /** Finishes what is in flight or leaves it for the next start; nothing is lost. */
  close(): Promise<void>
}

/** One statement; the deliveries of a dead node wait for five of these. */
const HEARTBEAT_MS = 4_000

/** Four heartbeats may be late before a node counts as dead: a stalled disk does not make it one. */
const NODE_ALIVE_MS = 5 * HEARTBEAT_MS

/** A stop waits this long for receivers: half of what most supervisors grant before they kill. */
const CLOSE_MS = 5_000

/** Delivers on one node until it is closed: the dispatcher, the heartbeat and the pruning. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { queue, now, onError, keptDays } = options
  const sender = createSender(options)
  const dispatcher = createDispatcher({ queue, send: sender.send, onError, now })
  const unsubscribe = options.subscribe(dispatcher.wake)
  options.changes.subscribe((change) => {
    if (change.kind === 'deliveries') {
      dispatcher.recall(change.ids)
    } else if (change.kind === 'unknown') {
      dispatcher.recall(null)
    }
  })
  const heartbeat = startInterval({
    everyMs: HEARTBEAT_MS,
    startsAfterMs: 0,
    onError,
    async work() {
      if (await queue.heartbeat(NODE_ALIVE_MS)) {
        dispatcher.wake()
      }
    },
  })
  const closing = new AbortController()
  const pruning = startInterval({
    ...options.pruning,
    onError,
    work: () => pruneAll(() => queue.prune(now() - keptDays * DAY_MS), closing.signal),
  })
  dispatcher.wake()
  return {
    async close() {
      closing.abort()
      unsubscribe()
      const timer = setTimeout(sender.cancel, CLOSE_MS)
      // Together: from here on neither starts anything new.
      await Promise.all([dispatcher.stop(), pruning.stop()])
      clearTimeout(timer)
      await heartbeat.stop()
      await queue.deregister().catch(onError)
      await sender.close()
    },
  }
}
