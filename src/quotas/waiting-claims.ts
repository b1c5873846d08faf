import type { Spending } from './lease.ts'

/** A request that waits for units. */
export interface Claim {
  readonly units: number
  readonly resolve: (spending: Spending) => void
  readonly reject: (error: unknown) => void
}

/** The claims of one account, in order. The quota is that of the last one: the tier may have changed. */
export interface AccountClaims {
  readonly account: string
  readonly quota: number
  readonly claims: readonly Claim[]
}

/** The claims of all accounts that wait for the database. */
export interface WaitingClaims {
  has(account: string): boolean
  isEmpty(): boolean
  /** Adds a claim behind those of its account; resolves once it is decided. */
  add(account: string, quota: number, units: number): Promise<Spending>
  /** Lets claims wait again, before those of their account that came later. */
  addFirst(again: AccountClaims): void
  /** Takes out the claims of so many accounts at most, those that wait longest first. */
  take(accountsMax: number): readonly AccountClaims[]
}

export function createWaitingClaims(): WaitingClaims {
  const waiting = new Map<string, { quota: number; readonly claims: Claim[] }>()
  return {
    has: (account) => waiting.has(account),
    isEmpty: () => waiting.size === 0,
    add: (account, quota, units) =>
      new Promise((resolve, reject) => {
        const own = waiting.get(account) ?? { quota, claims: [] }
        own.quota = quota
        own.claims.push({ units, resolve, reject })
        waiting.set(account, own)
      }),
    addFirst({ account, quota, claims }) {
      const later = waiting.get(account)
      const all = [...claims, ...(later?.claims ?? [])]
      waiting.set(account, { quota: later?.quota ?? quota, claims: all })
    },
    take(accountsMax) {
      const taken: AccountClaims[] = []
      for (const [account, own] of waiting) {
        if (taken.length === accountsMax) {
          break
        }
        waiting.delete(account)
        taken.push({ account, ...own })
      }
      return taken
    },
  }
}

/** The units of all claims together. */
export function unitsOf(claims: readonly Claim[]): number {
  return claims.reduce((total, { units }) => total + units, 0)
}
