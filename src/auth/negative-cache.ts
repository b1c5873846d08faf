import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'

/** As many made-up keys as a guesser gets to try in a busy second; the oldest give way. */
const STRANGERS_MAX = 10_000

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
  const askedAt = new Map<string, number>()
  return {
    has(name) {
      const at = askedAt.get(name)
      if (at === undefined) {
        return false
      }
      const age = now() - at
      return age >= 0 && age < FRESH_DISCONNECTED_MS
    },
    add(name, at) {
      askedAt.delete(name)
      askedAt.set(name, at)
      if (askedAt.size <= STRANGERS_MAX) {
        return
      }
      for (const oldest of askedAt.keys()) {
        return void askedAt.delete(oldest)
      }
    },
    clear: () => askedAt.clear(),
  }
}
