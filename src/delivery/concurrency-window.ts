import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Attempt } from './attempt.ts'

/**
 * How many attempts one subscription may have in flight, learnt from its own answers.
 * As TCP starts slowly: a receiver that hangs from its first notice on never holds more than two
 * places, one that answers soon has all of its own.
 */
export interface ConcurrencyWindow {
  readonly limit: number
  /** Its last answer came soon. Only such receivers may use the places kept for the quick. */
  readonly isQuick: boolean
}

/** Two: a hung receiver costs little, a quick one waits for nobody. */
export const NEW_WINDOW: ConcurrencyWindow = { limit: 2, isQuick: false }

/** An answer this late is that of a slow receiver: a hundred times what a healthy one takes. */
export const SLOW_MS = 1000

/** The pace after an attempt. A place more for each arrival, half as many after no answer. */
export function windowAfter(
  pace: ConcurrencyWindow,
  attempt: Attempt,
  limitMax: number,
): ConcurrencyWindow {
  const isQuick = attempt.durationMs < SLOW_MS
  if (attempt.outcome === 'delivered') {
    return { limit: Math.min(pace.limit + 1, limitMax), isQuick }
  }
  const isSilent = attempt.status === null && !isQuick
  const limit = isSilent ? Math.max(1, Math.floor(pace.limit / 2)) : pace.limit
  // A quick failure takes no place for long, but earns none either.
  return { limit, isQuick: pace.isQuick && isQuick }
}

/** Paces outlive the jobs they were learnt from: a known receiver is not new with each notice. */
export interface ConcurrencyWindows {
  readonly of: (subscriptionId: string) => ConcurrencyWindow
  readonly learn: (subscriptionId: string, pace: ConcurrencyWindow) => void
  readonly quick: () => readonly string[]
}

/** Some hundred KiB. The one longest without a notice is forgotten first, and starts slowly. */
const PACES_MAX = 10_000

export function createConcurrencyWindows(): ConcurrencyWindows {
  const paces = createBoundedMap<string, ConcurrencyWindow>(PACES_MAX)
  return {
    of: (id) => paces.get(id) ?? NEW_WINDOW,
    learn: paces.set,
    quick: () => [...paces].filter(([, pace]) => pace.isQuick).map(([id]) => id),
  }
}
