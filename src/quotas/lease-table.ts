import { CLOCK_SKEW_MS, type QuotaWindow } from '../domain/limits.ts'
import type { QuotaGrant } from '../store/store.ts'
import { isIdle, isLongIdle, type Lease, newCallRate, steadyNow } from './lease.ts'

/** The leases of this node, by account. */
export interface LeaseTable {
  /** The lease for this quota in the present window; null where there is none. */
  current(account: string, quota: number): Lease | null
  /** Makes the lease of an account from what the database granted. */
  renew(account: string, quota: number, grant: QuotaGrant, window: QuotaWindow): Renewed
  /** The leases of accounts that are idle now; those idle for long are dropped. */
  idle(): readonly AccountLease[]
  /** Drops all leases, and returns them. */
  clear(): readonly AccountLease[]
  size(): number
}

export type AccountLease = readonly [account: string, lease: Lease]

export interface Renewed {
  readonly lease: Lease
  /** The lease before, if it was for another quota or window: its unspent units are to be released. */
  readonly replaced: Lease | null
}

export function createLeaseTable(now: () => number): LeaseTable {
  const leases = new Map<string, Lease>()
  return {
    current(account, quota) {
      const lease = leases.get(account)
      if (lease?.quota !== quota) {
        return null
      }
      const at = now()
      return at < lease.endsAt && at >= lease.startedAt - CLOCK_SKEW_MS ? lease : null
    },
    renew(account, quota, { startedAt, used, granted }, window) {
      const before = leases.get(account)
      const isSame = before?.startedAt === startedAt && before.quota === quota
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
      return { lease, replaced: before && !isSame ? before : null }
    },
    idle() {
      const found = [...leases].filter(([, lease]) => isIdle(lease))
      for (const [account, lease] of found) {
        lease.callRate.calls = 0
        lease.callRate.callsBefore = 0
        if (isLongIdle(lease)) {
          leases.delete(account)
        }
      }
      return found
    },
    clear() {
      const all = [...leases]
      leases.clear()
      return all
    },
    size: () => leases.size,
  }
}
