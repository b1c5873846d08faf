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

/** Keys that are read together: a read of a hundred takes a few times as long as that of one. */
const KEYS_MAX = 100

/**
 * A value that is invalidated while it is being read is not cached: it may have been read just before
 * the change. Keys without a value are cached apart from the others: they displace no value.
 */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { read, isFresh, now, sizeMax, unknownMs = 0, readsTogether = false } = options
  const unknownSince = createBoundedMap<string, number>(sizeMax)
  const cached = createBoundedMap<string, { readonly value: T; readonly at: number }>(sizeMax)
  const reading = new Map<string, Promise<ReadonlyMap<string, T>>>()
  let gathering: {
    readonly keys: Set<string>
    readonly values: Promise<ReadonlyMap<string, T>>
  } | null = null

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
      for (const key of unknownMs > 0 ? keys : []) {
        if (!found.has(key)) {
          unknownSince.set(key, at)
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

  function readSoon(key: string): Promise<ReadonlyMap<string, T>> {
    const gathered = gathering && gathering.keys.size < KEYS_MAX ? gathering : gather()
    gathered.keys.add(key)
    return gathered.values
  }

  function gather() {
    const keys = new Set<string>()
    const values = new Promise((next) => setImmediate(next)).then(() => {
      gathering = gathering === gathered ? null : gathering
      return readNow([...keys])
    })
    const gathered = { keys, values }
    gathering = gathered
    return gathered
  }

  /** Requests for a key that is being read share the one read. */
  async function readOne(key: string): Promise<T | undefined> {
    const read = readsTogether ? readSoon : () => readNow([key])
    return (await (reading.get(key) ?? read(key))).get(key)
  }

  return {
    get(key) {
      const known = find(key)
      return known !== undefined || isUnknown(key) ? known : readOne(key)
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
        for (const [key, value] of await readNow(missing)) {
          found.set(key, value)
        }
      }
      return found
    },
    peek: (key) => cached.get(key)?.value,
    invalidate(key) {
      cached.delete(key)
      unknownSince.delete(key)
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
      unknownSince.clear()
      reading.clear()
    },
    size: cached.size,
    unknownSize: unknownSince.size,
  }
}
