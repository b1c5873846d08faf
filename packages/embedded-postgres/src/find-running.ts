import type { Connection } from './connect.ts'
import { pathsIn } from './paths.ts'
import { inspect } from './pidfile.ts'
import { connectionTo } from './supervise.ts'

/**
 * How to connect to the server that runs on a data directory; null when none does. It takes no lock:
 * for a second process that uses the server together with the one that started it.
 */
export async function findRunning(dataDir: string, name?: string): Promise<Connection | null> {
  const paths = pathsIn(dataDir, name)
  const found = await inspect(paths)
  if (found.kind !== 'running' || found.file.status !== 'ready') {
    return null
  }
  const { pid, port, socketDir: host } = found.file
  return connectionTo(paths, { pid, how: 'attached', host, port })
}
