/** Whether other nodes write the rows of this node's batches, by how many of these were too late. */
export interface Contention {
  /** The rows of a batch had changed, or were locked, when it was to be written. */
  lost(): void
  /** A batch was written. */
  won(): void
  isHigh(): boolean
}

/**
 * After so many batches in a row that were too late, and for so long, contention is high. If the first one after that is
 * too late as well, other nodes still write the same rows, and it is high again.
 */
const LOST_MAX = 3
const HIGH_MS = 1_000

/** @param now Milliseconds, never decreasing. */
export function createContention(now = () => performance.now()): Contention {
  let lost = 0
  let highUntil = Number.NEGATIVE_INFINITY
  return {
    lost() {
      lost += 1
      if (lost >= LOST_MAX) {
        highUntil = now() + HIGH_MS
      }
    },
    won() {
      lost = 0
    },
    isHigh: () => now() < highUntil,
  }
}
