import { createHmac } from 'node:crypto'
import { TrustError } from '../domain/error.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Vault } from '../lib/vault.ts'
import type { Store } from '../store/store.ts'

/** Limits guesses with e-mail addresses, over all nodes together. */
export interface Throttle {
  /** Throws RATE_LIMIT_EXCEEDED after too many failures. */
  begin(email: string, source: string): Promise<Attempt>
  /** This e-mail has signed in from this address: failures elsewhere do not lock it out here. */
  addSuccess(within: Store, email: string, source: string): Promise<void>
  /** Counts a request that has no outcome. Throws RATE_LIMIT_EXCEEDED after too many. */
  count(email: string, source: string): Promise<void>
}

/**
 * How an attempt ended. Both throw too when others failed too often meanwhile: many guesses at once
 * learn no more than as many one after the other.
 */
export interface Attempt {
  /** Whether the person of this e-mail signed in from this address lately. */
  readonly isKnown: boolean
  failed(): Promise<void>
  succeeded(): Promise<void>
}

/** Ten in 15 minutes: no person mistypes that often, and no guesser gets far. */
const COUNT_MAX = 10
const WINDOW_MS = 15 * 60_000

/** How long an address is known after a sign-in from there. */
const KNOWN_MS = 30 * DAY_MS

/** What is counted apart from everything else. */
export interface ThrottleKind {
  /** In `details.limit`. */
  readonly limit: string
  /** As the message names it: too many … */
  readonly what: string
}

export const LOGINS: ThrottleKind = { limit: 'login_failures', what: 'failed sign-ins' }

/** Links and invitations by mail: no mailbox is filled by them. */
export const MAILS: ThrottleKind = { limit: 'mails', what: 'mails asked for' }

/** How an attempt ended: `refused` after too many failures. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'refused'

export interface ThrottleOptions {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => number
  readonly onAttempt?: (outcome: AttemptOutcome) => void
}

export function createThrottle(options: ThrottleOptions, kind: ThrottleKind): Throttle {
  const { store, now, onAttempt = () => {} } = options
  const { check, add } = createCounter(options, kind)
  const { emailOf, addressOf, placeOf } = namesOf(options.vault, kind)
  const addSuccess = async (within: Store, email: string, source: string) => {
    await within.loginSuccesses.save({ name: placeOf(email, source), at: now() })
  }

  return {
    addSuccess,
    async begin(email, source) {
      const place = placeOf(email, source)
      const success = await store.loginSuccesses.find({ name: place })
      const isKnown = success !== null && success.at > now() - KNOWN_MS
      // Where the person signed in lately, only failures there count: guesses from
      // elsewhere do not lock that person out.
      const counted = isKnown ? [place] : [emailOf(email), addressOf(source)]
      await check(store, counted)
      return {
        isKnown,
        async failed() {
          await add(counted, isKnown ? [place, emailOf(email)] : counted)
          onAttempt('failed')
        },
        async succeeded() {
          await check(store, counted)
          await addSuccess(store, email, source)
          onAttempt('succeeded')
        },
      }
    },
    count: (email, source) => add([emailOf(email), addressOf(source)]),
  }
}

/** What is counted, under keyed hashes: the store knows no address. */
function namesOf(vault: Vault, { limit }: ThrottleKind) {
  const key = vault.key('login failures')
  const nameOf = (kind: string, value: string): Uint8Array =>
    createHmac('sha256', key).update(`${limit} ${kind} ${value}`).digest()
  return {
    emailOf: (email: string) => nameOf('email', email),
    addressOf: (source: string) => nameOf('address', source),
    placeOf: (email: string, source: string) => nameOf('place', `${email} ${source}`),
  }
}

/** Counts names within the window. */
interface Counter {
  /** Throws RATE_LIMIT_EXCEEDED where one of the names has been counted too often. */
  check(within: Store, names: readonly Uint8Array[], lock?: boolean): Promise<void>
  /** Checks names and counts the same ones, or others, in one transaction. */
  add(checked: readonly Uint8Array[], added?: readonly Uint8Array[]): Promise<void>
}

function createCounter(
  { store, now, onAttempt = () => {} }: ThrottleOptions,
  { limit, what }: ThrottleKind,
): Counter {
  const counter: Counter = {
    async check({ loginFailures }, names, lock = false) {
      const query = { since: now() - WINDOW_MS, max: COUNT_MAX, lock }
      const oldest = await loginFailures.oldestOf(names, query)
      if (oldest === null) {
        return
      }
      const seconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now()) / 1000))
      onAttempt('refused')
      const message = `too many ${what}; try again in ${seconds} s`
      throw new TrustError('RATE_LIMIT_EXCEEDED', message, { limit }, seconds)
    },
    add: (checked, added = checked) =>
      store.transaction(async (within) => {
        await counter.check(within, checked, true)
        const at = now()
        await within.loginFailures.insertAll(added.map((name) => ({ name, at })))
      }),
  }
  return counter
}
