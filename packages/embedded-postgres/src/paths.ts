import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/** Where everything lies; the data directory may be moved or copied as a whole. */
export interface Place {
  readonly dataDir: string
  /** The database's own directory. It exists only once it is complete. */
  readonly cluster: string
  readonly logFile: string
}

/** Told what happens to the database, in a sentence, with the figures beside it. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

export function placeIn(dataDir: string): Place {
  const root = resolve(dataDir)
  return { dataDir: root, cluster: join(root, 'postgres'), logFile: join(root, 'postgres.log') }
}

/** What tells one data directory from another in a name: 12 hexadecimal digits. */
export function clusterHash(place: Place): string {
  return createHash('sha256').update(place.cluster).digest('hex').slice(0, 12)
}

/** What our servers are called, in a process list and by `isServerOf`. */
export function serverName(place: Place): string {
  return `standing-${clusterHash(place)}`
}
