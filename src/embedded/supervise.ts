import { mkdir } from 'node:fs/promises'
import { prepareBinaries, removeOldCopies, versionOf } from './binaries.ts'
import { EmbeddedError, errorCode, errorText } from './error.ts'
import { findNative } from './find.ts'
import { clusterVersion, initialise } from './initialise.ts'
import { type Connection, type Lock, takeLock } from './lock.ts'
import { trimLog } from './logfile.ts'
import { type Log, type Place, placeIn } from './place.ts'
import { openServer, type Server, type Setup, stopServer } from './start.ts'
import { chooseUser, claimCluster } from './user.ts'
import { pause } from './wait.ts'

export type EmbeddedOptions = {
  /** Where the database lives; made if it is not there. */
  readonly dataDir: string
  readonly log?: Log
  /** PostgreSQL settings in place of ours, `{ shared_buffers: '512MB' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** A directory with `bin`, `lib` and `share` in place of the npm package's. */
  readonly native?: string
}

export type Embedded = {
  readonly connection: Connection
  /** Made anew, started on data that was there, or found running after a crash of ours. */
  readonly how: 'initialised' | 'started' | 'adopted'
  /** Of the server as it runs now; it changes when the server had to be restarted. */
  readonly pid: number
  /** Stops the server and gives up the data directory. */
  stop(): Promise<void>
}

/** What every connection names; the superuser, since the server has no other purpose than us. */
const NAME = 'standing'

/** The pause before a restart: none at first, then doubling up to the second, for ever. */
const RESTART_FIRST_MS = 50
const RESTART_MAX_MS = 5000

/** A server that stayed up this long had recovered: the next restart is again without a pause. */
const STABLE_AFTER_MS = 60_000

/** Often enough for a log that an application in distress fills. */
const TRIM_LOG_EVERY_MS = 10 * 60 * 1000

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
  if (version) await refuseOtherVersion(place, version, native)
  const binaries = await prepareBinaries(native, place, user, log)
  if (!version) await initialise(place, binaries, user, log)
  await claimCluster(place, user, log)

  const setup = { place, binaries, user, settings: options.settings ?? {}, log }
  const server = await openServer(setup)
  const lock = await takeLock(connectionTo(server)).catch(async (error: unknown) => {
    // Without a claim nothing of ours may stay behind; but a server that another holds is his.
    const isHeld = error instanceof EmbeddedError && error.code === 'HELD'
    if (server.how === 'started' && !isHeld) await stopServer(place, server.pid)
    throw error
  })
  if (server.how === 'started') await removeOldCopies(native, place)
  const how = server.how === 'started' && !version ? 'initialised' : server.how
  log(`PostgreSQL ${how}`, { pid: server.pid, socket: server.host })
  return new Supervisor(setup, server, lock, how)
}

class Supervisor implements Embedded {
  readonly connection: Connection
  readonly how: Embedded['how']
  readonly #setup: Setup
  readonly #stopping = new AbortController()
  readonly #trimmer: NodeJS.Timeout
  #server: Server
  /** Undefined while the server is away, or ours no longer. */
  #lock: Lock | undefined
  #recovery: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | undefined
  #upSince = Date.now()
  #delayMs = 0

  constructor(setup: Setup, server: Server, lock: Lock, how: Embedded['how']) {
    this.#setup = setup
    this.#server = server
    this.connection = connectionTo(server)
    this.how = how
    this.#watch(lock)
    this.#trimmer = setInterval(() => {
      trimLog(setup.place).catch((error: unknown) => {
        setup.log('the log of PostgreSQL could not be shortened', { error: errorText(error) })
      })
    }, TRIM_LOG_EVERY_MS).unref()
  }

  get pid(): number {
    return this.#server.pid
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  /** The lock's session tells of a server's death and of a crash inside it alike, and at once. */
  #watch(lock: Lock): void {
    this.#lock = lock
    lock.onLost(() => {
      this.#lock = undefined
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    const { log } = this.#setup
    const { signal } = this.#stopping
    log('the connection to PostgreSQL is lost, bringing it back', { pid: this.pid })
    if (Date.now() - this.#upSince > STABLE_AFTER_MS) this.#delayMs = 0
    while (!signal.aborted) {
      try {
        await pause(this.#delayMs, signal)
        this.#delayMs = Math.min(RESTART_MAX_MS, this.#delayMs * 2 || RESTART_FIRST_MS)
        this.#server = await openServer(this.#setup, signal)
        const lock = await takeLock(this.connection, signal)
        this.#upSince = Date.now()
        log('PostgreSQL is back', { pid: this.pid, how: this.#server.how })
        return this.#watch(lock)
      } catch (error) {
        if (signal.aborted) return
        log('PostgreSQL is not back yet', { error: errorText(error), nextTryMs: this.#delayMs })
      }
    }
  }

  async #stop(): Promise<void> {
    clearInterval(this.#trimmer)
    this.#stopping.abort()
    await this.#recovery
    // Without the lock the server is perhaps another process's by now: not ours to stop. The lock is
    // kept until it is down, so that nobody adopts a server that is about to go.
    const lock = this.#lock ?? (await takeLock(this.connection).catch(() => undefined))
    if (!lock) return
    await stopServer(this.#setup.place, this.pid)
    await lock.release()
    this.#setup.log('PostgreSQL stopped', { pid: this.pid })
  }
}

function connectionTo(server: Server): Connection {
  return { host: server.host, port: server.port, user: NAME, database: NAME }
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
  if (found === ours) return
  throw new EmbeddedError(
    'WRONG_VERSION',
    `The database in ${place.cluster} was written by PostgreSQL ${found}, and ${ours} comes along ` +
      'now; neither reads the other. Nothing was touched. Go back to the version of Standing that ' +
      'wrote it and export (pg_dump), or move the directory away to begin anew.',
  )
}
