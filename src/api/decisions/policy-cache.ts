import { DEFAULT_POLICY, POLICIES_MAX, type Policy } from '../../domain/policy.ts'
import { type Cache, createCache } from '../../lib/cache.ts'
import type { Store } from '../../store/store.ts'

type Named = ReadonlyMap<string, Policy>

/** The policies of the accounts that requested decisions lately. */
export interface PolicyCache {
  get(holder: string): Promise<Named>
  invalidate(holder: string): void
  clear(): void
  /** How many accounts have cached policies. */
  size(): number
}

/** Some kilobytes each; beyond this number the oldest entries are dropped. */
const HOLDERS_MAX = 10_000

const NONE: Named = new Map()

export function createPolicyCache({
  store,
  now,
  freshMs,
}: {
  readonly store: Store
  readonly now: () => number
  readonly freshMs: () => number
}): PolicyCache {
  const cache: Cache<Named> = createCache<Named>({
    async read(holders) {
      const read = async (holder: string) => {
        const { rows } = await store.policies.list(holder, null, POLICIES_MAX)
        return [holder, new Map(rows.map(({ name, policy }) => [name, policy]))] as const
      }
      return new Map(await Promise.all(holders.map(read)))
    },
    isFresh: (_named, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: HOLDERS_MAX,
  })
  return {
    get: async (holder) => (await cache.get(holder)) ?? NONE,
    invalidate: cache.invalidate,
    clear: cache.clear,
    size: cache.size,
  }
}

/** A policy, and the name under which it is stored; null for one that is not. */
export interface Chosen {
  readonly name: string | null
  readonly policy: Policy
}

/** The policy of this name; or that of the action, or the holder's default, or the service's own. */
export function choosePolicy(
  named: Named,
  wanted: string | Policy | undefined,
  action: string | undefined,
): Chosen | null {
  if (typeof wanted === 'object') {
    return { name: null, policy: wanted }
  }
  const names = wanted === undefined ? [action ?? DEFAULT, DEFAULT] : [wanted]
  for (const name of names) {
    const policy = named.get(name)
    if (policy) {
      return { name, policy }
    }
  }
  return wanted === undefined ? { name: null, policy: DEFAULT_POLICY } : null
}

const DEFAULT = 'default'
