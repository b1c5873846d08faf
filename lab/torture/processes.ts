import { readdirSync, readFileSync } from 'node:fs'

/** A server with all the processes that it has started. */
export function family(server: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === server)
    .map(Number)
  return [server, ...children]
}

/** The second field behind the name in parentheses; 0 for a process that has ended. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
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
