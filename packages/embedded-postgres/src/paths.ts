import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/** Where everything lies. The data directory may be moved or copied as a whole. */
export interface Paths {
  /** What the superuser, the database and the processes are called. */
  readonly name: string
  readonly dataDir: string
  /** The cluster: PostgreSQL's own directory. It exists only once it is complete. */
  readonly cluster: string
  readonly logFile: string
}

/** Reports what happens to the server, as a sentence and its figures. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

/** PostgreSQL's own default for the superuser and the database. */
const DEFAULT_NAME = 'postgres'

export function pathsIn(dataDir: string, name: string = DEFAULT_NAME): Paths {
  const root = resolve(dataDir)
  return {
    name,
    dataDir: root,
    cluster: join(root, 'postgres'),
    logFile: join(root, 'postgres.log'),
  }
}

/** Distinguishes data directories in names: 12 hexadecimal digits. */
export function clusterHash(paths: Paths): string {
  return createHash('sha256').update(paths.cluster).digest('hex').slice(0, 12)
}

/** The names of a server’s processes in a process list, which `isServerOf` matches. */
export function serverName(paths: Paths): string {
  return `${paths.name}-${clusterHash(paths)}`
}
