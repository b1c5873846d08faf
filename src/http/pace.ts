/** Starts work that has waited for room, some of it in each turn of the event loop. */
export interface Pace {
  /** Starts at once while this turn has weight left; otherwise in a later turn, in the order of the calls. */
  start(weight: number, work: () => void): void
}

interface Waiting {
  readonly weight: number
  readonly work: () => void
}

/**
 * A commit makes room for several requests at once, and a body is parsed in one piece. Without this all
 * of them were parsed before the event loop looked at another connection, such as that of a monitor.
 * The weight is what counts, not the time: work that continues in a promise takes its time later.
 */
export function createPace(weightPerTurn: number): Pace {
  const waiting: Waiting[] = []
  let left = weightPerTurn
  let isTurning = false

  function begin(): void {
    isTurning = false
    left = weightPerTurn
    while (waiting.length > 0 && left > 0) {
      const next = waiting.shift()
      take(next?.weight ?? 0)
      next?.work()
    }
  }

  function take(weight: number): void {
    left -= weight
    if (!isTurning) {
      isTurning = true
      setImmediate(begin)
    }
  }

  return {
    start(weight, work) {
      if (waiting.length > 0 || left <= 0) {
        waiting.push({ weight, work })
      } else {
        take(weight)
        work()
      }
    },
  }
}
