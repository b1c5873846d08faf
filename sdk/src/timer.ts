/** The longest that a timer takes: beyond it, one fires at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * @param isIdle true where the wait does not keep a process alive
 * @throws the signal's reason, where it is aborted before or meanwhile
 */
export async function waitFor(
  ms: number,
  signal?: AbortSignal | undefined,
  { isIdle = false } = {},
): Promise<void> {
  for (let restMs = ms; restMs > 0; restMs -= TIMER_MAX_MS) {
    await timer(Math.min(restMs, TIMER_MAX_MS), signal, isIdle)
  }
}

/** A pause does not keep the process alive: at its end, what is left is sent once more. */
export function waitIdle(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return waitFor(ms, signal, { isIdle: true })
}

/** The timer, which no longer keeps a process alive. A browser's timer is a number. */
export function unref<T>(timer: T): T {
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}

function timer(ms: number, signal: AbortSignal | undefined, isIdle: boolean): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(done, ms)
    if (isIdle) {
      unref(timeout)
    }
    signal?.addEventListener('abort', done)
    function done(): void {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) {
        reject(signal.reason)
      } else {
        resolve()
      }
    }
  })
}

/** The promise's value, unless the signal is aborted before. @throws the signal's reason then */
export function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) {
    return promise
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) {
      abort()
    }
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
