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
  /** How many keys without a value are cached. */
  unknownSize(): number
}

export interface CacheOptions<T> {
  /** Reads the values of these keys. A key without a value is left out of the result. */
  readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Whether a value that was read this many milliseconds ago may still be used. */
  readonly isFresh: (value: T, ageMs: number) => boolean
  readonly now: () => number
  /** The number of values. The one that was read longest ago is dropped for a new one. */
  readonly sizeMax: number
  /** For how long a key that had no value is not read again; it always is by default. */
  readonly unknownMs?: number
  /** Whether keys that are asked for in one turn of the event loop are read together. */
  readonly readsTogether?: boolean
}

/** The values of the keys that have one. */
type Found<T> = ReadonlyMap<string, T>

/**
 * What is invalidated while it is being read is not cached: it may have been read just before the
 * change. Keys without a value are cached apart from the others: they displace no value.
 */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { isFresh, now, sizeMax, unknownMs = 0 } = options
  const unknownSince = createBoundedMap<string, number>(sizeMax)
  const cached = createBoundedMap<string, { readonly value: T; readonly at: number }>(sizeMax)
  const reads = createReads(options, cacheFound)

  function find(key: string): T | undefined {
    const entry = cached.get(key)
    const age = entry ? now() - entry.at : -1
    return entry && age >= 0 && isFresh(entry.value, age) ? entry.value : undefined
  }

  function isUnknown(key: string): boolean {
    const since = unknownSince.get(key)
    const age = since === undefined ? -1 : now() - since
    return age >= 0 && age < unknownMs
  }

  function cacheFound(keys: readonly string[], found: Found<T>, at: number): void {
    for (const key of keys) {
      const value = found.get(key)
      if (value !== undefined) {
        cached.set(key, { value, at })
      } else if (unknownMs > 0) {
        unknownSince.set(key, at)
      }
    }
  }

  return {
    get(key) {
      const known = find(key)
      return known !== undefined || isUnknown(key) ? known : reads.one(key)
    },
    async getMany(keys) {
      const found = new Map<string, T>()
      const missing: string[] = []
      for (const key of keys) {
        const known = find(key)
        if (known !== undefined) {
          found.set(key, known)
        } else if (!isUnknown(key)) {
          missing.push(key)
        }
      }
      if (missing.length > 0) {
        for (const [key, value] of await reads.many(missing)) {
          found.set(key, value)
        }
      }
      return found
    },
    peek: (key) => cached.get(key)?.value,
    invalidate(key) {
      cached.delete(key)
      unknownSince.delete(key)
      reads.disregard(key)
    },
    invalidateWhere(matches) {
      for (const [key, { value }] of cached) {
        if (matches(value)) {
          cached.delete(key)
        }
      }
      reads.disregardAll()
    },
    clear() {
      cached.clear()
      unknownSince.clear()
      reads.disregardAll()
    },
    size: cached.size,
    unknownSize: unknownSince.size,
  }
}

/** The reads in progress. */
interface Reads<T> {
  /** Requests for a key that is being read share the one read. */
  one(key: string): Promise<T | undefined>
  many(keys: readonly string[]): Promise<Found<T>>
  /** What is being read of this key, or of all, is returned to those who wait, and not cached. */
  disregard(key: string): void
  disregardAll(): void
}

/** `onFound` gets the keys that were read and not disregarded, and when the read began. */
function createReads<T>(
  { read, now, readsTogether = false }: CacheOptions<T>,
  onFound: (keys: readonly string[], found: Found<T>, at: number) => void,
): Reads<T> {
  const reading = new Map<string, Promise<Found<T>>>()

  async function many(keys: readonly string[]): Promise<Found<T>> {
    const at = now()
    const values = read(keys)
    for (const key of keys) {
      reading.set(key, values)
    }
    const isCurrent = (key: string) => reading.get(key) === values
    try {
      const found = await values
      onFound(keys.filter(isCurrent), found, at)
      return found
    } finally {
      for (const key of keys.filter(isCurrent)) {
        reading.delete(key)
      }
    }
  }

  const begin = readsTogether ? gathering(many) : (key: string) => many([key])
  return {
    one: async (key) => (await (reading.get(key) ?? begin(key))).get(key),
    many,
    disregard: (key) => void reading.delete(key),
    disregardAll: () => reading.clear(),
  }
}

/** Keys that are read together: a read of a hundred takes a few times as long as that of one. */
const KEYS_MAX = 100

/** Reads the keys that are asked for in one turn of the event loop together. */
function gathering<T>(
  read: (keys: readonly string[]) => Promise<Found<T>>,
): (key: string) => Promise<Found<T>> {
  let latest: { readonly keys: Set<string>; readonly values: Promise<Found<T>> } | null = null

  function gather() {
    const keys = new Set<string>()
    const values = new Promise((next) => setImmediate(next)).then(() => {
      latest = latest === gathered ? null : latest
      return read([...keys])
    })
    const gathered = { keys, values }
    latest = gathered
    return gathered
  }

  return (key) => {
    const gathered = latest && latest.keys.size < KEYS_MAX ? latest : gather()
    gathered.keys.add(key)
    return gathered.values
  }
}
