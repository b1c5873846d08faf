import type { Connection } from './connect.ts'
import { placeIn, serverName } from './paths.ts'
import { inspect } from './pidfile.ts'
import { connectionTo } from './supervise.ts'

/**
 * How to reach the server that runs on a data directory just now, without laying claim to it; null
 * when none does. For those who look in from beside, such as a command while the service runs.
 */
export async function findRunning(dataDir: string): Promise<Connection | null> {
  const place = placeIn(dataDir)
  const found = await inspect(place.cluster, serverName(place))
  if (found.kind !== 'running' || found.file.status !== 'ready') {
    return null
  }
  const { pid, port, socketDir: host } = found.file
  return connectionTo({ pid, how: 'adopted', host, port })
}
