import { mkdir } from 'node:fs/promises'
import { prepareBinaries, removeOldCopies, versionOf } from './binaries.ts'
import { EmbeddedError, errorCode, errorText } from './error.ts'
import { findNative } from './find.ts'
import { clusterVersion, initialise } from './initialise.ts'
import { isHeld, type Lock, takeLock } from './lock.ts'
import { type Log, type Place, placeIn } from './paths.ts'
import { openServer, type Server, type Setup } from './start.ts'
import { stopServer } from './stop.ts'
import { connectionTo, type Embedded, Supervisor } from './supervise.ts'
import { chooseUser, claimCluster } from './user.ts'
import { pause } from './wait.ts'

export interface EmbeddedOptions {
  /** Where the database lives; made if it is not there. */
  readonly dataDir: string
  readonly log?: Log
  /** PostgreSQL settings in place of ours, `{ shared_buffers: '512MB' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The `native` directory of such a package that lies elsewhere. */
  readonly native?: string
}

/**
 * Brings up the PostgreSQL in `dataDir` and keeps it up until `stop` is called. It is reached by a
 * Unix socket only. Throws EmbeddedError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const place = placeIn(options.dataDir)
  try {
    return await bringUp(place, options)
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(place, error)
  }
}

async function bringUp(place: Place, options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => {})
  const native = options.native ?? findNative()
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
  const user = await chooseUser(place)
  const version = await clusterVersion(place)
  if (version) {
    await refuseOtherVersion(place, version, native)
  }
  if (!version) {
    const binaries = await prepareBinaries(native, place, user, log)
    await initialise(place, binaries, user, log)
  }
  await claimCluster(place, user, log)

  const setup = { place, native, user, settings: options.settings ?? {}, log }
  const { server, lock } = await openClaimed(setup)
  if (server.how === 'started') {
    await removeOldCopies(native, place)
  }
  const how = server.how === 'started' && !version ? 'initialised' : server.how
  log(`PostgreSQL ${how}`, { postgresPid: server.pid, socket: server.host })
  return new Supervisor(setup, server, lock, how)
}

/** How often, and how soon, a server that died while it was being adopted is opened anew. */
const OPENINGS_MAX = 20
const OPEN_AGAIN_AFTER_MS = 50

/** The server with our claim on it. One found in the moment it was dying is opened anew. */
async function openClaimed(setup: Setup): Promise<{ server: Server; lock: Lock }> {
  for (let opening = 1; ; opening++) {
    const server = await openServer(setup)
    try {
      return { server, lock: await takeLock(connectionTo(server)) }
    } catch (error) {
      // Without a claim nothing of ours may stay behind; but a server that another holds is his.
      if (server.how === 'started' && !isHeld(error)) {
        await stopServer(setup.place, server.pid)
      }
      if (server.how === 'started' || !isLost(error) || opening === OPENINGS_MAX) {
        throw error
      }
    }
    await pause(OPEN_AGAIN_AFTER_MS)
  }
}

function isLost(error: unknown): boolean {
  const lost = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOENT']
  return lost.includes(errorCode(error) ?? '') || /terminated/.test(errorText(error))
}

/** What the operating system refused, as an error that says what to do. */
function explain(place: Place, error: unknown): EmbeddedError {
  if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) {
    return new EmbeddedError(
      'FORBIDDEN',
      `The data directory ${place.dataDir} cannot be used: ${errorText(error)}. Hand it over with ` +
        'chown, or set STANDING_DATA_DIR to a directory this user may write to.',
      { cause: error },
    )
  }
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL could not be brought up in ${place.dataDir}: ${errorText(error)}. Its log is ` +
      `${place.logFile}.`,
    { cause: error },
  )
}

async function refuseOtherVersion(place: Place, found: string, native: string): Promise<void> {
  const ours = (await versionOf(native)).split('.')[0]
  if (found === ours) {
    return
  }
  throw new EmbeddedError(
    'WRONG_VERSION',
    `The database in ${place.cluster} was written by PostgreSQL ${found}, and ${ours} comes along ` +
      'now; neither reads the other. Nothing was touched. Go back to the version of Standing that ' +
      'wrote it and export (pg_dump), or move the directory away to begin anew.',
  )
}
