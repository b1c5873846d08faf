import { EmbeddedError } from './error.ts'
import type { Paths } from './paths.ts'
import { isAlive, isServerOf } from './process.ts'
import { until } from './wait.ts'

/**
 * A fast shutdown writes memory to disk within a second or two. It is cut short before the supervisor
 * of this process kills it: Docker after 10 s, Kubernetes after 30 s.
 */
const STOP_WITHIN_MS = 8 * 1000

/** On SIGQUIT the server kills its processes after 5 s if they have not ended. */
const QUIT_WITHIN_MS = 10 * 1000

/** How soon the end of the server is noticed. */
const POLL_MS = 5

/**
 * Stops a server: ends its sessions and writes everything to disk. If that takes too long, or with
 * `immediate`, it is stopped at once; nothing committed is lost, but the next start has to recover.
 */
export async function stopServer(
  paths: Paths,
  pid: number,
  manner: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  if (!(await isServerOf(pid, paths))) {
    return
  }
  const gone = async () => !(await isAlive(pid))
  const signals = [
    ['SIGINT', STOP_WITHIN_MS],
    ['SIGQUIT', QUIT_WITHIN_MS],
  ] as const
  for (const [signal, withinMs] of signals.slice(manner === 'fast' ? 0 : 1)) {
    send(pid, signal)
    if (await until(gone, POLL_MS, withinMs)) {
      return
    }
  }
  throw new EmbeddedError(
    'STOP_FAILED',
    `PostgreSQL (pid ${pid}) does not stop; its disk probably hangs. See ${paths.logFile}.`,
  )
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}
