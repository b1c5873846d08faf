import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, and throws an AbortError the moment `signal` says stop. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {})
}

/** Asks `check` every `everyMs` until it says yes (true) or `withinMs` have passed (false). */
export async function until(
  check: () => Promise<boolean>,
  everyMs: number,
  withinMs: number,
): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (!(await check())) {
    if (Date.now() >= deadline) {
      return false
    }
    await pause(everyMs)
  }
  return true
}
