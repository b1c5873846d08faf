/**
 * Writes in batches, one at a time: what arrives while a batch is being written goes into the next
 * one. So the busier it is, the larger the batches and the fewer the writes.
 */
export interface Batcher {
  /** Call it when an item was added. The first batch takes all that is added in this turn of the event loop. */
  wake(): void
  /** Resolves when nothing waits and no batch is being written. */
  idle(): Promise<void>
}

export interface BatcherOptions {
  readonly hasWaiting: () => boolean
  /**
   * Takes a batch from what waits and writes it. It settles its own items, failed ones too: it may
   * keep them waiting, but must not reject.
   */
  readonly flush: () => Promise<void>
}

export function createBatcher({ hasWaiting, flush }: BatcherOptions): Batcher {
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    try {
      await new Promise((next) => setImmediate(next))
      while (hasWaiting()) {
        await flush()
      }
    } finally {
      running = null
    }
  }

  return {
    wake() {
      running ??= drain()
    },
    async idle() {
      await running
    },
  }
}
