import { setTimeout as sleep } from 'node:timers/promises'

/** Waits. @throws AbortError as soon as `signal` is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {})
}

/** Calls `check` every `everyMs` until it returns true; false if it has not within `withinMs`. */
export async function until(
  check: () => Promise<boolean>,
  everyMs: number,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await check())) {
    if (performance.now() >= deadline) {
      return false
    }
    await pause(everyMs)
  }
  return true
}
