import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Attempt } from './attempt.ts'

/**
 * How many attempts to one subscription may be in flight, learned from its responses. It starts
 * slowly, as TCP does: a receiver that hangs from its first notification on never takes more than two
 * slots, one that responds soon gets all of its own.
 */
export interface ConcurrencyWindow {
  readonly limit: number
  /** Its last response came late, or none came yet. Slow receivers share half of the slots. */
  readonly isSlow: boolean
}

/** Two: a receiver that hangs costs little, and a healthy one is not delayed. */
export const NEW_WINDOW: ConcurrencyWindow = { limit: 2, isSlow: true }

/** A response this late is that of a slow receiver: a hundred times what a healthy one takes. */
export const SLOW_MS = 1000

/** The window after an attempt: one slot more after a delivery, half of them after no response. */
export function windowAfter(
  window: ConcurrencyWindow,
  attempt: Attempt,
  limitMax: number,
): ConcurrencyWindow {
  const isSlow = attempt.durationMs >= SLOW_MS
  if (attempt.outcome === 'delivered') {
    return { limit: Math.min(window.limit + 1, limitMax), isSlow }
  }
  const isSilent = attempt.status === null && isSlow
  const limit = isSilent ? Math.max(1, Math.floor(window.limit / 2)) : window.limit
  // A fast failure takes no slot for long, but earns none either.
  return { limit, isSlow: window.isSlow || isSlow }
}

/** Windows outlive the jobs that they were learned from: a receiver is not new with each notification. */
export interface ConcurrencyWindows {
  readonly of: (subscriptionId: string) => ConcurrencyWindow
  readonly learn: (subscriptionId: string, window: ConcurrencyWindow) => void
  /** The subscriptions whose receivers are not slow. */
  readonly healthy: () => readonly string[]
}

/** Some hundred KiB. The window without a notification for longest is dropped first, and starts again. */
const WINDOWS_MAX = 10_000

export function createConcurrencyWindows(): ConcurrencyWindows {
  const windows = createBoundedMap<string, ConcurrencyWindow>(WINDOWS_MAX)
  return {
    of: (id) => windows.get(id) ?? NEW_WINDOW,
    learn: windows.set,
    healthy: () => [...windows].filter(([, window]) => !window.isSlow).map(([id]) => id),
  }
}
