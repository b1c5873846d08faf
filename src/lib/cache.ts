/** What was read lately, so that reading it again costs nothing. */
export interface Cache<T> {
  get(key: string): Promise<T | undefined>
  getMany(keys: readonly string[]): Promise<ReadonlyMap<string, T>>
  /** What is remembered, however old. */
  peek(key: string): T | undefined
  invalidate(key: string): void
  /** Forgets whatever is, or may be on its way to be, what `isMeant` says. */
  invalidateWhere(isMeant: (value: T) => boolean): void
  clear(): void
}

export interface CacheOptions<T> {
  /** Reads what is there; what is not is left out. */
  readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Whether what was read so many milliseconds ago still holds. */
  readonly isFresh: (value: T, ageMs: number) => boolean
  readonly now: () => number
  /** The oldest give way. */
  readonly max: number
}

/**
 * Remembers what is read. Something forgotten while it is being read is not remembered: it may have
 * been read just before it changed.
 */
export function createCache<T>({ read, isFresh, now, max }: CacheOptions<T>): Cache<T> {
  const remembered = new Map<string, { readonly value: T; readonly at: number }>()
  const reading = new Map<string, Promise<ReadonlyMap<string, T>>>()

  function recall(key: string): T | undefined {
    const known = remembered.get(key)
    const age = known ? now() - known.at : -1
    return known && age >= 0 && isFresh(known.value, age) ? known.value : undefined
  }

  function remember(key: string, value: T, at: number): void {
    remembered.delete(key)
    remembered.set(key, { value, at })
    if (remembered.size <= max) {
      return
    }
    for (const oldest of remembered.keys()) {
      return void remembered.delete(oldest)
    }
  }

  async function readNow(keys: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const at = now()
    const flight = read(keys)
    for (const key of keys) {
      reading.set(key, flight)
    }
    try {
      const found = await flight
      for (const [key, value] of found) {
        if (reading.get(key) === flight) {
          remember(key, value, at)
        }
      }
      return found
    } finally {
      for (const key of keys) {
        if (reading.get(key) === flight) {
          reading.delete(key)
        }
      }
    }
  }

  async function get(key: string): Promise<T | undefined> {
    const known = recall(key)
    if (known !== undefined) {
      return known
    }
    // Those who ask while it is being read wait for the one reading.
    return (await (reading.get(key) ?? readNow([key]))).get(key)
  }

  return {
    get,
    async getMany(keys) {
      const found = new Map<string, T>()
      const missing: string[] = []
      for (const key of keys) {
        const known = recall(key)
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
    peek: (key) => remembered.get(key)?.value,
    invalidate(key) {
      remembered.delete(key)
      reading.delete(key)
    },
    invalidateWhere(isMeant) {
      for (const [key, { value }] of remembered) {
        if (isMeant(value)) {
          remembered.delete(key)
        }
      }
      reading.clear()
    },
    clear() {
      remembered.clear()
      reading.clear()
    },
  }
}
