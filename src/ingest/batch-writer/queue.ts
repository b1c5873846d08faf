/** Reports that wait for a batch. */
import { createBatcher } from '../../lib/batcher.ts'
import { hexOf } from '../../lib/hex.ts'
import type { SpanContext } from '../../lib/span-context.ts'
import type { Submission } from '../record-reports.ts'

/**
 * Events in one transaction at most. A commit waits for the disk once, however many events it
 * carries; beyond this many the last event waits longer for the others than it saves. With 256, batches
 * of a hundred take a seventh more processor time an event; with 1,024, no less.
 */
const BATCH_EVENTS_MAX = 512

/** A report, with what settles the promise of its sender. */
export interface QueuedReport {
  readonly submission: Submission<unknown>
  readonly span: SpanContext | null
  readonly resolve: (response: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface Queue {
  add(one: QueuedReport): void
  isEmpty(): boolean
  /** Resolves once nothing waits and no batch is being committed. */
  idle(): Promise<void>
}

/** A queue whose batches are committed one after the other, or so many at once. */
export function createQueue(
  commitBatch: (batch: readonly QueuedReport[]) => Promise<void>,
  atOnce = () => 1,
): Queue {
  const waiting: QueuedReport[] = []
  const { wake, idle } = createBatcher({
    hasWaiting: () => waiting.length > 0,
    flush: () => commitBatch(takeBatch(waiting)),
    atOnce,
  })
  return {
    add(one) {
      waiting.push(one)
      wake()
    },
    isEmpty: () => waiting.length === 0,
    idle,
  }
}

/** Adds to a queue that is there as long as reports wait in it. */
export function addTo<K>(
  queues: Map<K, Queue>,
  key: K,
  one: QueuedReport,
  commitBatch: (batch: readonly QueuedReport[]) => Promise<void>,
): void {
  const known = queues.get(key)
  const queue: Queue =
    known ??
    createQueue(async (batch) => {
      await commitBatch(batch)
      if (queue.isEmpty()) {
        queues.delete(key)
      }
    })
  queues.set(key, queue)
  queue.add(one)
}

/**
 * Takes from the front of a queue what fits into one batch, at least one request. Two requests with
 * one Idempotency-Key never share a batch: the second is answered what the first one stored.
 */
function takeBatch(queue: QueuedReport[]): readonly QueuedReport[] {
  const batch: QueuedReport[] = []
  const later: QueuedReport[] = []
  const keys = new Set<string>()
  let events = 0
  for (const one of queue) {
    const { report, idempotencyScope } = one.submission
    const key = idempotencyScope && hexOf(idempotencyScope)
    if (key !== null && keys.has(key)) {
      later.push(one)
      continue
    }
    events += report.events.length
    if (batch.length > 0 && events > BATCH_EVENTS_MAX) {
      break
    }
    batch.push(one)
    if (key !== null) {
      keys.add(key)
    }
  }
  queue.splice(0, batch.length + later.length, ...later)
  return batch
}
