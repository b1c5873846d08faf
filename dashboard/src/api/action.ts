import { type Signal, useSignal } from '@preact/signals'
import { useCallback } from 'preact/hooks'

/** Something a person sets off: whether it is under way, and what was wrong with it. */
export interface Action<A extends readonly unknown[], T> {
  readonly isBusy: boolean
  readonly error: unknown
  /** Undefined when it failed; the error says why. */
  run(...args: A): Promise<T | undefined>
  clear(): void
}

export function useAction<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
): Action<A, T> {
  const isBusy = useSignal(false)
  const error: Signal<unknown> = useSignal(undefined)
  const run = async (...args: A) => {
    if (isBusy.peek()) {
      return undefined
    }
    isBusy.value = true
    error.value = undefined
    try {
      return await work(...args)
    } catch (reason) {
      error.value = reason
      return undefined
    } finally {
      isBusy.value = false
    }
  }
  const clear = useCallback(() => {
    error.value = undefined
  }, [error])
  return { isBusy: isBusy.value, error: error.value, run, clear }
}

/** What a form does when it is sent: the page stays. */
export function submits({ run }: Action<[], unknown>): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    void run()
  }
}
