import { mkdir } from 'node:fs/promises'
import { prepareBinaries, removeOldCopies, versionOf } from './binaries.ts'
import { EmbeddedError, errorCode, errorText } from './error.ts'
import { findBinaries } from './find-binaries.ts'
import { clusterVersion, initialise } from './initialise.ts'
import type { Server, Setup } from './launch.ts'
import { isInUse, type Lock, takeLock } from './lock.ts'
import { type Log, type Paths, pathsIn } from './paths.ts'
import { openServer } from './start.ts'
import { stopServer } from './stop.ts'
import { connectionTo, type Embedded, Supervisor } from './supervise.ts'
import { chooseUser, claimCluster } from './user.ts'
import { pause } from './wait.ts'

export interface EmbeddedOptions {
  /** Where the data lies; created if it does not exist. */
  readonly dataDir: string
  /**
   * What the superuser, the database and the processes are called; `postgres` by default. The same at
   * each start on a data directory.
   */
  readonly name?: string
  readonly log?: Log
  /** PostgreSQL settings in place of the built-in ones: `{ shared_buffers: '512MB' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The `native` directory of a binaries package that is installed elsewhere. */
  readonly native?: string
}

/**
 * Starts the PostgreSQL of `dataDir`, or attaches to the one that runs, and keeps it running until
 * `stop` is called. @throws EmbeddedError
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const paths = pathsIn(options.dataDir, options.name)
  try {
    return await open(paths, options)
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(paths, error)
  }
}

async function open(paths: Paths, options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => {})
  const native = options.native ?? findBinaries()
  await mkdir(paths.dataDir, { recursive: true, mode: 0o700 })
  const user = await chooseUser(paths)
  const version = await clusterVersion(paths)
  if (version) {
    await refuseOtherVersion(paths, version, native)
  } else {
    const binaries = await prepareBinaries(native, paths, user, log)
    await initialise(paths, binaries, user, log)
  }
  await claimCluster(paths, user, log)

  const setup = { paths, native, user, settings: options.settings ?? {}, log }
  const { server, lock } = await openLocked(setup)
  if (server.how === 'started') {
    await removeOldCopies(native, paths)
  }
  const how = server.how === 'started' && !version ? 'initialised' : server.how
  log(`PostgreSQL ${how}`, { postgresPid: server.pid, socket: server.host })
  return new Supervisor(setup, server, lock, how)
}

/** How often, and how soon, a server is started again that died while this process attached to it. */
const OPENINGS_MAX = 20
const OPEN_AGAIN_AFTER_MS = 50

/** The server, locked for this process. If it exits now, it is restarted. */
async function openLocked(setup: Setup): Promise<{ server: Server; lock: Lock }> {
  for (let opening = 1; ; opening++) {
    const server = await openServer(setup)
    try {
      return { server, lock: await takeLock(setup.paths, connectionTo(setup.paths, server)) }
    } catch (error) {
      // A server started here must not stay behind, unless another process has locked it meanwhile.
      if (server.how === 'started' && !isInUse(error)) {
        await stopServer(setup.paths, server.pid)
      }
      if (server.how === 'started' || !isConnectionLost(error) || opening === OPENINGS_MAX) {
        throw error
      }
    }
    await pause(OPEN_AGAIN_AFTER_MS)
  }
}

function isConnectionLost(error: unknown): boolean {
  const lost = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOENT']
  return lost.includes(errorCode(error) ?? '') || /terminated/.test(errorText(error))
}

/** An error of the operating system as one that says what to do. */
function explain(paths: Paths, error: unknown): EmbeddedError {
  if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) {
    return new EmbeddedError(
      'FORBIDDEN',
      `The data directory ${paths.dataDir} cannot be used: ${errorText(error)}. Change its owner ` +
        '(chown), or use a directory that this user can write to.',
      { cause: error },
    )
  }
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL could not be started in ${paths.dataDir}: ${errorText(error)}. Its log is ` +
      `${paths.logFile}.`,
    { cause: error },
  )
}

async function refuseOtherVersion(paths: Paths, found: string, native: string): Promise<void> {
  const installed = (await versionOf(native)).split('.')[0]
  if (found === installed) {
    return
  }
  throw new EmbeddedError(
    'WRONG_VERSION',
    `The data in ${paths.cluster} was written by PostgreSQL ${found}; the installed version is ` +
      `${installed} and cannot read it. Nothing was changed. Export the data with the version that ` +
      'wrote it (pg_dump), or move the directory away to start with an empty database.',
  )
}
