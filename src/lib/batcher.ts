/**
 * Writes in batches, one at a time or a few: what arrives while they are being written goes into the
 * next one. So the busier it is, the larger the batches and the fewer the writes.
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
  /** How many batches are written at a time, asked before each; one by default. */
  readonly atOnce?: () => number
}

export function createBatcher({ hasWaiting, flush, atOnce = () => 1 }: BatcherOptions): Batcher {
  const running = new Set<Promise<void>>()
  let draining = 0
  let isStarting = false

  async function drain(): Promise<void> {
    try {
      await new Promise((next) => setImmediate(next))
      isStarting = false
      while (hasWaiting() && draining <= atOnce()) {
        await flush()
      }
    } finally {
      // In the same turn as the last look for items: a `wake` behind it starts the next round.
      draining -= 1
    }
  }

  return {
    wake() {
      if (isStarting || draining >= atOnce()) {
        return
      }
      isStarting = true
      draining += 1
      const round = drain().finally(() => running.delete(round))
      running.add(round)
    },
    async idle() {
      while (running.size > 0) {
        await Promise.all(running)
      }
    },
  }
}
