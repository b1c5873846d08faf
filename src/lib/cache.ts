import type { Awaitable } from './awaitable.ts'
import { createBoundedMap } from './bounded-map.ts'

/** A read-through cache: values that were read lately are not read again. */
export interface Cache<T> {
  /** At once where the value is cached. */
  get(key: string): Awaitable<T | undefined>
  getMany(keys: readonly string[]): Promise<ReadonlyMap<string, T>>
  /** The cached value, fresh or not. Reads nothing. */
  peek(key: string): T | undefined
  invalidate(key: string): void
  /** Invalidates the values that match, and all that are being read, as they may match. */
  invalidateWhere(matches: (value: T) => boolean): void
  clear(): void
  /** How many values are cached, fresh or not. */
  size(): number
}

export interface CacheOptions<T> {
  /** Reads the values of these keys. A key without a value is left out of the result. */
  readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Whether a value that was read this many milliseconds ago may still be used. */
  readonly isFresh: (value: T, ageMs: number) => boolean
  readonly now: () => number
  /** The number of values. The one that was read longest ago is dropped for a new one. */
  readonly sizeMax: number
}

/**
 * A value that is invalidated while it is being read is not cached: it may have been read just before
 * the change.
 */
export function createCache<T>({ read, isFresh, now, sizeMax }: CacheOptions<T>): Cache<T> {
  const cached = createBoundedMap<string, { readonly value: T; readonly at: number }>(sizeMax)
  const reading = new Map<string, Promise<ReadonlyMap<string, T>>>()

  function find(key: string): T | undefined {
    const entry = cached.get(key)
    const age = entry ? now() - entry.at : -1
    return entry && age >= 0 && isFresh(entry.value, age) ? entry.value : undefined
  }

  async function readNow(keys: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const at = now()
    const values = read(keys)
    for (const key of keys) {
      reading.set(key, values)
    }
    try {
      const found = await values
      for (const [key, value] of found) {
        if (reading.get(key) === values) {
          cached.set(key, { value, at })
        }
      }
      return found
    } finally {
      for (const key of keys) {
        if (reading.get(key) === values) {
          reading.delete(key)
        }
      }
    }
  }

  /** Requests for a key that is being read share the one read. */
  async function readOne(key: string): Promise<T | undefined> {
    return (await (reading.get(key) ?? readNow([key]))).get(key)
  }

  return {
    get: (key) => find(key) ?? readOne(key),
    async getMany(keys) {
      const found = new Map<string, T>()
      const missing: string[] = []
      for (const key of keys) {
        const known = find(key)
        if (known === undefined) {
          missing.push(key)
        } else {
          found.set(key, known)
        }
      }
      if (missing.length > 0) {
        for (const [key, value] of await readNow(missing)) {
          found.set(key, value)
        }
      }
      return found
    },
    peek: (key) => cached.get(key)?.value,
    invalidate(key) {
      cached.delete(key)
      reading.delete(key)
    },
    invalidateWhere(matches) {
      for (const [key, { value }] of cached) {
        if (matches(value)) {
          cached.delete(key)
        }
      }
      reading.clear()
    },
    clear() {
      cached.clear()
      reading.clear()
    },
    size: cached.size,
  }
}
