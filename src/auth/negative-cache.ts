import { createBoundedMap } from '../lib/bounded-map.ts'
import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'

/** As many made-up keys as a guesser gets to try in a busy second; the oldest give way. */
const UNKNOWN_KEYS_MAX = 10_000

/**
 * Keys that were nobody's a moment ago. They are remembered apart, so that made-up ones push out
 * none that is somebody's. Nobody is told when a key comes to be, so none is believed for long.
 */
export interface NegativeCache {
  has(name: string): boolean
  /** Nobody had this key when it was asked for, at this time. */
  add(name: string, at: number): void
  clear(): void
}

export function createNegativeCache(now: () => number): NegativeCache {
  const askedAt = createBoundedMap<string, number>(UNKNOWN_KEYS_MAX)
  return {
    has(name) {
      const at = askedAt.get(name)
      if (at === undefined) {
        return false
      }
      const age = now() - at
      return age >= 0 && age < FRESH_DISCONNECTED_MS
    },
    add: askedAt.set,
    clear: askedAt.clear,
  }
}
