import { vi } from 'vitest'

/** Long enough for a busy machine, and half of what a test has; a check that passes does not wait. */
const TIMEOUT_MS = 60_000

/** Resolves with what `check` returns once it no longer throws; then with what it threw. */
export function eventually<T>(
  check: () => T | Promise<T>,
  { interval = 10 }: { readonly interval?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval })
}
