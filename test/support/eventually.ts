import { vi } from 'vitest'

/** Long enough for a busy machine, and half of what a test has; a check that passes does not wait. */
const TIMEOUT_MS = 60_000

const EVERY_MS = 10

/** A tenth of a second: a check is often a request, and keeps a processor from what it waits for. */
const LEFT_OUT_MAX = 9

/** Resolves with what `check` returns once it no longer throws; fails with what it threw last. */
export function eventually<T>(
  check: () => T | Promise<T>,
  { interval }: { readonly interval?: number } = {},
): Promise<T> {
  return interval === undefined
    ? vi.waitFor(lessAndLess(check), { timeout: TIMEOUT_MS, interval: EVERY_MS })
    : vi.waitFor(check, { timeout: TIMEOUT_MS, interval })
}

/** Of its calls more and more are left out, as the wait goes on; these fail as the last one did. */
function lessAndLess<T>(check: () => T | Promise<T>): () => Promise<T> {
  let calls = 0
  let next = 0
  let failure: unknown
  return async () => {
    calls++
    if (calls < next) {
      throw failure
    }
    try {
      return await check()
    } catch (error) {
      failure = error
      next = calls + 1 + Math.min(Math.floor(calls / 2), LEFT_OUT_MAX)
      throw error
    }
  }
}
