import { createBatcher } from '../lib/batcher.ts'
import type { KeyHolder, Store } from '../store/store.ts'

/**
 * Keys in one statement. It takes some milliseconds, so a valid key does not wait long among keys
 * that are guessed.
 */
const KEYS_MAX = 200

/** Statements at a time. If one of two connections does not answer, the other one still does. */
const AT_ONCE = 2

interface Waiting {
  readonly hash: Uint8Array
  readonly resolve: (holder: KeyHolder | null) => void
  readonly reject: (error: unknown) => void
}

/**
 * Finds the holders of keys, the keys of many requests in one statement: a caller who tries invented
 * keys on hundreds of connections takes two connections to the database, and a fraction of a statement
 * for each key.
 */
export function createKeyLookUps(
  store: Pick<Store, 'keys'>,
): (hash: Uint8Array) => Promise<KeyHolder | null> {
  const waiting: Waiting[] = []
  const { wake } = createBatcher({
    hasWaiting: () => waiting.length > 0,
    flush,
    atOnce: () => AT_ONCE,
  })

  async function flush(): Promise<void> {
    const batch = waiting.splice(0, KEYS_MAX)
    try {
      const holders = await store.keys.holders(batch.map(({ hash }) => hash))
      for (const [i, { resolve }] of batch.entries()) {
        resolve(holders[i] ?? null)
      }
    } catch (error) {
      for (const { reject } of batch) {
        reject(error)
      }
    }
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      waiting.push({ hash, resolve, reject })
      wake()
    })
}
