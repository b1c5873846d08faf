import { createHmac } from 'node:crypto'
import { TrustError } from '../../core/error.ts'
import type { Context } from '../context.ts'

/** Slows down whoever guesses passwords, on every node alike. */
export interface LoginThrottle {
  /** Refuses when there were too many failures; otherwise `failed` is to be told of one more. */
  begin(email: string, address: string): Promise<{ failed(): Promise<void> }>
}

/** Ten in a quarter of an hour (decisions, Callers): nobody mistypes that often, no guesser gets far. */
const FAILURES_MAX = 10
const WINDOW_MS = 15 * 60_000

export function createLoginThrottle({ store, vault, now }: Context): LoginThrottle {
  const key = vault.key('login failures')
  const nameOf = (kind: string, value: string) =>
    createHmac('sha256', key).update(`${kind} ${value}`).digest()
  return {
    async begin(email, address) {
      const names = [nameOf('email', email), nameOf('address', address)]
      const since = now() - WINDOW_MS
      const oldest = await store.owners.loginFailures(names, since, FAILURES_MAX)
      if (oldest !== null) throw tooMany(oldest + WINDOW_MS - now())
      return { failed: () => store.owners.addLoginFailure(names, now()) }
    },
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
