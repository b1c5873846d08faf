export interface DispatchOptions {
  /** How many keys are being sent for at once. */
  readonly concurrency: number
  /** How many items of one key go together at most. */
  readonly batchMax: number
  /** How many items are held in memory, waiting or in flight, before reading pauses. */
  readonly heldMax: number
}

export interface Dispatched<T> {
  readonly keyOf: (item: T) => string
  /** Whether no item of this one's key follows, so that nothing more need be waited for. */
  readonly isLast: (item: T) => boolean
  readonly send: (items: readonly T[]) => Promise<void>
}

/**
 * Sends the items of a stream: those of one key in order and never at the same time, those of
 * different keys side by side. Ends when all are sent; fails with the first failure, after which
 * nothing new is sent.
 */
export async function dispatch<T>(
  items: AsyncIterable<T>,
  options: DispatchOptions,
  { keyOf, isLast, send }: Dispatched<T>,
): Promise<void> {
  const waiting = new Map<string, T[]>()
  const tails = new Map<string, Promise<void>>()
  const slots = createSlots(options.concurrency)
  const failures: unknown[] = []
  let held = 0
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
    const tail = (tails.get(key) ?? Promise.resolve())
      .then(() => slots(() => attempt(batch)))
      .then(() => {
        held -= batch.length
        roomMade()
        if (tails.get(key) === tail) {
          tails.delete(key)
        }
      })
    tails.set(key, tail)
  }

  /** Where most of what is held still waits for company, the oldest goes without it. So one is in flight. */
  async function makeRoom(): Promise<void> {
    for (const [key, batch] of waiting) {
      if (collecting <= options.heldMax / 2) {
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
    held++
    collecting++
    if (batch.length === options.batchMax || isLast(item)) {
      flush(key, batch)
    }
    while (held >= options.heldMax && failures.length === 0) {
      await makeRoom()
    }
  }
  if (failures.length === 0) {
    for (const [key, batch] of waiting) {
      flush(key, batch)
    }
  }
  await Promise.all(tails.values())
  if (failures.length > 0) {
    throw failures[0]
  }
}

/** Runs at most so many at once, the others in the order they came. */
function createSlots(max: number): (work: () => Promise<void>) => Promise<void> {
  const queue: (() => void)[] = []
  let free = max
  return async (work) => {
    if (free === 0) {
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      free--
    }
    try {
      await work()
    } finally {
      // A slot is handed on rather than freed, so that no newcomer slips in between.
      const next = queue.shift()
      if (next) {
        next()
      } else {
        free++
      }
    }
  }
}
