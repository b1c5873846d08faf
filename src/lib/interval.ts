/** Work that is repeated until it is stopped. */
export interface Interval {
  /** Starts a round now, or right after the running one, so that a round begins after every call. */
  wake(): void
  /** No round starts after this. Resolves when the one that runs has ended. */
  stop(): Promise<void>
}

/** When rounds of work begin. */
export interface Schedule {
  readonly everyMs: number
  /** When to try again after a round that failed; by default the next round is due as ever. */
  readonly retryMs?: number | undefined
  /** When the first round starts, for work that does not wait for `everyMs`. */
  readonly startsAfterMs?: number | undefined
}

export interface IntervalOptions extends Schedule {
  readonly work: () => unknown
  /** A round that fails is reported here; the next one still runs. By default it ends the process. */
  readonly onError?: (error: unknown) => void
}

/**
 * Repeats work. A round never overlaps the one before: while one runs, the next is left out. The
 * timer does not keep the process alive.
 */
export function startInterval({
  everyMs,
  retryMs,
  work,
  onError = rethrow,
  startsAfterMs,
}: IntervalOptions): Interval {
  let running: Promise<void> | null = null
  let isWoken = false
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

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
    clearTimeout(retry)
    try {
      await work()
    } catch (error) {
      onError(error)
      if (retryMs !== undefined && !isStopped) {
        retry = setTimeout(start, retryMs).unref()
      }
    }
  }

  const start = () => {
    running ??= rounds()
  }
  const timer = setInterval(start, everyMs).unref()
  const first = startsAfterMs === undefined ? undefined : setTimeout(start, startsAfterMs).unref()
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
      clearTimeout(first)
      clearTimeout(retry)
      await running
    },
  }
}

function rethrow(error: unknown): never {
  throw error
}
