import { overloaded } from '../../domain/error.ts'
import { type Interval, startInterval } from '../interval.ts'
import { createPacedRefusals, type PacedRefusals, type RefusalOptions } from './paced-refusals.ts'
import { type Account, type Accounts, createAccounts } from './queue-account.ts'
import { createRoom, type Room, type RoomOptions } from './room.ts'
import { createWaitingWork, type WaitingOptions, type WaitingWork } from './waiting-work.ts'

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

export interface FairQueueOptions extends RoomOptions, WaitingOptions, RefusalOptions {}

/** How often work that has waited too long is looked for. */
const SWEEP_MS = 50

const NEVER_GONE = () => false

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const accounts = createAccounts()
  const room = createRoom(options)
  const waiting = createWaitingWork(options)
  const refusals = createPacedRefusals(options, SWEEP_MS)
  const sweeper = createSweeper(accounts.startMeasuring, (now, elapsedMs) =>
    sweep(parts, now, elapsedMs),
  )
  const parts: Parts = { accounts, room, waiting, refusals, sweeper, refusal: options.refusal }
  return {
    acquire: (key, weight, isGone) => acquire(parts, key, weight, isGone),
    release: (key, weight) => release(parts, key, weight),
    async run(key, weight, work, isGone) {
      await acquire(parts, key, weight, isGone)
      try {
        return await work()
      } finally {
        release(parts, key, weight)
      }
    },
    refuse: (isGone) => refuse(parts, isGone),
    isIdle: () => room.running() === 0 && waiting.size() === 0,
    isFull: (key) => waiting.isFull(accounts.find(key)?.waiting.length ?? 0),
    state: () => ({ running: room.running(), waiting: waiting.size() + refusals.size() }),
  }
}

interface Parts {
  readonly accounts: Accounts
  readonly room: Room
  readonly waiting: WaitingWork
  readonly refusals: PacedRefusals
  readonly sweeper: Sweeper
  readonly refusal: string
}

function acquire(
  parts: Parts,
  key: string,
  weight: number,
  isGone = NEVER_GONE,
): Promise<void> | null {
  const { accounts, room, waiting } = parts
  const account = accounts.of(key)
  const isFirst = account.waiting.length === 0 && room.fitsAccount(account, weight)
  if (isFirst && !room.isReserved && room.fits(weight)) {
    room.take(account, weight)
    return null
  }
  if (waiting.isFull(account.waiting.length)) {
    accounts.removeIfIdle(account)
    return refuse(parts, isGone)
  }
  room.isReserved ||= isFirst
  return wait(parts, account, weight, isGone)
}

function release(parts: Parts, key: string, weight: number): void {
  const { accounts, room } = parts
  const account = accounts.of(key)
  room.free(account, weight)
  accounts.removeIfIdle(account)
  startAll(parts)
}

function refuse({ refusals, sweeper }: Parts, isGone = NEVER_GONE): Promise<never> {
  sweeper.start()
  return refusals.refuse(isGone)
}

function wait(
  { waiting, refusals, sweeper }: Parts,
  account: Account,
  weight: number,
  isGone: () => boolean,
): Promise<void> {
  const displaced = waiting.makePlace(account.waiting.length)
  if (displaced) {
    refusals.add(displaced)
  }
  sweeper.start()
  return waiting.add(account, weight, isGone)
}

/** Starts what there is room for, the accounts in turn. */
function startAll(parts: Parts): void {
  const { room, waiting } = parts
  room.isReserved = false
  // An account that had its turn is visited again at the end of the same loop.
  for (const account of waiting.accounts()) {
    const weight = account.waiting[0]?.weight ?? 0
    if (!room.fits(weight)) {
      room.isReserved = true
      return
    }
    if (room.fitsAccount(account, weight)) {
      startFirst(parts, account)
    }
  }
}

function startFirst({ accounts, room, waiting, refusal }: Parts, account: Account): void {
  const next = waiting.takeFirst(account)
  if (next?.isGone()) {
    next.refuse(overloaded(refusal))
  } else if (next) {
    room.take(account, next.weight)
    next.start()
  }
  accounts.removeIfIdle(account)
}

/** Refuses what has waited too long. */
function sweep(parts: Parts, now: number, elapsedMs: number): void {
  const { accounts, waiting, refusals, sweeper } = parts
  accounts.measure(elapsedMs)
  for (const account of [...waiting.accounts()]) {
    waiting.takeLate(account, now).forEach(refusals.add)
    accounts.removeIfIdle(account)
  }
  refusals.send(now)
  if (waiting.size() === 0 && refusals.size() === 0) {
    sweeper.stop()
  }
  startAll(parts)
}

interface Sweeper {
  /** Sweeps from now on, unless it does already. */
  start(): void
  stop(): void
}

/** Sweeps at intervals, and passes on the time since the sweep before, while there is something to sweep. */
function createSweeper(
  onStart: () => void,
  sweep: (now: number, elapsedMs: number) => void,
): Sweeper {
  let interval: Interval | null = null
  let sweptAt = 0

  function work(): void {
    const now = performance.now()
    const elapsedMs = now - sweptAt
    sweptAt = now
    sweep(now, elapsedMs)
  }

  return {
    start() {
      if (interval === null) {
        interval = startInterval({ everyMs: SWEEP_MS, work })
        sweptAt = performance.now()
        onStart()
      }
    },
    stop() {
      void interval?.stop()
      interval = null
    },
  }
}
