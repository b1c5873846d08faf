/** A clock that is kept in time is set back by less than this. */
const STEP_BACK_MS = 5_000

/**
 * The time, in milliseconds since the epoch. After a small step back it stands still until the clock has
 * caught up. After a larger one, as when a clock that ran ahead is corrected, it follows the clock:
 * otherwise it would stand still for as long as the clock was ahead.
 */
export function createClock(clock: () => number): () => number {
  let latest = 0
  return () => {
    const at = clock()
    if (at > latest || at < latest - STEP_BACK_MS) {
      latest = at
    }
    return latest
  }
}
