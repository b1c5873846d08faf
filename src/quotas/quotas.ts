import { createHmac } from 'node:crypto'
import { accountOf, type Caller, requestAccountOf, storageAccountOf } from '../domain/caller.ts'
import { TrustError } from '../domain/error.ts'
import {
  dayWindow,
  minuteWindow,
  monthWindow,
  STORED_KIB_PER_DAY,
  TIERS_OF_SERVICE,
} from '../domain/limits.ts'
import { MINUTE_MS } from '../domain/time.ts'
import type { LimitDecision, RequestLimits, StorageLimits } from '../http/limits.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { startInterval } from '../lib/interval.ts'
import type { Vault } from '../lib/vault.ts'
import type { Store } from '../store/store.ts'
import { createLeases } from './leases.ts'

/** Counts requests and lookups against the tiers of their callers, on all nodes together. */
export interface Quotas {
  readonly requests: RequestLimits
  readonly lookups: Lookups
  readonly storedResponses: StorageLimits
  /** Accounts that this node has state of. */
  accounts(): number
  close(): Promise<void>
}

/** Counts lookups against a caller's month. */
export interface Lookups {
  /**
   * Consumes this many lookups, all of them or none; throws RATE_LIMIT_EXCEEDED when the month is
   * used up.
   */
  take(caller: Caller, count: number): Awaitable<void>
}

/** For an installation that sets no limits. */
const UNLIMITED: Quotas = {
  requests: { count: () => null, lastKnown: () => null },
  lookups: { take: () => {} },
  storedResponses: { open: () => null },
  accounts: () => 0,
  close: async () => {},
}

/** The operator has no limit. The headers show the highest one, so that every response has them. */
const OPERATOR: LimitDecision = {
  limit: TIERS_OF_SERVICE.platform.requestsPerMinute,
  remaining: TIERS_OF_SERVICE.platform.requestsPerMinute,
  resetSeconds: MINUTE_MS / 1000,
  allowed: true,
}

/** How often the units reserved ahead for idle accounts are released. */
const RELEASE_MS = 1_000

export interface QuotaOptions {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => number
  /** Whether anything is limited at all. */
  readonly settings: { readonly rateLimits: boolean }
}

export function createQuotas(
  { store, vault, now, settings }: QuotaOptions,
  /** Reports a background task that failed; it runs again. */
  onError: (error: unknown) => void,
): Quotas {
  if (!settings.rateLimits) {
    return UNLIMITED
  }
  const key = vault.key('quota accounts')
  const hash = (account: string) =>
    createHmac('sha256', key).update(account).digest().subarray(0, 16)
  const common = { store: store.quotas, hash, now }
  const requests = createLeases({ ...common, kind: 'requests', windowAt: minuteWindow })
  const months = createLeases({ ...common, kind: 'lookups', windowAt: monthWindow })
  const days = createLeases({
    ...common,
    // The table has the lookups of the same accounts.
    hash: (account) => hash(`stored responses of ${account}`),
    kind: 'storedResponses',
    windowAt: dayWindow,
  })

  async function releaseIdle(): Promise<void> {
    await requests.releaseIdle()
    await months.releaseIdle()
    await days.releaseIdle()
  }
  /** Takes what is left where that is less: the day is used up then. */
  async function fill(account: string, max: number, kib: number): Promise<void> {
    for (let units = kib; units > 0; ) {
      const { isTaken, remaining } = await days.spend(account, max, units)
      units = isTaken ? 0 : Math.min(remaining, units - 1)
    }
  }

  const interval = startInterval({ everyMs: RELEASE_MS, work: releaseIdle, onError })

  return {
    requests: {
      count(caller) {
        const account = requestAccountOf(caller)
        if (!account) {
          return OPERATOR
        }
        const limit = TIERS_OF_SERVICE[account.tier].requestsPerMinute
        return andThen(requests.spend(account.name, limit, 1), (spending) => {
          const { isTaken, remaining, endsAt } = spending
          const resetSeconds = secondsUntil(endsAt, now())
          // In a burst, requests that wait are not counted yet; a refused caller has nothing left.
          return { limit, remaining: isTaken ? remaining : 0, resetSeconds, allowed: isTaken }
        })
      },
      lastKnown(caller) {
        const account = requestAccountOf(caller)
        if (!account) {
          return OPERATOR
        }
        const limit = TIERS_OF_SERVICE[account.tier].requestsPerMinute
        const { remaining, endsAt } = requests.lastKnown(account.name, limit) ?? {
          remaining: limit,
          endsAt: now() + MINUTE_MS,
        }
        return { limit, remaining, resetSeconds: secondsUntil(endsAt, now()), allowed: true }
      },
    },
    lookups: {
      take(caller, count) {
        const account = accountOf(caller)
        const max = account && TIERS_OF_SERVICE[account.tier].lookupsPerMonth
        if (!account || max === null || count === 0) {
          return
        }
        return andThen(months.spend(account.name, max, count), (spending) => {
          const { isTaken, remaining, endsAt } = spending
          if (!isTaken) {
            throw monthUsedUp({ count, max, remaining, endsAt }, secondsUntil(endsAt, now()))
          }
        })
      },
    },
    storedResponses: {
      open(caller) {
        const account = storageAccountOf(caller)
        const max = account && STORED_KIB_PER_DAY[account.tier]
        if (!account || max === null) {
          return null
        }
        // Counted before the response is there, so that no burst is admitted once the day is used up.
        return andThen(days.spend(account.name, max, 1), ({ isTaken, endsAt }) => ({
          refusal: isTaken ? null : dayUsedUp(max, endsAt, secondsUntil(endsAt, now())),
          add(bytes) {
            fill(account.name, max, Math.ceil(bytes / 1024) - 1).catch(onError)
          },
        }))
      },
    },
    accounts: () => requests.size() + months.size() + days.size(),
    async close() {
      await interval.stop()
      await requests.close()
      await months.close()
      await days.close()
    },
  }
}

/** Rounded up: a client that waits this long is served. */
function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000))
}

interface UsedUp {
  /** The lookups that the request takes. */
  readonly count: number
  readonly max: number
  readonly remaining: number
  /** The end of the month, in milliseconds. */
  readonly endsAt: number
}

function monthUsedUp({ count, max, remaining, endsAt }: UsedUp, resetSeconds: number): TrustError {
  const left = remaining === 0 ? 'none is' : remaining === 1 ? '1 is' : `${remaining} are`
  const next = new Date(endsAt).toISOString()
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `this takes ${count} of the month’s ${max} lookups, and ${left} left; the next month begins at ` +
      `${next}, and a larger tier has more: ask the operator`,
    { limit: 'lookups_per_month', max, remaining },
    resetSeconds,
  )
}

function dayUsedUp(maxKib: number, endsAt: number, resetSeconds: number): TrustError {
  const next = new Date(endsAt).toISOString()
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `the responses stored for this day’s requests with an Idempotency-Key have ${maxKib / 1024} MiB; send the ` +
      `request without the key, or after ${next}`,
    { limit: 'stored_responses_per_day', max: maxKib * 1024 },
    resetSeconds,
  )
}
