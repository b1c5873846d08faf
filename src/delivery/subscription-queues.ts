import type { Attempt } from './attempt.ts'
import { createConcurrencyWindows, windowAfter } from './concurrency-window.ts'
import type { ClaimRequest, Job } from './delivery-store.ts'
import * as one from './subscription-queue.ts'

export interface LineLimits {
  /** Attempts in flight on this node. */
  readonly total: number
  /** Of these, for one subscription. */
  readonly perSubscription: number
  /** Jobs of a quick subscription that wait in the node. */
  readonly claimed: number
}

/**
 * The jobs a node has claimed, in one line for each subscription. Lines take turns, one job each,
 * so none waits for another's length. Slow and unknown receivers share half of the places and
 * half of the jobs held; the other halves are always for the quick. Times in ms.
 */
export interface Lines<J extends Job> {
  /** What to claim now for which subscription. */
  readonly ask: () => Pick<ClaimRequest, 'share' | 'shares'>
  /** Takes in the answer to what was asked last. */
  readonly add: (jobs: readonly J[]) => void
  /** The next job to send now, from then on in flight; null if none may start. */
  readonly next: (now: number) => J | null
  /** Ends an attempt. Answers the jobs to give back, which must not follow it. */
  readonly finish: (job: J, attempt: Attempt, now: number) => readonly J[]
  /** Takes everything that waits for these subscriptions, or for all, out of line. */
  readonly clear: (subscriptionIds?: readonly string[]) => readonly J[]
  /** Looks for receivers that have become slow since. Answers the jobs to give back. */
  readonly sweep: (now: number) => readonly J[]
  /** Jobs waiting and in flight. */
  readonly held: () => number
  /** Whether a subscription that may have more in the store is running out of it here. */
  readonly runsLow: (subscriptionId: string) => boolean
}

/** Jobs held, for each place: enough at hand that no place waits for the store. */
export const HELD_PER_PLACE = 2

export function createLines<J extends Job>(limits: LineLimits): Lines<J> {
  const lines = new Map<string, one.SubscriptionQueue<J>>()
  const paces = createConcurrencyWindows()
  /** Lines that may have a job to start, in the order of their turns. */
  const ready = new Set<one.SubscriptionQueue<J>>()
  let asked: Pick<ClaimRequest, 'share' | 'shares'> = { share: 0, shares: new Map() }
  let inFlight = 0
  let slowInFlight = 0

  function ask() {
    const all = [...lines.values()]
    const slowHeld = all.reduce((sum, line) => sum + (line.isSlow ? heldBy(line) : 0), 0)
    const isCrowded = slowHeld >= (HELD_PER_PLACE * limits.total) / 2
    const share = isCrowded ? 0 : one.NEW_SHARE
    // Whoever is not named counts as unknown; when those get nothing, the quick must be named.
    const quick = isCrowded ? paces.quick().map((id) => [id, one.NEW_SHARE] as const) : []
    const known = all.map((line) => {
      const isLeftOut = line.isSlow && isCrowded
      return [line.id, isLeftOut ? 0 : one.shareOf(line, limits.claimed)] as const
    })
    asked = { share, shares: new Map([...quick, ...known]) }
    return asked
  }

  function add(jobs: readonly J[]) {
    const counts = new Map<string, number>()
    for (const job of jobs) {
      const line = lineOf(job.subscriptionId)
      line.waiting.push(job)
      ready.add(line)
      counts.set(line.id, (counts.get(line.id) ?? 0) + 1)
    }
    for (const line of lines.values()) {
      line.hasMore = (counts.get(line.id) ?? 0) >= (asked.shares.get(line.id) ?? asked.share)
      forgetEmpty(line)
    }
  }

  function lineOf(id: string): one.SubscriptionQueue<J> {
    const line = lines.get(id) ?? one.createSubscriptionQueue<J>(id, paces.of(id))
    lines.set(id, line)
    return line
  }

  function next(now: number): J | null {
    for (const line of ready) {
      if (inFlight >= limits.total) {
        return null
      }
      if (line.isSlow && slowInFlight >= limits.total / 2) {
        continue
      }
      const job = one.startNext(line, now)
      ready.delete(line)
      if (job === null) {
        continue
      }
      ready.add(line)
      inFlight += 1
      if (line.isSlow) {
        slowInFlight += 1
      }
      return job
    }
    return null
  }

  function finish(job: J, attempt: Attempt, now: number): readonly J[] {
    const line = lineOf(job.subscriptionId)
    one.end(line, job)
    inFlight -= 1
    if (line.isSlow) {
      slowInFlight -= 1
    }
    line.pace = windowAfter(line.pace, attempt, limits.perSubscription)
    paces.learn(line.id, line.pace)
    ready.add(line)
    const back = [...one.takeBlocked(line, job, attempt), ...judge(line, now)]
    forgetEmpty(line)
    return back
  }

  function judge(line: one.SubscriptionQueue<J>, now: number): readonly J[] {
    const isSlow = one.seemsSlow(line, now)
    if (isSlow !== line.isSlow) {
      slowInFlight += isSlow ? line.started.size : -line.started.size
    }
    line.isSlow = isSlow
    return one.takeExcess(line, limits.claimed)
  }

  function clear(ids: readonly string[] = [...lines.keys()]): readonly J[] {
    return ids.flatMap((id) => {
      const line = lines.get(id)
      if (line === undefined) {
        return []
      }
      const taken = one.take(line, () => true)
      forgetEmpty(line)
      return taken
    })
  }

  function forgetEmpty(line: one.SubscriptionQueue<J>) {
    if (heldBy(line) > 0 || line.hasMore) {
      return
    }
    lines.delete(line.id)
    ready.delete(line)
  }

  return {
    ask,
    add,
    next,
    finish,
    clear,
    sweep: (now) => [...lines.values()].flatMap((line) => judge(line, now)),
    held: () => [...lines.values()].reduce((sum, line) => sum + heldBy(line), 0),
    runsLow: (id) => {
      const line = lines.get(id)
      return line?.hasMore === true && one.shareOf(line, limits.claimed) > 0
    },
  }
}

function heldBy<J extends Job>(line: one.SubscriptionQueue<J>): number {
  return line.waiting.length + line.started.size
}
