import { type Connection, RECOVERING } from './connect.ts'
import { errorCode, errorText } from './error.ts'
import type { Server, Setup } from './launch.ts'
import { isInUse, type Lock, takeLock } from './lock.ts'
import { trimLog } from './logfile.ts'
import type { Paths } from './paths.ts'
import { inspect } from './pidfile.ts'
import { isReplaying } from './process.ts'
import { openServer } from './start.ts'
import { stopServer } from './stop.ts'
import { pause } from './wait.ts'

export interface Embedded {
  readonly connection: Connection
  /** Created now, started on existing data, or found running after this program was killed. */
  readonly how: 'initialised' | 'started' | 'attached'
  /** Of the server as it runs now; it changes when the server is restarted. */
  readonly pid: number
  /** Stops the server and releases the data directory. */
  stop(): Promise<void>
}

/** The pause before a restart: none at first, then doubling up to the second, for ever. */
const RESTART_FIRST_MS = 50
const RESTART_MAX_MS = 5000

/** A server that stayed up this long had recovered: the next restart is again without a pause. */
const STABLE_AFTER_MS = 60_000

/** A server notices the crash of a session a moment after the session's client. */
const SETTLE_MS = 100

/** Often enough for a log that a failing application fills. */
const TRIM_LOG_EVERY_MS = 10 * 60 * 1000

/** A server that recovers for longer is looked at, and waited for again. */
const RECOVERS_FOR_MS = 5_000

/** Between two looks: a server that begins to recover has no process for it at first. */
const LOOK_AGAIN_MS = 1_000

/** Keeps a server running and locked: when the lock is lost, it restores both. */
export class Supervisor implements Embedded {
  readonly connection: Connection
  readonly how: Embedded['how']
  readonly #setup: Setup
  readonly #stopping = new AbortController()
  readonly #trimmer: NodeJS.Timeout
  #server: Server
  /** Undefined while the server is down or locked by another process. */
  #lock: Lock | undefined
  #recovery: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | undefined
  #upSince = performance.now()
  #delayMs = 0

  constructor(setup: Setup, server: Server, lock: Lock, how: Embedded['how']) {
    this.#setup = setup
    this.#server = server
    this.connection = connectionTo(setup.paths, server)
    this.how = how
    this.#watch(lock)
    this.#trimmer = setInterval(() => {
      trimLog(setup.paths).catch((error: unknown) => {
        setup.log('the log of PostgreSQL could not be truncated', { error: errorText(error) })
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

  /** The lock's session ends at once when the server exits, and when one of its sessions crashes. */
  #watch(lock: Lock): void {
    this.#lock = lock
    lock.onLost(() => {
      this.#lock = undefined
      if (!this.#stopping.signal.aborted) {
        this.#recovery = this.#recover()
      }
    })
  }

  async #recover(): Promise<void> {
    const { log } = this.#setup
    const { signal } = this.#stopping
    log('the connection to PostgreSQL was lost; restoring it', { postgresPid: this.pid })
    if (performance.now() - this.#upSince > STABLE_AFTER_MS) {
      this.#delayMs = 0
    }
    while (!signal.aborted) {
      try {
        await pause(this.#delayMs, signal)
        this.#delayMs = Math.min(RESTART_MAX_MS, this.#delayMs * 2 || RESTART_FIRST_MS)
        this.#server = await openServer(this.#setup, signal)
        const lock = await this.#lockRestored(signal)
        this.#upSince = performance.now()
        log('PostgreSQL is running again', { postgresPid: this.pid, how: this.#server.how })
        return this.#watch(lock)
      } catch (error) {
        if (signal.aborted) {
          return
        }
        log('PostgreSQL could not be restored yet', {
          error: errorText(error),
          nextTryMs: this.#delayMs,
        })
      }
    }
  }

  /**
   * Where the process that recovers a server fails, as when its disk reports an error once more, the server
   * waits for nothing and refuses every connection (18.4 does). It is stopped here, to be started again.
   */
  async #lockRestored(signal: AbortSignal): Promise<Lock> {
    const { paths, log } = this.#setup
    try {
      return await takeLock(paths, this.connection, signal, RECOVERS_FOR_MS)
    } catch (error) {
      const isRefused = errorCode(error) === RECOVERING
      if (isRefused && !signal.aborted && (await this.#isStuck(signal))) {
        log('PostgreSQL does not recover; stopping it, to start it again', {
          postgresPid: this.pid,
        })
        await stopServer(paths, this.pid, 'immediate')
      }
      throw error
    }
  }

  async #isStuck(signal: AbortSignal): Promise<boolean> {
    const replays = await isReplaying(this.pid)
    await pause(LOOK_AGAIN_MS, signal)
    const found = await inspect(this.#setup.paths)
    const isOurs = found.kind === 'running' && found.file.pid === this.pid
    const isStopping = isOurs && found.file.status === 'stopping'
    return isOurs && !isStopping && !replays && !(await isReplaying(this.pid))
  }

  async #stop(): Promise<void> {
    const { paths, log } = this.#setup
    clearInterval(this.#trimmer)
    this.#stopping.abort()
    await this.#recovery
    // Without the lock the server may belong to another process by now, and must not be stopped. The
    // lock is kept until the server is down, so that no other process attaches to it meanwhile. It
    // also shows that the server is well: one that is stopped while it recovers may hang (18.4 does).
    const lock = (await this.#lock?.isHeld()) ? this.#lock : await this.#lockAgain()
    if (lock === 'in use') {
      return
    }
    await stopServer(paths, this.pid)
    await lock?.release()
    log('PostgreSQL stopped', { postgresPid: this.pid })
  }

  /** The lock; `in use` when another process has it, undefined when no server answers. */
  async #lockAgain(): Promise<Lock | 'in use' | undefined> {
    try {
      await pause(SETTLE_MS)
      return await takeLock(this.#setup.paths, this.connection)
    } catch (error) {
      return isInUse(error) ? 'in use' : undefined
    }
  }
}

export function connectionTo({ name }: Paths, { host, port }: Server): Connection {
  return { host, port, user: name, database: name }
}
