import { EmbeddedError } from './error.ts'
import {
  attached,
  launch,
  notReady,
  POLL_MS,
  READY_WITHIN_MS,
  type Server,
  type Setup,
} from './launch.ts'
import type { Paths } from './paths.ts'
import { discard, discardSocketLock, inspect, type PidFile } from './pidfile.ts'
import { socketDirectory, temporarySocketDirectory } from './socket.ts'
import { pause } from './wait.ts'

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
