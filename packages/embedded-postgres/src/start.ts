import { spawn } from 'node:child_process'
import { prepareBinaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import { logSince, logSize, openLog, trimLog } from './logfile.ts'
import { type Log, type Place, serverName } from './paths.ts'
import { discard, discardSocketLock, inspect, type PidFile } from './pidfile.ts'
import { dataArgument, identity, programEnv } from './run.ts'
import { settingArguments } from './settings.ts'
import { PORT, type SocketPlace, socketAside, socketPlace } from './socket.ts'
import { stopServer } from './stop.ts'
import type { User } from './user.ts'
import { pause } from './wait.ts'

/** All that is needed to start the server, found out once and used again at each restart. */
export interface Setup {
  readonly place: Place
  /** Where the binaries are; looked at anew for each start, since a copy of them may be gone. */
  readonly native: string
  readonly user: User
  readonly settings: Readonly<Record<string, string>>
  readonly log: Log
}

export interface Server {
  readonly pid: number
  readonly how: 'started' | 'adopted'
  /** The directory of its socket, and the port that is part of the socket's name. */
  readonly host: string
  readonly port: number
}

/** A start takes some 30 ms; looking this often adds little to it and costs nothing. */
const POLL_MS = 5

/** Replaying the log after a crash is bounded by max_wal_size; slow disks need minutes for it. */
const READY_WITHIN_MS = 5 * 60 * 1000

/** How long the last backends of a server that was killed may take to notice, or a rival to win. */
const RETRY_WITHIN_MS = 10 * 1000

/** What PostgreSQL says when it has to wait for others to go; trying again is all there is to do. */
const BUSY = /is still in use|lock file ".*" already exists|lock file ".*" is empty/

/** What it says when the file system of its directory takes no sockets (some mounted ones do not). */
const NO_SOCKET = /could not create any Unix-domain sockets/

/** Adopts the server that runs, or starts one; resolves once it accepts connections. */
export async function openServer(setup: Setup, signal?: AbortSignal): Promise<Server> {
  const { place, log } = setup
  const deadline = Date.now() + READY_WITHIN_MS
  let retryUntil: number | undefined
  let socket = await socketPlace(place, setup.user)
  for (;;) {
    const found = await inspect(place.cluster, serverName(place))
    if (found.kind === 'foreign') {
      throw held(place, found.file)
    }
    if (found.kind === 'running' && found.file.status === 'ready') {
      return adopted(found.file)
    }
    if (found.kind === 'running' || found.kind === 'unclear') {
      if (Date.now() > deadline) {
        throw notReady(place)
      }
      await pause(POLL_MS, signal)
      continue
    }
    if (found.kind === 'stale') {
      log('removing the pid file of a server that is gone')
      await discard(place.cluster, found.text)
    }
    retryUntil ??= Date.now() + RETRY_WITHIN_MS
    await discardSocketLock(socket.host, place.cluster, serverName(place))
    const said = await launch(setup, socket, deadline, signal)
    if (typeof said !== 'string') {
      return said
    }
    if (NO_SOCKET.test(said) && socket.setting === '.') {
      log('no socket can be made in the data directory, making it in the temporary directory')
      socket = await socketAside(place, setup.user)
      continue
    }
    if (!BUSY.test(said) || Date.now() > retryUntil) {
      throw startFailed(place, said)
    }
    await pause(POLL_MS * 4, signal)
  }
}

/** Starts a server. It outlives us, so that our crash is not its crash. Its words, if it refuses. */
async function launch(
  setup: Setup,
  socket: SocketPlace,
  deadline: number,
  signal?: AbortSignal,
): Promise<Server | string> {
  const { place, user, settings } = setup
  const binaries = await prepareBinaries(setup.native, place, user, setup.log)
  await trimLog(place)
  const offset = await logSize(place)
  const name = serverName(place)
  const options = await settingArguments(socket.setting, name, settings)
  const output = await openLog(place, user)
  const child = spawn(
    binaries.postgres,
    ['-D', dataArgument(place.cluster, user), '-p', String(PORT), ...options],
    {
      cwd: place.cluster,
      env: programEnv(),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      ...identity(user),
    },
  )
  child.unref()
  let end: { readonly said?: string } | undefined
  child.on('exit', () => {
    end = {}
  })
  child.on('error', (error) => {
    end = { said: error.message }
  })
  try {
    while (!end) {
      const found = await inspect(place.cluster, name)
      if (found.kind === 'running' && found.file.pid === child.pid) {
        if (found.file.status === 'ready') {
          return { ...adopted(found.file), how: 'started' }
        }
      }
      if (Date.now() > deadline) {
        throw notReady(place)
      }
      await pause(POLL_MS, signal)
    }
  } catch (error) {
    // Told to stop, we leave no server behind. One that is merely slow goes on, to be adopted later.
    if (signal?.aborted && child.pid !== undefined) {
      await stopServer(place, child.pid, 'immediate')
    }
    throw error
  } finally {
    await output.close()
  }
  return end.said ?? (await logSince(place, offset))
}

function adopted(file: PidFile): Server {
  return { pid: file.pid, how: 'adopted', host: file.socketDir, port: file.port }
}

function held(place: Place, file: PidFile): EmbeddedError {
  return new EmbeddedError(
    'HELD',
    `A PostgreSQL that this process cannot see (pid ${file.pid} where it runs, perhaps in another ` +
      `container) serves ${place.cluster}. Stop what runs it, or set STANDING_DATA_DIR to another ` +
      'directory. To run several nodes, let them share a DATABASE_URL.',
  )
}

function startFailed(place: Place, said: string): EmbeddedError {
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL did not start. It says: ${said || 'nothing'}\nIts log is ${place.logFile}. Mend what ` +
      'it names, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

function notReady(place: Place): EmbeddedError {
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL was not ready within ${READY_WITHIN_MS / 60_000} minutes. It goes on; see ` +
      `${place.logFile}, and start again when it is ready.`,
  )
}
