import { overloaded } from '../domain/error.ts'
import { type Interval, startInterval } from './interval.ts'

/**
 * Limits how much work is in progress, in total and for each key. Work without room waits, the keys
 * taking turns, and is refused with 503 when it has waited too long or too much waits already.
 */
export interface FairQueue {
  /**
   * Takes room for work of this weight: null if there is room, otherwise a promise of it. Each must
   * be followed by `leave` with the same key and weight, unless the promise rejects.
   */
  enter(key: string, weight: number, isGone?: () => boolean): Promise<void> | null
  leave(key: string, weight: number): void
  /** Waits for room, and does the work in it. */
  run<T>(key: string, weight: number, work: () => Promise<T>): Promise<T>
  /** Whether nothing is in progress and nothing waits. */
  isIdle(): boolean
  /** Whether work of this key would be refused at once. */
  isFull(key: string): boolean
  /** What is in progress and what waits, in weight and in number. */
  state(): { readonly running: number; readonly waiting: number }
}

export interface FairQueueOptions {
  /** Weight in progress at the same time. Work that is heavier than this runs alone. */
  readonly runningMax: number
  /** The same for one key. */
  readonly runningPerKeyMax: number
  /** Pieces of work that may wait, of all keys and of one. */
  readonly waitingMax: number
  readonly waitingPerKeyMax: number
  /** Work that has waited for so long is not started any more. */
  readonly waitMaxMs: number
  /**
   * The same while the queue is crowded: while something has been waiting all the time for longer than
   * `waitMaxMs`. A queue that stays full makes each wait longer and serves no more. The only piece of
   * its key may still wait the whole time.
   */
  readonly crowdedWaitMaxMs?: number
  /** Refusals sent in a second; the others are sent later. Unbounded by default. */
  readonly refusalsPerSecondMax?: number
  /** Whether refusals are sent at once now, as where the service ends. */
  readonly isEnding?: () => boolean
  /** The message of a refusal. */
  readonly refusal: string
}

interface Waiting {
  readonly weight: number
  readonly until: number
  /** Nothing else of its key was running or waiting when it came. */
  readonly isLone: boolean
  readonly isGone: () => boolean
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

interface Account {
  readonly key: string
  running: number
  readonly waiting: Waiting[]
}

/** How often work that has waited too long is looked for. */
const SWEEP_MS = 50

/** A refusal that is so old is sent at once, whatever the rate. */
const HOLD_MAX_MS = 5_000

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { runningMax, runningPerKeyMax, waitingMax, waitingPerKeyMax, waitMaxMs } = options
  const { refusalsPerSecondMax = Number.POSITIVE_INFINITY, crowdedWaitMaxMs = waitMaxMs } = options
  const { isEnding = () => false } = options
  const refusalsPerSweepMax = Math.ceil((refusalsPerSecondMax * SWEEP_MS) / 1_000)
  const accounts = new Map<string, Account>()
  /** The accounts whose work waits; the first has the next turn. */
  const turns = new Set<Account>()
  /** What is not started any more and not refused yet, oldest first. */
  const expired: Waiting[] = []
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

  function accountOf(key: string): Account {
    const known = accounts.get(key)
    if (known) {
      return known
    }
    const account = { key, running: 0, waiting: [] }
    accounts.set(key, account)
    return account
  }

  function fitsInAll(weight: number): boolean {
    return running === 0 || running + weight <= runningMax
  }

  function fitsKey(account: Account, weight: number): boolean {
    return account.running === 0 || account.running + weight <= runningPerKeyMax
  }

  function isFull(account: Account): boolean {
    return waiting >= waitingMax || account.waiting.length >= waitingPerKeyMax
  }

  function take(account: Account, weight: number): void {
    account.running += weight
    running += weight
  }

  function forgetIfIdle(account: Account): void {
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
    forgetIfIdle(account)
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

  /** A refused client comes back at once. Sent slowly, the refusals of a flood cost little. */
  function refuseExpired(now: number): void {
    const tooLong = isEnding() ? now : now - HOLD_MAX_MS
    let refusals = 0
    for (let next = expired[0]; next; next = expired[0]) {
      if (refusals >= refusalsPerSweepMax && next.until > tooLong && !next.isGone()) {
        return
      }
      expired.shift()
      waiting--
      refusals++
      next.refuse(overloaded(options.refusal))
    }
  }

  function sweep(): void {
    const now = performance.now()
    const isCrowded = crowdedSince !== null && now - crowdedSince > waitMaxMs
    const isLate = ({ until, isLone }: Waiting) =>
      until - (isCrowded && !isLone ? waitMaxMs - crowdedWaitMaxMs : 0) <= now
    for (const account of [...turns]) {
      for (let next = account.waiting[0]; next && isLate(next); next = account.waiting[0]) {
        account.waiting.shift()
        expired.push(next)
      }
      forgetIfIdle(account)
    }
    refuseExpired(now)
    if (waiting === 0 && sweeper !== null) {
      void sweeper.stop()
      sweeper = null
    }
    startAll()
  }

  function wait(account: Account, weight: number, isGone: () => boolean): Promise<void> {
    sweeper ??= startInterval({ everyMs: SWEEP_MS, work: sweep })
    waiting++
    turns.add(account)
    const now = performance.now()
    crowdedSince ??= now
    const isLone = account.running === 0 && account.waiting.length === 0
    return new Promise((start, refuse) => {
      account.waiting.push({ weight, until: now + waitMaxMs, isLone, isGone, start, refuse })
    })
  }

  const queue: FairQueue = {
    enter(key, weight, isGone = () => false) {
      const account = accountOf(key)
      const isFirst = account.waiting.length === 0 && fitsKey(account, weight)
      if (isFirst && !isReserved && fitsInAll(weight)) {
        take(account, weight)
        return null
      }
      if (isFull(account)) {
        forgetIfIdle(account)
        return Promise.reject(overloaded(options.refusal))
      }
      isReserved ||= isFirst
      return wait(account, weight, isGone)
    },
    leave(key, weight) {
      const account = accountOf(key)
      account.running -= weight
      running -= weight
      forgetIfIdle(account)
      startAll()
    },
    isIdle: () => running === 0 && waiting === 0,
    isFull(key) {
      const account = accounts.get(key)
      return waiting >= waitingMax || (account !== undefined && isFull(account))
    },
    async run(key, weight, work) {
      await queue.enter(key, weight)
      try {
        return await work()
      } finally {
        queue.leave(key, weight)
      }
    },
    state: () => ({ running, waiting }),
  }
  return queue
}
