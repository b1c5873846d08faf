import { startInterval } from '../../../src/lib/interval.ts'
import type { ProgressStream } from '../command.ts'
import { grouped } from '../output.ts'

export interface Progress {
  readonly note: (text: string) => void
  readonly stop: () => void
}

const BAR_WIDTH = 30
/** A bar should move; a log should stay short. */
const BAR_EVERY_MS = 200
const LINE_EVERY_MS = 5_000

/** Shows progress until it is stopped: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(out: ProgressStream, total: number, doneOf: () => number): Progress {
  const bar = out.isTTY === true
  const started = performance.now()
  let stopped = false
  const show = () => {
    const done = doneOf()
    const text = describe(done, total, (performance.now() - started) / 1000)
    out.write(bar ? `\r\x1b[K${drawBar(done / total)} ${text}` : `${text}\n`)
  }
  const shown = startInterval({ everyMs: bar ? BAR_EVERY_MS : LINE_EVERY_MS, work: show })
  return {
    note: (text) => void out.write(bar ? `\r\x1b[K${text}\n` : `${text}\n`),
    stop() {
      if (stopped) {
        return
      }
      stopped = true
      void shown.stop()
      show()
      if (bar) {
        out.write('\n')
      }
    },
  }
}

function describe(done: number, total: number, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0
  const share = total > 0 ? Math.floor((100 * done) / total) : 100
  const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : 'just started'
  return `${grouped(done)} of ${grouped(total)} events, ${share} %, ${grouped(Math.round(rate))}/s, ${left}`
}

function drawBar(share: number): string {
  const full = Math.round(BAR_WIDTH * Math.min(1, share))
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`
}
