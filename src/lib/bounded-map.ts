/** A map of limited size: where a new entry has no room, the one that was set longest ago is dropped. */
export interface BoundedMap<K, V> extends Iterable<readonly [K, V]> {
  get(key: K): V | undefined
  /** Sets an entry, which is then the newest, also when the key was there before. */
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  size(): number
}

/** `onDropped` is called with each entry that had no more room. */
export function createBoundedMap<K, V>(
  sizeMax: number,
  onDropped?: (key: K, value: V) => void,
): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      // A Map iterates in the order of insertion: deleting first moves the key to the end.
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > sizeMax) {
        for (const [oldest, dropped] of entries) {
          entries.delete(oldest)
          onDropped?.(oldest, dropped)
          break
        }
      }
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    size: () => entries.size,
    [Symbol.iterator]: () => entries.entries(),
  }
}
