import { overloaded } from '../../domain/error.ts'

/**
 * Refuses work that has no room, at a bounded rate: a refused client comes back at once, so the refusals of a
 * flood cost little when they are sent slowly.
 */
export interface PacedRefusals {
  /** Refuses this as soon as the rate permits. */
  add(refusable: Refusable): void
  /** Refuses later what has not waited, or at once where too many refusals are held already. */
  refuse(isGone: () => boolean): Promise<never>
  /** Sends what the rate permits. To be called every `everyMs` while there are any. */
  send(now: number): void
  /** How many are held. */
  size(): number
}

export interface Refusable {
  /** When it is refused, however many are, by `performance.now`. */
  readonly refuseBy: number
  /** Whether its client has left: then the refusal costs nothing. */
  readonly isGone: () => boolean
  readonly refuse: (error: Error) => void
}

export interface RefusalOptions {
  /** Refusals sent in a second; the others are sent later, within five seconds. Unbounded by default. */
  readonly refusalsPerSecondMax?: number
  /** Refusals that may be sent later without having waited, as where too much waits already. */
  readonly heldMax?: number
  /** Whether refusals are sent at once now, as where the service ends. */
  readonly isEnding?: () => boolean
  /** The message of a refusal. */
  readonly refusal: string
}

/** No refusal is held for longer. */
export const HOLD_MAX_MS = 5_000

export function createPacedRefusals(
  { refusalsPerSecondMax = Number.POSITIVE_INFINITY, heldMax = 0, ...options }: RefusalOptions,
  everyMs: number,
): PacedRefusals {
  const { isEnding = () => false, refusal } = options
  const sentMax = Math.ceil((refusalsPerSecondMax * everyMs) / 1_000)
  /** Oldest first. */
  let held: Refusable[] = []

  /** More than the rate only where some would be late: then so many that all are in time at an even pace. */
  function countNow(now: number): number {
    let count = isEnding() ? held.length : sentMax
    for (const [i, { refuseBy }] of held.entries()) {
      const timesLeft = Math.max(1, (refuseBy - now) / everyMs)
      count = Math.max(count, (i + 1) / timesLeft)
    }
    return Math.ceil(count)
  }

  return {
    add: (refusable) => void held.push(refusable),
    refuse(isGone) {
      if (held.length >= heldMax) {
        return Promise.reject(overloaded(refusal))
      }
      const refuseBy = performance.now() + HOLD_MAX_MS
      return new Promise((_, refuse) => held.push({ refuseBy, isGone, refuse }))
    },
    send(now) {
      let left = countNow(now)
      held = held.filter(({ isGone, refuse }) => {
        const hasLeft = isGone()
        if (!hasLeft && left <= 0) {
          return true
        }
        left -= hasLeft ? 0 : 1
        refuse(overloaded(refusal))
        return false
      })
    },
    size: () => held.length,
  }
}
