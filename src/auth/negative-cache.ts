import { createBoundedMap } from '../lib/bounded-map.ts'
import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'

/** As many unknown keys as can be tried in a busy second; the oldest are dropped. */
const UNKNOWN_KEYS_MAX = 10_000

/**
 * Keys that did not exist a moment ago. They have a cache of their own, so that they displace no
 * valid key. No notification announces a new key, so an entry is valid only for a short time.
 */
export interface NegativeCache {
  has(name: string): boolean
  /** Records that this key did not exist at this time. */
  add(name: string, at: number): void
  clear(): void
  size(): number
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
    size: askedAt.size,
  }
}
