import type { Mode } from '../../domain/mode.ts'
import { canonicalIdentifier } from '../../identifiers/canonical.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { createCache } from '../../lib/cache.ts'
import { inSlices } from '../../lib/slices.ts'
import type { Store } from '../../store/store.ts'
import { IDENTIFIER_CHARS_MAX } from '../identifiers/schema.ts'

/** The agent that a value belongs to. */
export interface Holder {
  readonly match: 'verified' | 'claimed' | 'unknown'
  readonly agentId: string | null
}

/** The agents of the names looked up lately. Names without a claim are cached as well. */
export interface HolderCache {
  /** The holder of a canonical value: at once where it is cached. */
  get(value: string, mode: Mode): Awaitable<Holder>
  /** The holders of canonical values, by value. Those that are not cached are read in one statement. */
  getMany(values: Iterable<string>, mode: Mode): Promise<ReadonlyMap<string, Holder>>
  /** The holder of an identifier in any spelling. */
  find(identifier: string, mode: Mode): Promise<Holder>
  /** The holders of identifiers in any spelling, by identifier. */
  findMany(identifiers: readonly string[], mode: Mode): Promise<ReadonlyMap<string, Holder>>
  /** Drops a value that was claimed, proven, lost or given up. */
  invalidate(value: string): void
  clear(): void
}

export interface NameCacheOptions {
  readonly store: Store
  readonly now: () => number
  /** For how long a cached value may be used without reading it again. */
  readonly freshMs: () => number
}

/** At some hundred bytes each; the oldest entries are evicted. */
export const ENTRIES_MAX = 50_000

/** A value without a claim. */
export const UNKNOWN: Holder = { match: 'unknown', agentId: null }
const CLAIMED: Holder = { match: 'claimed', agentId: null }

export function createHolderCache({ store, now, freshMs }: NameCacheOptions): HolderCache {
  const cache = createCache<Holder>({
    read: (keys) => readHolders(store, keys),
    isFresh: (_holder, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: ENTRIES_MAX,
    readsTogether: true,
  })

  async function getMany(values: Iterable<string>, mode: Mode) {
    const keys = new Map([...values].map((value) => [value, keyOf(value, mode)]))
    const found = await cache.getMany([...keys.values()])
    return new Map([...keys].map(([value, key]) => [value, found.get(key) ?? UNKNOWN]))
  }

  return {
    get: (value, mode) => andThen(cache.get(keyOf(value, mode)), (holder = UNKNOWN) => holder),
    getMany,
    async find(identifier, mode) {
      const value = canonicalValue(identifier)
      return (value === null ? null : await cache.get(keyOf(value, mode))) ?? UNKNOWN
    },
    async findMany(identifiers, mode) {
      const values = new Map<string, string | null>()
      for await (const identifier of inSlices(identifiers)) {
        values.set(identifier, canonicalValue(identifier))
      }
      const found = await getMany(
        [...values.values()].filter((value) => value !== null),
        mode,
      )
      return new Map(
        [...values].map(([identifier, value]) => [identifier, found.get(value ?? '') ?? UNKNOWN]),
      )
    },
    invalidate(value) {
      cache.invalidate(keyOf(value, 'live'))
      cache.invalidate(keyOf(value, 'test'))
    },
    clear: cache.clear,
  }
}

/** Null for what is too long: bodies name agents, and a cache of their texts could take any amount of memory. */
function canonicalValue(identifier: string): string | null {
  return identifier.length <= IDENTIFIER_CHARS_MAX ? canonicalIdentifier(identifier) : null
}

async function readHolders(
  { identifiers }: Pick<Store, 'identifiers'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Holder>> {
  const holders = new Map<string, Holder>()
  for (const mode of ['live', 'test'] as const) {
    const values = keys.filter((key) => isTestKey(key) === (mode === 'test')).map(nameOf)
    const found = values.length > 0 ? await identifiers.holders(values, mode) : null
    for (const value of values) {
      holders.set(keyOf(value, mode), holderOf(found?.get(value)))
    }
  }
  return holders
}

function holderOf(agentId: string | null | undefined): Holder {
  if (agentId === undefined) {
    return UNKNOWN
  }
  return agentId === null ? CLAIMED : { match: 'verified', agentId }
}

/** Names of test agents are cached with the live ones, prefixed by a character that no name has. */
const TEST_MARK = '\n'

export function keyOf(name: string, mode: Mode): string {
  return mode === 'test' ? TEST_MARK + name : name
}

function isTestKey(key: string): boolean {
  return key.startsWith(TEST_MARK)
}

function nameOf(key: string): string {
  return isTestKey(key) ? key.slice(1) : key
}
