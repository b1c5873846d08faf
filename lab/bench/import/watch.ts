import { readFileSync } from 'node:fs'
import { startInterval } from '../../../src/lib/interval.ts'

/** Memory of processes, once a second. */
export interface Watch {
  /** In MB, one for each second; `NaN` where a process was not there. */
  readonly service: readonly number[]
  readonly command: readonly number[]
  end(): Promise<void>
}

/** Watches processes, which may be replaced meanwhile. */
export function watchMemory(pids: {
  readonly service: () => number
  readonly command: () => number
}): Watch {
  const service: number[] = []
  const command: number[] = []
  const { stop: end } = startInterval({
    everyMs: 1_000,
    work() {
      service.push(memoryMb(pids.service()))
      command.push(memoryMb(pids.command()))
    },
  })
  return { service, command, end }
}

/** What a process has in memory; NaN where it is not there, or there is no /proc. */
export function memoryMb(pid: number): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb) / 1_000
  } catch {
    return Number.NaN
  }
}

/** The greatest of each quarter of the time, which shows whether memory grows. */
export function quarterMaxima(series: readonly number[]): readonly number[] {
  const known = series.filter((mb) => !Number.isNaN(mb))
  return [0, 1, 2, 3].map((i) => {
    const part = known.slice((i * known.length) / 4, ((i + 1) * known.length) / 4)
    return Math.round(part.reduce((a, b) => Math.max(a, b), 0))
  })
}
