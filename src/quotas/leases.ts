import { CLOCK_SKEW_MS, type QuotaKind, type QuotaWindow } from '../domain/limits.ts'
import type { Awaitable } from '../lib/awaitable.ts'
import { createBatcher } from '../lib/batcher.ts'
import { hexOf } from '../lib/hex.ts'
import type { QuotaGrant, QuotaRequest, QuotaStore } from '../store/store.ts'
import {
  isIdle,
  isLongIdle,
  type Lease,
  newCallRate,
  refuse,
  remaining,
  type Spending,
  spend,
  spendLocally,
  steadyNow,
  unitsToReserve,
} from './lease.ts'

/**
 * Spends the quotas of accounts, exactly, on any number of nodes: a unit is reserved in the database
 * before it is spent. Requests that come at the same time share one statement, and for a busy account
 * some units are reserved ahead.
 */
export interface Leases {
  /** Takes this many units, all of them or none. */
  spend(account: string, quota: number, units: number): Awaitable<Spending>
  /** What is left of a quota, as far as this node knows; null when it knows nothing. */
  lastKnown(account: string, quota: number): QuotaLeft | null
  /** Releases what was reserved ahead for accounts that are idle now. */
  releaseIdle(): Promise<void>
  /** Releases everything. */
  close(): Promise<void>
  /** Accounts that this node has state of. */
  size(): number
}

export type QuotaLeft = Omit<Spending, 'isTaken'>

export interface LeasesOptions {
  readonly kind: QuotaKind
  readonly windowAt: (now: number) => QuotaWindow
  readonly store: QuotaStore
  readonly hash: (account: string) => Uint8Array
  readonly now: () => number
}

/** Accounts in one statement; their rows are locked while it runs. */
const BATCH_ACCOUNTS_MAX = 500

/** A request that waits for units. */
interface Claim {
  readonly units: number
  readonly resolve: (spending: Spending) => void
  readonly reject: (error: unknown) => void
}

/** The claims of one account. The quota is that of the last one: the tier may have changed. */
interface AccountClaims {
  readonly quota: number
  readonly claims: Claim[]
}

export function createLeases(options: LeasesOptions): Leases {
  const { kind, windowAt, store, hash, now } = options
  const leases = new Map<string, Lease>()
  const waiting = new Map<string, AccountClaims>()
  const batcher = createBatcher({ hasWaiting: () => waiting.size > 0, flush })

  function current(account: string, quota: number): Lease | null {
    const lease = leases.get(account)
    if (lease?.quota !== quota) {
      return null
    }
    const at = now()
    return at < lease.endsAt && at >= lease.startedAt - CLOCK_SKEW_MS ? lease : null
  }

  async function flush(): Promise<void> {
    const batch = [...waiting].slice(0, BATCH_ACCOUNTS_MAX)
    for (const [account] of batch) {
      waiting.delete(account)
    }
    try {
      await serve(batch)
    } catch (error) {
      for (const { reject } of batch.flatMap(([, { claims }]) => claims)) {
        reject(error)
      }
    }
  }

  async function serve(batch: readonly [string, AccountClaims][]): Promise<void> {
    const window = windowAt(now())
    const accounts = new Map<string, string>()
    const requests: QuotaRequest[] = []
    for (const [account, { quota, claims }] of batch) {
      const { need, want } = unitsToReserve(current(account, quota), quota, sum(claims))
      if (need > 0) {
        const key = hash(account)
        accounts.set(hexOf(key), account)
        requests.push({ account: key, quota, need, want })
      }
    }
    const granted = requests.length === 0 ? [] : await store.reserve(kind, window, requests)
    const grants = new Map(granted.map((grant) => [accounts.get(hexOf(grant.account)), grant]))
    for (const [account, claims] of batch) {
      settle(account, claims, grants.get(account), window)
    }
  }

  function settle(
    account: string,
    { quota, claims }: AccountClaims,
    grant: QuotaGrant | undefined,
    window: QuotaWindow,
  ): void {
    const lease = grant ? renew(account, quota, grant, window) : current(account, quota)
    const fitting = lease ? refuseWhatExceeds(lease, claims) : claims
    if (lease && sum(fitting) <= lease.unspent) {
      for (const { units, resolve } of fitting) {
        resolve(spend(lease, units))
      }
    }
    // Together they claim more than was left, or the lease has changed since: reserve again.
    else {
      waitFirst(account, { quota, claims: fitting })
    }
  }

  function renew(
    account: string,
    quota: number,
    { startedAt, used, granted }: QuotaGrant,
    window: QuotaWindow,
  ): Lease {
    const before = leases.get(account)
    const isSame = before?.startedAt === startedAt && before.quota === quota
    // Units reserved under another tier are released, so that the change loses none.
    if (before && !isSame) {
      void release([[account, before]])
    }
    const lease: Lease = {
      quota,
      startedAt,
      endsAt: window.endOf(startedAt),
      used,
      unspent: granted + (isSame ? before.unspent : 0),
      reservedAt: steadyNow(),
      callRate: before?.callRate ?? newCallRate(),
    }
    leases.set(account, lease)
    return lease
  }

  /** Lets claims wait again, before those that came later. */
  function waitFirst(account: string, { quota, claims }: AccountClaims): void {
    const later = waiting.get(account)
    waiting.set(account, {
      quota: later?.quota ?? quota,
      claims: later ? [...claims, ...later.claims] : claims,
    })
  }

  async function release(idle: readonly [string, Lease][]): Promise<void> {
    const units = idle.flatMap(([account, lease]) => {
      const { startedAt, endsAt, unspent } = lease
      lease.used -= unspent
      lease.unspent = 0
      if (unspent === 0 || now() >= endsAt) {
        return []
      }
      return [{ account: hash(account), startedAt, units: unspent }]
    })
    // Units that cannot be released are forfeited, as in a crash: a retry could release them twice.
    await store.release(kind, units).catch(() => {})
  }

  return {
    spend(account, quota, units) {
      const lease = waiting.has(account) ? null : current(account, quota)
      const known = lease && spendLocally(lease, units)
      if (known) {
        return known
      }
      return new Promise((resolve, reject) => {
        const claims = waiting.get(account)?.claims ?? []
        claims.push({ units, resolve, reject })
        waiting.set(account, { quota, claims })
        batcher.wake()
      })
    },
    lastKnown(account, quota) {
      const lease = current(account, quota)
      return lease && { remaining: remaining(lease), endsAt: lease.endsAt }
    },
    async releaseIdle() {
      const idle = [...leases].filter(([, lease]) => isIdle(lease))
      for (const [account, lease] of idle) {
        lease.callRate.calls = 0
        lease.callRate.callsBefore = 0
        if (isLongIdle(lease)) {
          leases.delete(account)
        }
      }
      await release(idle)
    },
    async close() {
      await batcher.idle()
      await release([...leases])
      leases.clear()
    },
    size: () => leases.size,
  }
}

/** Refuses the claims for which the quota has not enough left, and returns the others, in order. */
function refuseWhatExceeds(lease: Lease, claims: readonly Claim[]): Claim[] {
  let left = remaining(lease)
  return claims.filter(({ units, resolve }) => {
    const isFitting = units <= left
    if (isFitting) {
      left -= units
    } else {
      resolve(refuse(lease))
    }
    return isFitting
  })
}

function sum(claims: readonly Claim[]): number {
  return claims.reduce((total, { units }) => total + units, 0)
}
