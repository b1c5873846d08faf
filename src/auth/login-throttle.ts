import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import { TrustError } from '../domain/error.ts'
import type { Store } from '../store/store.ts'

/** Slows down whoever guesses passwords, on every node alike. */
export interface LoginThrottle {
  /** Refuses when there were too many failures. */
  begin(email: string, address: string): Promise<LoginAttempt>
}

/**
 * What became of an attempt. Both refuse too, when others failed too often meanwhile: of many guesses
 * made at once no more are told apart than of as many made one after the other.
 */
export interface LoginAttempt {
  failed(): Promise<void>
  succeeded(): Promise<void>
}

/** Ten in a quarter of an hour: nobody mistypes that often, no guesser gets far. */
const FAILURES_MAX = 10
const WINDOW_MS = 15 * 60_000

export function createLoginThrottle({ store, vault, now }: Context): LoginThrottle {
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
            await within.owners.lockLoginFailures(names)
            await check(within, names, now())
            await within.owners.addLoginFailure(names, now())
          }),
        succeeded: () => check(store, names, now()),
      }
    },
  }
}

async function check(store: Store, names: readonly Uint8Array[], now: number): Promise<void> {
  const oldest = await store.owners.loginFailures(names, now - WINDOW_MS, FAILURES_MAX)
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
