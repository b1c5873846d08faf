import type { Account } from './queue-account.ts'

/** What work in progress may take, in weight. */
export interface RoomOptions {
  /** Weight in progress at the same time. Work that is heavier than this runs alone. */
  readonly runningMax: number
  /** Weight in progress at the same time for one key. */
  readonly runningPerKeyMax: number
}

/** The work in progress, in total and of each account. */
export interface Room {
  /** Whether free room is left to the first in turn; otherwise lighter work would always pass it. */
  isReserved: boolean
  running(): number
  fits(weight: number): boolean
  fitsAccount(account: Account, weight: number): boolean
  take(account: Account, weight: number): void
  free(account: Account, weight: number): void
}

export function createRoom({ runningMax, runningPerKeyMax }: RoomOptions): Room {
  let running = 0
  return {
    isReserved: false,
    running: () => running,
    fits: (weight) => running === 0 || running + weight <= runningMax,
    fitsAccount: (account, weight) =>
      account.running === 0 || account.running + weight <= runningPerKeyMax,
    take(account, weight) {
      account.running += weight
      running += weight
    },
    free(account, weight) {
      account.running -= weight
      account.ended += weight
      running -= weight
    },
  }
}
