import { HOLD_MAX_MS, type Refusable } from './paced-refusals.ts'
import { type Account, workMsOf } from './queue-account.ts'

/** A piece of work that waits for room. */
export interface Waiting extends Refusable {
  readonly weight: number
  readonly since: number
  /** Nothing else of its key was running or waiting when it came. */
  readonly isLone: boolean
  readonly start: () => void
}

/** The work that waits for room. The accounts take turns. */
export interface WaitingWork {
  /** The accounts whose work waits; the first has the next turn. */
  accounts(): ReadonlySet<Account>
  /** How many pieces of work wait. */
  size(): number
  /** Whether there is no place for one more of an account with this many. */
  isFull(own: number): boolean
  /** Makes place for one more of an account with this many: what gives way for it, if anything has to. */
  makePlace(own: number): Waiting | undefined
  /** Adds work to an account. Resolves when it starts. */
  add(account: Account, weight: number, isGone: () => boolean): Promise<void>
  /** Takes the first of an account, which has its next turn after the others. */
  takeFirst(account: Account): Waiting | undefined
  /** Takes what has waited too long. */
  takeLate(account: Account, now: number): readonly Waiting[]
}

export interface WaitingOptions {
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

/**
 * A queue is crowded while something has been waiting all the time for longer than `waitMaxMs`: then each
 * wait is longer, and no more work is done. The only piece of its key may still wait the whole time.
 */
interface CrowdedOptions {
  readonly waitMaxMs: number
  /**
   * How long waiting and work may take together. How long the work of each key takes is measured, and what
   * is left of this time bounds its wait, to no less than `waitMinMs`.
   */
  readonly totalMs: number
  readonly waitMinMs: number
}

export function createWaitingWork(options: WaitingOptions): WaitingWork {
  const { waitingMax, waitingPerKeyMax, waitMaxMs, crowded } = options
  const turns = new Set<Account>()
  let size = 0
  /** Since when something has been waiting all the time. */
  let busySince: number | null = null

  function take(account: Account): Waiting | undefined {
    const first = account.waiting.shift()
    size -= first ? 1 : 0
    if (account.waiting.length === 0) {
      turns.delete(account)
      busySince = turns.size === 0 ? null : busySince
    }
    return first
  }

  function waitMaxOf(account: Account, now: number): number {
    const isCrowded = busySince !== null && now - busySince > waitMaxMs
    return isCrowded && crowded ? crowdedWaitMs(account, crowded) : waitMaxMs
  }

  return {
    accounts: () => turns,
    size: () => size,
    isFull: (own) =>
      own >= waitingPerKeyMax || (size >= waitingMax && longest(turns, own) === undefined),
    makePlace(own) {
      const last = size >= waitingMax ? longest(turns, own)?.waiting.pop() : undefined
      size -= last ? 1 : 0
      return last
    },
    add(account, weight, isGone) {
      const since = performance.now()
      size++
      turns.add(account)
      busySince ??= since
      const isLone = account.running === 0 && account.waiting.length === 0
      const refuseBy = since + waitMaxMs + HOLD_MAX_MS
      return new Promise((start, refuse) => {
        account.waiting.push({ weight, since, refuseBy, isLone, isGone, start, refuse })
      })
    },
    takeFirst(account) {
      turns.delete(account)
      turns.add(account)
      return take(account)
    },
    takeLate(account, now) {
      const othersMaxMs = waitMaxOf(account, now)
      const isLate = ({ since, isLone }: Waiting) =>
        now - since >= (isLone ? waitMaxMs : othersMaxMs)
      const late: Waiting[] = []
      for (let next = account.waiting[0]; next && isLate(next); next = account.waiting[0]) {
        late.push(next)
        take(account)
      }
      return late
    },
  }
}

/** The account with the most waiting, if it has more than one with one more than this. */
function longest(accounts: Iterable<Account>, own: number): Account | undefined {
  let most: Account | undefined
  for (const account of accounts) {
    const length = most?.waiting.length ?? own + 1
    most = account.waiting.length > length ? account : most
  }
  return most
}

/** How long the work of an account may wait while the queue is crowded. */
function crowdedWaitMs(
  account: Account,
  { waitMaxMs, waitMinMs, totalMs }: CrowdedOptions,
): number {
  return Math.min(waitMaxMs, Math.max(waitMinMs, totalMs - workMsOf(account)))
}
