import { CLOCK_SKEW_MS, type QuotaKind, type QuotaWindow } from '../domain/limits.ts'
import type { QuotaGrant, QuotaRequest, QuotaStore } from '../store/store.ts'
import {
  askFor,
  isIdle,
  type Lease,
  newPace,
  refuse,
  remaining,
  type Spending,
  spend,
  spendAtOnce,
} from './lease.ts'

/**
 * Spends the quotas of accounts, exactly, however many nodes do: a unit is counted in the database
 * before it is spent. What many requests wish for at the same time is one statement, and a busy
 * account gets some units ahead.
 */
export interface Leases {
  /** Takes so many units, all of them or none. */
  spend(account: string, quota: number, units: number): Promise<Spending>
  /** Gives back what was taken ahead for accounts that are idle now. */
  tidy(): Promise<void>
  /** Gives back everything. */
  close(): Promise<void>
}

export interface LeasesOptions {
  readonly kind: QuotaKind
  readonly windowAt: (now: number) => QuotaWindow
  readonly store: QuotaStore
  readonly hash: (account: string) => Uint8Array
  readonly now: () => number
}

/** Accounts served by one statement; their rows are locked while it runs. */
const FLIGHT_ACCOUNTS_MAX = 500

interface Wish {
  readonly units: number
  readonly resolve: (spending: Spending) => void
  readonly reject: (error: unknown) => void
}

/** What an account's requests wait for. The quota is that of the last one: the tier may have changed. */
interface Waiting {
  readonly quota: number
  readonly wishes: Wish[]
}

export function createLeases(options: LeasesOptions): Leases {
  const { kind, windowAt, store, hash, now } = options
  const leases = new Map<string, Lease>()
  const waiting = new Map<string, Waiting>()
  let flying: Promise<void> | null = null

  function current(account: string, quota: number): Lease | null {
    const lease = leases.get(account)
    if (lease?.quota !== quota) {
      return null
    }
    const at = now()
    return at < lease.endsAt && at >= lease.startedAt - CLOCK_SKEW_MS ? lease : null
  }

  /** While one statement runs, the wishes for the next one gather. */
  async function fly(): Promise<void> {
    while (waiting.size > 0) {
      const aboard = [...waiting].slice(0, FLIGHT_ACCOUNTS_MAX)
      for (const [account] of aboard) {
        waiting.delete(account)
      }
      try {
        await serve(aboard)
      } catch (error) {
        for (const [, { wishes }] of aboard) {
          for (const { reject } of wishes) {
            reject(error)
          }
        }
      }
    }
    flying = null
  }

  async function serve(aboard: readonly [string, Waiting][]): Promise<void> {
    const window = windowAt(now())
    const asking = new Map<string, string>()
    const asks: QuotaRequest[] = []
    for (const [account, { quota, wishes }] of aboard) {
      const { need, want } = askFor(current(account, quota), quota, sum(wishes))
      if (need === 0) {
        continue
      }
      const key = hash(account)
      asking.set(hex(key), account)
      asks.push({ account: key, quota, need, want })
    }
    const granted = asks.length === 0 ? [] : await store.reserve(kind, window, asks)
    const grants = new Map(granted.map((grant) => [asking.get(hex(grant.account)), grant]))
    for (const [account, wanting] of aboard) {
      settle(account, wanting, grants.get(account), window)
    }
  }

  function settle(
    account: string,
    { quota, wishes }: Waiting,
    grant: QuotaGrant | undefined,
    window: QuotaWindow,
  ): void {
    const lease = grant ? renew(account, quota, grant, window) : current(account, quota)
    const fitting = lease ? whatFits(lease, wishes) : wishes
    if (lease && sum(fitting) <= lease.unspent) {
      for (const { units, resolve } of fitting) {
        resolve(spend(lease, units))
      }
    }
    // Together they wished for more than there was, or what was here is gone meanwhile: ask again.
    else {
      wait(account, { quota, wishes: fitting })
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
    // Units taken under another tier go back, so that none is lost by the change.
    if (before && !isSame) {
      void giveBack([[account, before]])
    }
    const lease: Lease = {
      quota,
      startedAt,
      endsAt: window.endOf(startedAt),
      used,
      unspent: granted + (isSame ? before.unspent : 0),
      toldAt: performance.now(),
      pace: before?.pace ?? newPace(),
    }
    leases.set(account, lease)
    return lease
  }

  function wait(account: string, { quota, wishes }: Waiting): void {
    const behind = waiting.get(account)
    waiting.set(account, {
      quota: behind?.quota ?? quota,
      wishes: behind ? [...wishes, ...behind.wishes] : wishes,
    })
  }

  async function giveBack(given: readonly [string, Lease][]): Promise<void> {
    const units = given.flatMap(([account, lease]) => {
      const { startedAt, endsAt, unspent } = lease
      lease.unspent = 0
      if (unspent === 0 || now() >= endsAt) {
        return []
      }
      return [{ account: hash(account), startedAt, units: unspent }]
    })
    // What cannot be given back is forfeited, as in a crash; asking twice could give it back twice.
    await store.release(kind, units).catch(() => {})
  }

  return {
    async spend(account, quota, units) {
      const lease = waiting.has(account) ? null : current(account, quota)
      const known = lease && spendAtOnce(lease, units)
      if (known) {
        return known
      }
      return new Promise((resolve, reject) => {
        const wishes = waiting.get(account)?.wishes ?? []
        wishes.push({ units, resolve, reject })
        waiting.set(account, { quota, wishes })
        // The requests that arrived in this turn of the event loop go together.
        flying ??= new Promise<void>((next) => setImmediate(next)).then(fly)
      })
    },
    async tidy() {
      const idle = [...leases].filter(([, lease]) => isIdle(lease))
      for (const [account] of idle) {
        leases.delete(account)
      }
      await giveBack(idle)
    },
    async close() {
      await flying
      await giveBack([...leases])
      leases.clear()
    },
  }
}

/** The wishes that there is enough for, in their order; the others are refused. */
function whatFits(lease: Lease, wishes: readonly Wish[]): Wish[] {
  let left = remaining(lease)
  return wishes.filter(({ units, resolve }) => {
    const isFitting = units <= left
    if (isFitting) {
      left -= units
    } else {
      resolve(refuse(lease))
    }
    return isFitting
  })
}

function sum(wishes: readonly Wish[]): number {
  return wishes.reduce((total, { units }) => total + units, 0)
}

function hex(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}
