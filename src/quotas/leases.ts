import type { QuotaKind, QuotaWindow } from '../domain/limits.ts'
import type { Awaitable } from '../lib/awaitable.ts'
import { createBatcher } from '../lib/batcher.ts'
import { hexOf } from '../lib/hex.ts'
import type { QuotaGrant, QuotaRequest, QuotaStore } from '../store/store.ts'
import {
  type Lease,
  refuse,
  remaining,
  type Spending,
  spend,
  spendLocally,
  unitsToReserve,
} from './lease.ts'
import { type AccountLease, createLeaseTable } from './lease-table.ts'
import { type AccountClaims, type Claim, createWaitingClaims, unitsOf } from './waiting-claims.ts'

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

export function createLeases(options: LeasesOptions): Leases {
  const { kind, windowAt, store, hash, now } = options
  const leases = createLeaseTable(now)
  const waiting = createWaitingClaims()
  const batcher = createBatcher({ hasWaiting: () => !waiting.isEmpty(), flush })

  async function flush(): Promise<void> {
    const batch = waiting.take(BATCH_ACCOUNTS_MAX)
    try {
      await serve(batch)
    } catch (error) {
      for (const { reject } of batch.flatMap(({ claims }) => claims)) {
        reject(error)
      }
    }
  }

  async function serve(batch: readonly AccountClaims[]): Promise<void> {
    const window = windowAt(now())
    const grants = await reserve(batch, window)
    const replaced = batch.flatMap((own) => settle(own, grants.get(own.account), window))
    if (replaced.length > 0) {
      await release(replaced)
    }
  }

  /** Reserves what these claims need, in one statement. The grants, by account. */
  async function reserve(
    batch: readonly AccountClaims[],
    window: QuotaWindow,
  ): Promise<ReadonlyMap<string, QuotaGrant>> {
    const accounts = new Map<string, string>()
    const requests: QuotaRequest[] = []
    for (const { account, quota, claims } of batch) {
      const { need, want } = unitsToReserve(leases.current(account, quota), quota, unitsOf(claims))
      if (need > 0) {
        const key = hash(account)
        accounts.set(hexOf(key), account)
        requests.push({ account: key, quota, need, want })
      }
    }
    const granted = requests.length === 0 ? [] : await store.reserve(kind, window, requests)
    return new Map(granted.map((grant) => [accounts.get(hexOf(grant.account)) ?? '', grant]))
  }

  /**
   * Answers the claims of an account. Returns the lease that the grant replaces: its units were reserved
   * under another tier, and are released, so that the change loses none.
   */
  function settle(
    own: AccountClaims,
    grant: QuotaGrant | undefined,
    window: QuotaWindow,
  ): readonly AccountLease[] {
    const { account, quota, claims } = own
    const renewed = grant && leases.renew(account, quota, grant, window)
    const lease = renewed?.lease ?? leases.current(account, quota)
    const fitting = lease ? refuseWhatExceeds(lease, claims) : claims
    if (lease && unitsOf(fitting) <= lease.unspent) {
      for (const { units, resolve } of fitting) {
        resolve(spend(lease, units))
      }
    }
    // Together they claim more than was left, or the lease has changed since: reserve again.
    else {
      waiting.addFirst({ ...own, claims: fitting })
    }
    return renewed?.replaced ? [[account, renewed.replaced]] : []
  }

  async function release(unused: readonly AccountLease[]): Promise<void> {
    const units = unused.flatMap(([account, lease]) => {
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
      const lease = waiting.has(account) ? null : leases.current(account, quota)
      const known = lease && spendLocally(lease, units)
      if (known) {
        return known
      }
      const decided = waiting.add(account, quota, units)
      batcher.wake()
      return decided
    },
    lastKnown(account, quota) {
      const lease = leases.current(account, quota)
      return lease && { remaining: remaining(lease), endsAt: lease.endsAt }
    },
    releaseIdle: () => release(leases.idle()),
    async close() {
      await batcher.idle()
      await release(leases.clear())
    },
    size: leases.size,
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
