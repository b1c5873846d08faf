/** A map of limited size: where a new entry has no room, the one that was set longest ago is dropped. */
export interface BoundedMap<K, V> extends Iterable<readonly [K, V]> {
  get(key: K): V | undefined
  /** Sets an entry, which is then the newest, also when the key was there before. */
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  size(): number
}

export function createBoundedMap<K, V>(sizeMax: number): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      // A Map iterates in the order of insertion: deleting first moves the key to the end.
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > sizeMax) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest)
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
