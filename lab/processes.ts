import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000

/** A process with all those that it has started. */
export function family(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)?.[1]) === pid)
    .map(Number)
  return [pid, ...children]
}

/** Sends a signal to each that is still there: processes may end meanwhile. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ESRCH') {
        throw error
      }
    }
  }
}

/** Processor time that a process has used; null where there is no /proc. */
export function cpuUs(pid: number): number | null {
  const stat = statOf(pid)
  return stat && (Number(stat[11]) + Number(stat[12])) * TICK_US
}

/** Of a process, its children, and those of them that have ended. */
export function familyUs(pid: number): number | null {
  const stat = statOf(pid)
  if (!stat) {
    return null
  }
  const ended = (Number(stat[13]) + Number(stat[14])) * TICK_US
  return family(pid).reduce((sum, one) => sum + (cpuUs(one) ?? 0), ended)
}

/** The fields behind the process's name in parentheses: its state first, then its parent. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
