import { createKeyedMutex } from '../../../src/lib/keyed-mutex.ts'
import { createSemaphore } from '../../../src/lib/semaphore.ts'

export interface DispatchOptions {
  /** How many batches are being sent at the same time. */
  readonly concurrency: number
  /** How many items of one key are sent together at most. */
  readonly batchMax: number
  /** How many items are in memory, waiting or being sent, before reading pauses. */
  readonly itemsMax: number
}

export interface Dispatched<T> {
  readonly keyOf: (item: T) => string
  /** Whether no other item of this key follows, so that its batch can be sent now. */
  readonly isLast: (item: T) => boolean
  readonly send: (items: readonly T[]) => Promise<void>
}

/**
 * Sends the items of a stream: those of one key in order and never at the same time, those of
 * different keys in parallel. Ends when all are sent; fails with the first failure, after which
 * nothing new is sent.
 */
export async function dispatch<T>(
  items: AsyncIterable<T>,
  options: DispatchOptions,
  { keyOf, isLast, send }: Dispatched<T>,
): Promise<void> {
  const waiting = new Map<string, T[]>()
  // `itemsMax` bounds what is queued, so that the queues need no bounds of their own.
  const mutex = createKeyedMutex({ queuedMax: Number.POSITIVE_INFINITY })
  const semaphore = createSemaphore({ runningMax: options.concurrency })
  const sending = new Set<Promise<void>>()
  const failures: unknown[] = []
  let inMemory = 0
  let collecting = 0
  let roomMade = () => {}

  async function attempt(batch: readonly T[]): Promise<void> {
    if (failures.length > 0) {
      return
    }
    try {
      await send(batch)
    } catch (error) {
      failures.push(error)
    }
  }

  function flush(key: string, batch: readonly T[]): void {
    waiting.delete(key)
    collecting -= batch.length
    const sent = mutex
      .run(key, () => semaphore.run(() => attempt(batch)))
      .then(() => {
        inMemory -= batch.length
        sending.delete(sent)
        roomMade()
      })
    sending.add(sent)
  }

  /** If most items still wait for others of their key, sends the oldest as they are, so that some room is made. */
  async function makeRoom(): Promise<void> {
    for (const [key, batch] of waiting) {
      if (collecting <= options.itemsMax / 2) {
        break
      }
      flush(key, batch)
    }
    await new Promise<void>((resolve) => {
      roomMade = resolve
    })
  }

  for await (const item of items) {
    if (failures.length > 0) {
      break
    }
    const key = keyOf(item)
    const batch = waiting.get(key) ?? []
    waiting.set(key, batch)
    batch.push(item)
    inMemory++
    collecting++
    if (batch.length === options.batchMax || isLast(item)) {
      flush(key, batch)
    }
    while (inMemory >= options.itemsMax && failures.length === 0) {
      await makeRoom()
    }
  }
  if (failures.length === 0) {
    for (const [key, batch] of waiting) {
      flush(key, batch)
    }
  }
  await Promise.all(sending)
  if (failures.length > 0) {
    throw failures[0]
  }
}
