export interface EndHooks {
  /** Nothing is left to do, or a signal asks to end: the process ends when this is done. */
  readonly finish: () => Promise<void>
  /** The process ends now: nothing asynchronous happens any more. */
  readonly ended: () => void
}

/**
 * Calls the hooks when the process ends, where there is one (Node, Deno, Bun). A signal ends it as
 * before, only after `finish`; where the program handles that signal itself, ending is left to it.
 * @returns what removes them
 */
export function onProcessEnd(hooks: EndHooks, signals: readonly string[]): () => void {
  if (typeof process !== 'object' || typeof process.on !== 'function') {
    return () => undefined
  }
  const beforeExit = () => void hooks.finish()
  const onSignal = async (signal: NodeJS.Signals) => {
    await hooks.finish()
    process.removeListener(signal, onSignal)
    if (process.listenerCount(signal) === 0) {
      process.kill(process.pid, signal)
    }
  }
  process.on('beforeExit', beforeExit)
  process.on('exit', hooks.ended)
  for (const signal of signals) {
    process.on(signal as NodeJS.Signals, onSignal)
  }
  return () => {
    process.removeListener('beforeExit', beforeExit)
    process.removeListener('exit', hooks.ended)
    for (const signal of signals) {
      process.removeListener(signal, onSignal)
    }
  }
}
