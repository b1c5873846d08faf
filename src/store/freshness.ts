import type { ChangeFeed } from './changes.ts'

/**
 * Every change arrives within milliseconds. This bounds how long a value stays stale when a node exits
 * between its commit and the notification. One query in ten seconds costs nothing for a popular value.
 */
const FRESH_CONNECTED_MS = 10_000

/** While notifications do not arrive, changes of other nodes are seen within a second. */
export const FRESH_DISCONNECTED_MS = 1_000

/** For how long a cached value is fresh, by whether notifications arrive. */
export function freshness(changes: ChangeFeed): () => number {
  return () => (changes.isConnected() ? FRESH_CONNECTED_MS : FRESH_DISCONNECTED_MS)
}
