/**
 * A value, or a promise of it. What is in memory is passed on at once: a promise costs a turn of the
 * queue of microtasks, and a read of a cached score would take a dozen.
 */
export type Awaitable<T> = T | Promise<T>

/** Continues with a value: at once where it is there, otherwise when the promise resolves. */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
