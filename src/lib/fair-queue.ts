import { overloaded } from '../domain/error.ts'
import { type Interval, startInterval } from './interval.ts'
import { createPacedRefusals, HOLD_MAX_MS, type RefusalOptions } from './paced-refusals.ts'
import {
  type Account,
  type CrowdedOptions,
  crowdedWaitMs,
  measure,
  newAccount,
  type Waiting,
} from './queue-account.ts'

/**
 * Limits how much work is in progress, in total and for each key. Work without room waits, the keys
 * taking turns, and is refused with 503 when it has waited too long or too much waits already.
 */
export interface FairQueue {
  /**
   * Takes room for work of this weight: null if there is room, otherwise a promise of it. Each must
   * be followed by `release` with the same key and weight, unless the promise rejects.
   */
  acquire(key: string, weight: number, isGone?: () => boolean): Promise<void> | null
  release(key: string, weight: number): void
  /** Waits for room, and does the work in it. */
  run<T>(key: string, weight: number, work: () => Promise<T>, isGone?: () => boolean): Promise<T>
  /** Rejects as work does that has no room: when its turn among the refusals comes. */
  refuse(isGone?: () => boolean): Promise<never>
  /** Whether nothing is in progress and nothing waits. */
  isIdle(): boolean
  /** Whether work of this key would be refused at once. */
  isFull(key: string): boolean
  /** What is in progress and what waits, in weight and in number. */
  state(): { readonly running: number; readonly waiting: number }
}

export interface FairQueueOptions extends RefusalOptions {
  /** Weight in progress at the same time. Work that is heavier than this runs alone. */
  readonly runningMax: number
  /** Weight in progress at the same time for one key. */
  readonly runningPerKeyMax: number
  /**
   * Pieces of work that may wait, of all keys and of one. A key that has fewer of them than another one takes
   * the place of that one's last.
   */
  readonly waitingMax: number
  readonly waitingPerKeyMax: number
  /** Work that has waited for so long is not started any more. */
  readonly waitMaxMs: number
  /** What holds instead while the queue is crowded; nothing else by default. */
  readonly crowded?: CrowdedOptions
}

