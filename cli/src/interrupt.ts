import { END_SIGNALS } from './until-signal.ts'

type Undo = () => Promise<unknown>

const undos = new Set<Undo>()
let isEnding = false

/**
 * Runs `undo` where a signal ends the process, which it otherwise does at once and leaves behind what
 * was begun. Of several, the last comes first; a second signal waits for none of them.
 *
 * @returns to be called when nothing is left to undo. It does not resolve once a signal has come: the
 *   process ends by that, and what it fails in meanwhile is not reported.
 */
export function undoneIfInterrupted(undo: Undo): () => Promise<void> {
  if (undos.size === 0 && !isEnding) {
    setHandlers('once')
  }
  undos.add(undo)
  return async () => {
    if (isEnding) {
      await new Promise(() => {})
    }
    undos.delete(undo)
    if (undos.size === 0) {
      setHandlers('off')
    }
  }
}

function setHandlers(how: 'once' | 'off'): void {
  for (const signal of END_SIGNALS) {
    process[how](signal, end)
  }
}

async function end(signal: NodeJS.Signals): Promise<void> {
  isEnding = true
  setHandlers('off')
  for (const undo of [...undos].reverse()) {
    await undo().catch(() => {})
  }
  process.kill(process.pid, signal)
}
