import { overloaded } from '../domain/error.ts'
import { type Interval, startInterval } from './interval.ts'

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

export interface FairQueueOptions {
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
  /** Refusals sent in a second; the others are sent later, within five seconds. Unbounded by default. */
  readonly refusalsPerSecondMax?: number
  /** Refusals that may be sent later without having waited, as where too much waits already. */
  readonly heldMax?: number
  /** Whether refusals are sent at once now, as where the service ends. */
  readonly isEnding?: () => boolean
  /** The message of a refusal. */
  readonly refusal: string
}

/**
 * A queue is crowded while something has been waiting all the time for longer than `waitMaxMs`: then each
 * wait is longer, and no more work is done. The only piece of its key may still wait the whole time.
 */
export interface CrowdedOptions {
  readonly waitMaxMs: number
  /**
   * How long waiting and work may take together. How long the work of each key takes is measured, and what
   * is left of this time bounds its wait, to no less than `waitMinMs`.
   */
  readonly totalMs: number
  readonly waitMinMs: number
}

interface Waiting extends Held {
  readonly weight: number
  readonly since: number
  /** Nothing else of its key was running or waiting when it came. */
  readonly isLone: boolean
  readonly start: () => void
}

/** What is refused as soon as the rate of refusals permits. */
interface Held {
  /** When it is refused, however many are. */
  readonly refuseBy: number
  readonly isGone: () => boolean
  readonly refuse: (error: Error) => void
}

interface Account {
  readonly key: string
  running: number
  readonly waiting: Waiting[]
  /** Lately: the weight in progress over time, and the weight of what ended. */
  weightMs: number
  ended: number
}

/** How often work that has waited too long is looked for. */
const SWEEP_MS = 50

/** No refusal is held for longer. */
const HOLD_MAX_MS = 5_000

/** What was measured a second ago counts half of what is measured now. */
const HALF_LIFE_MS = 1_000

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { runningMax, runningPerKeyMax, waitingMax, waitingPerKeyMax, waitMaxMs } = options
  const { refusalsPerSecondMax = Number.POSITIVE_INFINITY, crowded, heldMax = 0 } = options
  const { isEnding = () => false } = options
  const refusalsPerSweepMax = Math.ceil((refusalsPerSecondMax * SWEEP_MS) / 1_000)
  const accounts = new Map<string, Account>()
  /** The accounts whose work waits; the first has the next turn. */
  const turns = new Set<Account>()
  /** Oldest first. */
  let held: Held[] = []
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
    const account = { key, running: 0, waiting: [], weightMs: 0, ended: 0 }
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

  /** A refused client comes back at once. Sent slowly, the refusals of a flood cost little. */
  function refuseHeld(now: number): void {
    const refusalsMax = refusalsNow(now)
    let refusals = 0
    held = held.filter((one) => {
      const isGone = one.isGone()
      if (!isGone && refusals >= refusalsMax) {
        return true
      }
      refusals += isGone ? 0 : 1
      one.refuse(overloaded(options.refusal))
      return false
    })
  }

  /** More than the rate only where some would be late: then this many that all are in time at an even pace. */
  function refusalsNow(now: number): number {
    let refusals = isEnding() ? held.length : refusalsPerSweepMax
    for (const [i, { refuseBy }] of held.entries()) {
      const sweepsLeft = Math.max(1, (refuseBy - now) / SWEEP_MS)
      refusals = Math.max(refusals, (i + 1) / sweepsLeft)
    }
    return Math.ceil(refusals)
  }

  /** Little's law: what is in progress is what ends in a time, times how long each takes. */
  function measure(now: number): void {
    const kept = 0.5 ** ((now - sweptAt) / HALF_LIFE_MS)
    for (const account of accounts.values()) {
      account.weightMs = account.weightMs * kept + account.running * (now - sweptAt)
      account.ended *= kept
    }
    sweptAt = now
  }

  function crowdedWaitMs({ weightMs, ended }: Account): number {
    if (crowded === undefined) {
      return waitMaxMs
    }
    const workMs = weightMs === 0 ? 0 : weightMs / ended
    return Math.min(crowded.waitMaxMs, Math.max(crowded.waitMinMs, crowded.totalMs - workMs))
  }

  /** Takes what has waited too long out of the queue. */
  function holdLate(account: Account, now: number, manyWaitMs: number): void {
    const isLate = ({ since, isLone }: Waiting) => now - since >= (isLone ? waitMaxMs : manyWaitMs)
    for (let next = account.waiting[0]; next && isLate(next); next = account.waiting[0]) {
      account.waiting.shift()
      waiting--
      held.push(next)
    }
    removeIfIdle(account)
  }

  function sweep(): void {
    const now = performance.now()
    measure(now)
    const isCrowded = crowdedSince !== null && now - crowdedSince > waitMaxMs
    for (const account of [...turns]) {
      holdLate(account, now, isCrowded ? crowdedWaitMs(account) : waitMaxMs)
    }
    refuseHeld(now)
    if (waiting === 0 && held.length === 0 && sweeper !== null) {
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
      held.push(last)
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
    if (held.length >= heldMax) {
      return Promise.reject(overloaded(options.refusal))
    }
    const now = performance.now()
    keepSweeping(now)
    return new Promise((_start, refuse) => {
      held.push({ refuseBy: now + HOLD_MAX_MS, isGone, refuse })
    })
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
    state: () => ({ running, waiting: waiting + held.length }),
  }
  return queue
}
