import { spawn } from 'node:child_process'
import { prepareBinaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import { logSince, logSize, openLog, trimLog } from './logfile.ts'
import { type Log, type Paths, serverName } from './paths.ts'
import { inspect, type PidFile } from './pidfile.ts'
import { dataArgument, identity, programEnv } from './run.ts'
import { settingArguments } from './settings.ts'
import { PORT, type SocketDirectory } from './socket.ts'
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
export const POLL_MS = 5

/** Replaying the log after a crash is bounded by max_wal_size; slow disks need minutes for it. */
export const READY_WITHIN_MS = 5 * 60 * 1000

/** Starts a server, which outlives this process if that crashes. If it fails, returns its message. */
export async function launch(
  setup: Setup,
  socket: SocketDirectory,
  deadline: number,
  signal?: AbortSignal,
): Promise<Server | string> {
  const { paths } = setup
  await trimLog(paths)
  const offset = await logSize(paths)
  const program = await spawnServer(setup, socket)
  try {
    const server = await untilReady(paths, program, deadline, signal)
    return server ?? program.problem() ?? (await logSince(paths, offset))
  } catch (error) {
    // A start that is cancelled leaves no server behind. One that is only slow continues: a later start
    // attaches to it.
    if (signal?.aborted && program.pid !== undefined) {
      await stopServer(paths, program.pid, 'immediate')
    }
    throw error
  } finally {
    await program.closeOutput()
  }
}

/** A server that was started and is not ready yet. */
interface Starting {
  /** Undefined where it could not be started at all. */
  readonly pid: number | undefined
  hasEnded(): boolean
  /** Why it could not be started; null where its log says why it ended. */
  problem(): string | null
  /** Closes this process's end of its log. */
  closeOutput(): Promise<void>
}

async function spawnServer(
  { paths, native, user, settings, log }: Setup,
  socket: SocketDirectory,
): Promise<Starting> {
  const binaries = await prepareBinaries(native, paths, user, log)
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
  let hasEnded = false
  let problem: string | null = null
  child.on('exit', () => {
    hasEnded = true
  })
  child.on('error', (error) => {
    hasEnded = true
    problem = error.message
  })
  return {
    pid: child.pid,
    hasEnded: () => hasEnded,
    problem: () => problem,
    closeOutput: () => output.close(),
  }
}

/** The server once it accepts connections; null where it ended before. */
async function untilReady(
  paths: Paths,
  { pid, hasEnded }: Starting,
  deadline: number,
  signal?: AbortSignal,
): Promise<Server | null> {
  while (!hasEnded()) {
    const found = await inspect(paths)
    if (found.kind === 'running' && found.file.pid === pid && found.file.status === 'ready') {
      return { ...attached(found.file), how: 'started' }
    }
    if (performance.now() > deadline) {
      throw notReady(paths)
    }
    await pause(POLL_MS, signal)
  }
  return null
}

export function attached(file: PidFile): Server {
  return { pid: file.pid, how: 'attached', host: file.socketDir, port: file.port }
}

export function notReady(paths: Paths): EmbeddedError {
  return new EmbeddedError(
    'START_FAILED',
    `PostgreSQL was not ready within ${READY_WITHIN_MS / 60_000} minutes. It is still starting: see ` +
      `${paths.logFile}, and start again when it is ready.`,
  )
}