/** How often work that has waited too long is looked for. */
const SWEEP_MS = 50

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { runningMax, runningPerKeyMax, waitingMax, waitingPerKeyMax, waitMaxMs } = options
  const refusals = createPacedRefusals(options, SWEEP_MS)
  const accounts = new Map<string, Account>()
  /** The accounts whose work waits; the first has the next turn. */
  const turns = new Set<Account>()
  let running = 0
  let waiting = 0
  /**
   * Room that becomes free belongs to the first in turn; otherwise lighter work would always pass
   * it.
   */
  let isReserved = false
  /** Since when something has been waiting for room all the time. */
  let crowdedSince: number | null = null
  let sweeper: Interval | null = null
  let sweptAt = 0

  function accountOf(key: string): Account {
    const known = accounts.get(key)
    if (known) {
      return known
    }
    const account = newAccount(key)
    accounts.set(key, account)
    return account
  }

  function fitsInAll(weight: number): boolean {
    return running === 0 || running + weight <= runningMax
  }

  function fitsKey(account: Account, weight: number): boolean {
    return account.running === 0 || account.running + weight <= runningPerKeyMax
  }

  /** The account with the most waiting, if it has more than one with one more than this; its last gives way. */
  function longerThan(own: number): Account | undefined {
    let most: Account | undefined
    for (const account of turns) {
      const length = most?.waiting.length ?? own + 1
      most = account.waiting.length > length ? account : most
    }
    return most
  }

  /** Whether there is no place to wait for an account with this many waiting. */
  function isFull(own: number): boolean {
    return own >= waitingPerKeyMax || (waiting >= waitingMax && longerThan(own) === undefined)
  }

  function take(account: Account, weight: number): void {
    account.running += weight
    running += weight
  }

  function removeIfIdle(account: Account): void {
    if (account.waiting.length === 0) {
      turns.delete(account)
      crowdedSince = turns.size === 0 ? null : crowdedSince
      if (account.running === 0) {
        accounts.delete(account.key)
      }
    }
  }

  function startFirst(account: Account): void {
    const next = account.waiting.shift()
    if (next === undefined) {
      return
    }
    waiting--
    if (next.isGone()) {
      next.refuse(overloaded(options.refusal))
    } else {
      take(account, next.weight)
      next.start()
    }
    // The others have their turns before this account's next piece.
    turns.delete(account)
    turns.add(account)
    removeIfIdle(account)
  }

  function startAll(): void {
    isReserved = false
    // An account that had its turn is visited again at the end of the same loop.
    for (const account of turns) {
      const weight = account.waiting[0]?.weight ?? 0
      if (!fitsInAll(weight)) {
        isReserved = true
        return
      }
      if (fitsKey(account, weight)) {
        startFirst(account)
      }
    }
  }

  /** Takes what has waited too long out of the queue. */
  function holdLate(account: Account, now: number, manyWaitMs: number): void {
    const isLate = ({ since, isLone }: Waiting) => now - since >= (isLone ? waitMaxMs : manyWaitMs)
    for (let next = account.waiting[0]; next && isLate(next); next = account.waiting[0]) {
      account.waiting.shift()
      waiting--
      refusals.add(next)
    }
    removeIfIdle(account)
  }

  function sweep(): void {
    const now = performance.now()
    for (const account of accounts.values()) {
      measure(account, now - sweptAt)
    }
    sweptAt = now
    const isCrowded = crowdedSince !== null && now - crowdedSince > waitMaxMs
    for (const account of [...turns]) {
      holdLate(account, now, isCrowded ? crowdedWaitMs(account, options) : waitMaxMs)
    }
    refusals.send(now)
    if (waiting === 0 && refusals.size() === 0 && sweeper !== null) {
      void sweeper.stop()
      sweeper = null
    }
    startAll()
  }

  function keepSweeping(now: number): void {
    if (sweeper !== null) {
      return
    }
    sweeper = startInterval({ everyMs: SWEEP_MS, work: sweep })
    sweptAt = now
    for (const account of accounts.values()) {
      account.weightMs = 0
      account.ended = 0
    }
  }

  /** Makes place for one more of an account with this many: the last of the account with the most gives way. */
  function makePlace(own: number): void {
    const last = waiting >= waitingMax ? longerThan(own)?.waiting.pop() : undefined
    if (last !== undefined) {
      waiting--
      refusals.add(last)
    }
  }

  function wait(account: Account, weight: number, isGone: () => boolean): Promise<void> {
    const since = performance.now()
    makePlace(account.waiting.length)
    keepSweeping(since)
    waiting++
    turns.add(account)
    crowdedSince ??= since
    const isLone = account.running === 0 && account.waiting.length === 0
    const refuseBy = since + waitMaxMs + HOLD_MAX_MS
    return new Promise((start, refuse) => {
      account.waiting.push({ weight, since, refuseBy, isLone, isGone, start, refuse })
    })
  }

  function refuseLater(isGone: () => boolean): Promise<never> {
    keepSweeping(performance.now())
    return refusals.refuse(isGone)
  }

  const queue: FairQueue = {
    acquire(key, weight, isGone = () => false) {
      const account = accountOf(key)
      const isFirst = account.waiting.length === 0 && fitsKey(account, weight)
      if (isFirst && !isReserved && fitsInAll(weight)) {
        take(account, weight)
        return null
      }
      if (isFull(account.waiting.length)) {
        removeIfIdle(account)
        return refuseLater(isGone)
      }
      isReserved ||= isFirst
      return wait(account, weight, isGone)
    },
    release(key, weight) {
      const account = accountOf(key)
      account.running -= weight
      account.ended += weight
      running -= weight
      removeIfIdle(account)
      startAll()
    },
    isIdle: () => running === 0 && waiting === 0,
    isFull: (key) => isFull(accounts.get(key)?.waiting.length ?? 0),
    refuse: (isGone = () => false) => refuseLater(isGone),
    async run(key, weight, work, isGone) {
      await queue.acquire(key, weight, isGone)
      try {
        return await work()
      } finally {
        queue.release(key, weight)
      }
    },
    state: () => ({ running, waiting: waiting + refusals.size() }),
  }
  return queue
}
