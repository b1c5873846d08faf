import { createHmac } from 'node:crypto'
import { TrustError } from '../domain/error.ts'
import type { Vault } from '../lib/vault.ts'
import type { Store } from '../store/store.ts'

/** Slows down the guessing of passwords, on all nodes together. */
export interface LoginThrottle {
  /** Throws RATE_LIMIT_EXCEEDED after too many failures. */
  begin(email: string, address: string): Promise<LoginAttempt>
}

/**
 * How an attempt ended. Both throw too when others failed too often meanwhile: many guesses at once
 * learn no more than as many one after the other.
 */
export interface LoginAttempt {
  failed(): Promise<void>
  succeeded(): Promise<void>
}

/** Ten in 15 minutes: no person mistypes that often, and no guesser gets far. */
const FAILURES_MAX = 10
const WINDOW_MS = 15 * 60_000

export interface LoginThrottleOptions {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => number
}

export function createLoginThrottle({ store, vault, now }: LoginThrottleOptions): LoginThrottle {
  const key = vault.key('login failures')
  const nameOf = (kind: string, value: string) =>
    createHmac('sha256', key).update(`${kind} ${value}`).digest()
  return {
    async begin(email, address) {
      const names = [nameOf('email', email), nameOf('address', address)]
      await check(store, names, now())
      return {
        failed: () =>
          store.transaction(async (within) => {
            await check(within, names, now(), true)
            await within.loginFailures.add(names, now())
          }),
        succeeded: () => check(store, names, now()),
      }
    },
  }
}

async function check(
  { loginFailures }: Store,
  names: readonly Uint8Array[],
  now: number,
  lock = false,
): Promise<void> {
  const query = { since: now - WINDOW_MS, max: FAILURES_MAX, lock }
  const oldest = await loginFailures.oldestOf(names, query)
  if (oldest !== null) {
    throw tooMany(oldest + WINDOW_MS - now)
  }
}

function tooMany(waitMs: number): TrustError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `too many failed log-ins; try again in ${seconds} s`,
    { limit: 'login_failures' },
    seconds,
  )
}
