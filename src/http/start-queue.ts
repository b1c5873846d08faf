/** Starts requests, a few milliseconds' worth of them in each turn of the event loop. */
export interface StartQueue {
  /** Starts at once while this turn has time left; otherwise in a later turn, in the order of the calls. */
  add(start: () => void): void
}

/** Many connections that send at once would otherwise keep all others waiting until each has its response. */
const TURN_MS = 5

export function createStartQueue(now: () => number = () => performance.now()): StartQueue {
  const waiting: (() => void)[] = []
  let startedAt: number | null = null

  function isOver(): boolean {
    return startedAt !== null && now() - startedAt > TURN_MS
  }

  /** Begins a turn with the requests that wait. */
  function begin(): void {
    startedAt = waiting.length > 0 ? now() : null
    let started = 0
    while (started < waiting.length && !isOver()) {
      waiting[started++]?.()
    }
    waiting.splice(0, started)
    if (startedAt !== null) {
      setImmediate(begin)
    }
  }

  return {
    add(start) {
      if (startedAt === null) {
        startedAt = now()
        setImmediate(begin)
      }
      if (waiting.length > 0 || isOver()) {
        waiting.push(start)
      } else {
        start()
      }
    },
  }
}
