import type { Waiting } from './waiting-work.ts'

/** The work of one key in a queue. */
export interface Account {
  readonly key: string
  running: number
  readonly waiting: Waiting[]
  /** Lately: the weight in progress over time, and the weight of what ended. */
  weightMs: number
  ended: number
}

/** The accounts that have work in progress or waiting. */
export interface Accounts {
  find(key: string): Account | undefined
  /** The account of a key, which is added if it has no work yet. */
  of(key: string): Account
  removeIfIdle(account: Account): void
  /** Begins to measure how long the work of each account takes. */
  startMeasuring(): void
  /** Adds the time since the last measurement. */
  measure(elapsedMs: number): void
}

export function createAccounts(): Accounts {
  const accounts = new Map<string, Account>()
  return {
    find: (key) => accounts.get(key),
    of(key) {
      const known = accounts.get(key)
      if (known) {
        return known
      }
      const account = { key, running: 0, waiting: [], weightMs: 0, ended: 0 }
      accounts.set(key, account)
      return account
    },
    removeIfIdle({ key, running, waiting }) {
      if (running === 0 && waiting.length === 0) {
        accounts.delete(key)
      }
    },
    startMeasuring() {
      for (const account of accounts.values()) {
        account.weightMs = 0
        account.ended = 0
      }
    },
    measure(elapsedMs) {
      for (const account of accounts.values()) {
        measure(account, elapsedMs)
      }
    },
  }
}

/** What was measured a second ago counts half of what is measured now. */
const HALF_LIFE_MS = 1_000

function measure(account: Account, elapsedMs: number): void {
  const kept = 0.5 ** (elapsedMs / HALF_LIFE_MS)
  account.weightMs = account.weightMs * kept + account.running * elapsedMs
  account.ended *= kept
}

/**
 * How long the work of an account takes. By Little's law, what is in progress is what ends in a time, times how
 * long each takes.
 */
export function workMsOf({ weightMs, ended }: Account): number {
  return weightMs === 0 ? 0 : weightMs / ended
}
