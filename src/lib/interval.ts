/** Work that is repeated until it is stopped. */
export interface Interval {
  /** Starts a round now, or right after the running one, so that a round begins after every call. */
  wake(): void
  /** No round starts after this. Resolves when the one that runs has ended. */
  stop(): Promise<void>
}

export interface IntervalOptions {
  readonly everyMs: number
  readonly work: () => unknown
  /** A round that fails is reported here; the next one still runs. By default it ends the process. */
  readonly onError?: (error: unknown) => void
  /** Whether the first round starts at once rather than after `everyMs`. By default it does not. */
  readonly startsAtOnce?: boolean
}

/**
 * Repeats work. A round never overlaps the one before: while one runs, the next is left out. The
 * timer does not keep the process alive.
 */
export function startInterval({
  everyMs,
  work,
  onError = rethrow,
  startsAtOnce = false,
}: IntervalOptions): Interval {
  let running: Promise<void> | null = null
  let isWoken = false
  let isStopped = false

  async function rounds(): Promise<void> {
    try {
      do {
        isWoken = false
        await round()
      } while (isWoken && !isStopped)
    } finally {
      running = null
    }
  }

  async function round(): Promise<void> {
    try {
      await work()
    } catch (error) {
      onError(error)
    }
  }

  const start = () => {
    running ??= rounds()
  }
  const timer = setInterval(start, everyMs).unref()
  if (startsAtOnce) {
    start()
  }
  return {
    wake() {
      isWoken = true
      if (!isStopped) {
        start()
      }
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

function rethrow(error: unknown): never {
  throw error
}
