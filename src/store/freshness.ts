import type { ChangeFeed } from './store.ts'

/**
 * Of every change one hears within milliseconds; this bounds what a node that dies between a commit
 * and telling of it leaves wrong. A query in ten seconds is nothing for what is asked for often.
 */
const FRESH_CONNECTED_MS = 10_000

/** While changes are not heard, another node's are seen within a second. */
export const FRESH_DISCONNECTED_MS = 1_000

/** For how long what was read holds, by whether changes are heard. */
export function freshness(changes: ChangeFeed): () => number {
  return () => (changes.isConnected() ? FRESH_CONNECTED_MS : FRESH_DISCONNECTED_MS)
}
