import { EmbeddedError } from './error.ts'
import { type Place, serverName } from './paths.ts'
import { isAlive, isServerOf } from './process.ts'
import { until } from './wait.ts'

/**
 * A fast shutdown writes what is in memory to disk, a matter of a second or two. It is cut short
 * before those who stop us lose their patience: 10 s for Docker, 30 s for Kubernetes.
 */
const STOP_WITHIN_MS = 8 * 1000

/** On SIGQUIT the server kills, after 5 s, whatever did not leave by itself. */
const QUIT_WITHIN_MS = 10 * 1000

/** How soon a server that has left is noticed. */
const POLL_MS = 5

/**
 * Stops a server: sessions are ended, all is written. One that does not leave in time is told to
 * leave at once, as is any when `immediate` is asked for; nothing committed is lost that way either,
 * but the next start has to replay the log.
 */
export async function stopServer(
  place: Place,
  pid: number,
  manner: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  if (!(await isServerOf(pid, place.cluster, serverName(place)))) {
    return
  }
  const gone = async () => !(await isAlive(pid))
  const patience = [
    ['SIGINT', STOP_WITHIN_MS],
    ['SIGQUIT', QUIT_WITHIN_MS],
  ] as const
  for (const [signal, withinMs] of patience.slice(manner === 'fast' ? 0 : 1)) {
    send(pid, signal)
    if (await until(gone, POLL_MS, withinMs)) {
      return
    }
  }
  throw new EmbeddedError(
    'STOP_FAILED',
    `PostgreSQL (pid ${pid}) does not stop; its disk most likely hangs. See ${place.logFile}.`,
  )
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone already.
  }
}
