import { overloaded } from '../domain/error.ts'

/** What long work asks between its steps: throws when it is to end. An `AbortSignal` is one. */
export type AbortCheck = Pick<AbortSignal, 'throwIfAborted'>

/** Ends work that takes longer than this, or whose request has ended, with SERVICE_UNAVAILABLE. */
export function signalAfter(maxMs: number, isGone: () => boolean = () => false): AbortCheck {
  const until = performance.now() + maxMs
  return {
    throwIfAborted() {
      if (isGone() || performance.now() > until) {
        throw overloaded('the answer could not be computed in time; retry')
      }
    },
  }
}
