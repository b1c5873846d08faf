import { spawn } from 'node:child_process'
import { prepareBinaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import { logSince, logSize, openLog, trimLog } from './logfile.ts'
import { type Log, type Paths, serverName } from './paths.ts'
import { discard, discardSocketLock, inspect, type PidFile } from './pidfile.ts'
import { dataArgument, identity, programEnv } from './run.ts'
import { settingArguments } from './settings.ts'
import { PORT, type SocketDirectory, socketDirectory, temporarySocketDirectory } from './socket.ts'
import { stopServer } from './stop.ts'
import type { User } from './user.ts'
import { pause } from './wait.ts'

/** Everything that is needed to start the server, and to start it again. */
export interface Setup {
  readonly paths: Paths
  /** Where the binaries are. They are prepared at each start, since a copy of them may be gone. */
  readonly native: string
  readonly user: User
  readonly settings: Readonly<Record<string, string>>
  readonly log: Log
}

export interface Server {
  readonly pid: number
  readonly how: 'started' | 'attached'
  /** The directory of its socket, and the port that is part of the socket's name. */
  readonly host: string
  readonly port: number
}

/** A start takes some 30 ms; checking this often adds little to it and costs nothing. */
const POLL_MS = 5

/** Replaying the log after a crash is bounded by max_wal_size; slow disks need minutes for it. */
const READY_WITHIN_MS = 5 * 60 * 1000

/** How long the backends of a killed server may take to exit, or another process to start one. */
const RETRY_WITHIN_MS = 10 * 1000

/** PostgreSQL's messages when another server has not exited yet; the start has to be tried again. */
const BUSY = /is still in use|lock file ".*" already exists|lock file ".*" is empty/

/** Its message when the file system does not support sockets, as some mounted ones do not. */
const NO_SOCKET = /could not create any Unix-domain sockets/

/** Attaches to the server that runs, or starts one; resolves once it accepts connections. */
export async function openServer(setup: Setup, signal?: AbortSignal): Promise<Server> {
  const { paths, log } = setup
  const deadline = performance.now() + READY_WITHIN_MS
  let retryUntil: number | undefined
  let socket = await socketDirectory(paths, setup.user)
  for (;;) {
    const found = await inspect(paths)
    if (found.kind === 'foreign') {
      throw inUse(paths, found.file)
    }
    if (found.kind === 'running' && found.file.status === 'ready') {
      return attached(found.file)
    }
    if (found.kind === 'running' || found.kind === 'unclear') {
      if (performance.now() > deadline) {
        throw notReady(paths)
      }
      await pause(POLL_MS, signal)
      continue
    }
    if (found.kind === 'stale') {
      log('removing the pid file of a server that is gone')
      await discard(paths.cluster, found.text)
    }
    retryUntil ??= performance.now() + RETRY_WITHIN_MS
    await discardSocketLock(socket.host, paths)
    const outcome = await launch(setup, socket, deadline, signal)
    if (typeof outcome !== 'string') {
      return outcome
    }
    if (NO_SOCKET.test(outcome) && socket.setting === '.') {
      log('the data directory does not support sockets; using the temporary directory')
      socket = await temporarySocketDirectory(paths, setup.user)
      continue
    }
    if (!BUSY.test(outcome) || performance.now() > retryUntil) {
      throw startFailed(paths, outcome)
    }
    await pause(POLL_MS * 4, signal)
  }
}

/** Starts a server, which outlives this process if that crashes. If it fails, returns its message. */
async function launch(
  setup: Setup,
  socket: SocketDirectory,
  deadline: number,
  signal?: AbortSignal,
): Promise<Server | string> {
  const { paths, user, settings } = setup
  const binaries = await prepareBinaries(setup.native, paths, user, setup.log)
  await trimLog(paths)
  const offset = await logSize(paths)
  const name = serverName(paths)
  const options = await settingArguments(paths.cluster, socket.setting, name, settings)
  const output = await openLog(paths, user)
  const child = spawn(
    binaries.postgres,
    ['-D', dataArgument(paths.cluster, user), '-p', String(PORT), ...options],
    {
      cwd: paths.cluster,
      env: programEnv(),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      ...identity(user),
    },
  )
  child.unref()
  let end: { readonly message?: string } | undefined
  child.on('exit', () => {
    end = {}
  })
  child.on('error', (error) => {
    end = { message: error.message }
  })
  try {
    while (!end) {
      const found = await inspect(paths)
      if (found.kind === 'running' && found.file.pid === child.pid) {
        if (found.file.status === 'ready') {
          return { ...attached(found.file), how: 'started' }
        }
      }
      if (performance.now() > deadline) {
        throw notReady(paths)
      }
      await pause(POLL_MS, signal)
    }
  } catch (error) {
    // A start that is cancelled leaves no server behind. One that is only slow continues: a later start
    // attaches to it.
    if (signal?.aborted && child.pid !== undefined) {
      await stopServer(paths, child.pid, 'immediate')
    }
    throw error
  } finally {
    await output.close()
  }
  return end.message ?? (await logSince(paths, offset))
}

function attached(file: PidFile): Server {
  return { pid: file.pid, how: 'attached', host: file.socketDir, port: file.port }
}

function inUse(paths: Paths, file: PidFile): EmbeddedError {
  return new EmbeddedError(
    'IN_USE',
    `The data directory ${paths.dataDir} is in use by a PostgreSQL that this process cannot see (pid ` +
      `${file.pid} where it runs, perhaps in another container). Stop it, or use another directory.`,
  )
}

function startFailed(paths: Paths, message: string): EmbeddedError {
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL did not start. It reports: ${message || 'nothing'}\nIts log is ${paths.logFile}.`,
  )
}

function notReady(paths: Paths): EmbeddedError {
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL was not ready within ${READY_WITHIN_MS / 60_000} minutes. It is still starting: see ` +
      `${paths.logFile}, and start again when it is ready.`,
  )
}
