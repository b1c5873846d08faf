import type { Connection } from './connect.ts'
import { EmbeddedError, errorCode, errorText } from './error.ts'
import { pathsIn } from './paths.ts'
import { inspect } from './pidfile.ts'
import { connectionTo } from './supervise.ts'

/**
 * How to connect to the server that runs on a data directory; null when none does. It takes no lock:
 * for a second process that uses the server together with the one that started it.
 * @throws EmbeddedError FORBIDDEN when the data belongs to another user
 */
export async function findRunning(dataDir: string, name?: string): Promise<Connection | null> {
  const paths = pathsIn(dataDir, name)
  const found = await inspect(paths).catch((error: unknown) => {
    throw errorCode(error) === 'EACCES' ? unreadable(paths.dataDir, error) : error
  })
  if (found.kind !== 'running' || found.file.status !== 'ready') {
    return null
  }
  const { pid, port, socketDir: host } = found.file
  return connectionTo(paths, { pid, how: 'attached', host, port })
}

function unreadable(dataDir: string, error: unknown): EmbeddedError {
  return new EmbeddedError(
    'FORBIDDEN',
    `The data in ${dataDir} belongs to another user: ${errorText(error)}. Run this as that user or as root.`,
    { cause: error },
  )
}
