/** Ctrl-C, a terminal that is closed, and what `kill` and process managers send. */
export const END_SIGNALS = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const

/**
 * Runs work that must clean up after itself. The first signal to the process aborts the work's own; neither
 * it nor a later one ends the process before the work has ended.
 *
 * @param given ends the work as well
 */
export async function untilSignal<T>(
  work: (stopped: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const name of END_SIGNALS) {
    process.on(name, stop)
  }
  try {
    return await work(AbortSignal.any([controller.signal, ...(given ? [given] : [])]))
  } finally {
    for (const name of END_SIGNALS) {
      process.off(name, stop)
    }
  }
}

/** Resolves when the signal is aborted, also where it was before. */
export async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) {
      resolve()
    }
  })
}
