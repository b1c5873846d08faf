import type { Connection } from './connect.ts'
import { errorText } from './error.ts'
import { isHeld, type Lock, takeLock } from './lock.ts'
import { trimLog } from './logfile.ts'
import { openServer, type Server, type Setup } from './start.ts'
import { stopServer } from './stop.ts'
import { pause } from './wait.ts'

export interface Embedded {
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

/** A server learns that a session crashed a moment after the session's client does. */
const SETTLE_MS = 100

/** Often enough for a log that an application in distress fills. */
const TRIM_LOG_EVERY_MS = 10 * 60 * 1000

/** Keeps a server up and claimed: whenever the claim is lost, both are brought back. */
export class Supervisor implements Embedded {
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
      if (!this.#stopping.signal.aborted) {
        this.#recovery = this.#recover()
      }
    })
  }

  async #recover(): Promise<void> {
    const { log } = this.#setup
    const { signal } = this.#stopping
    log('the connection to PostgreSQL is lost, bringing it back', { postgresPid: this.pid })
    if (Date.now() - this.#upSince > STABLE_AFTER_MS) {
      this.#delayMs = 0
    }
    while (!signal.aborted) {
      try {
        await pause(this.#delayMs, signal)
        this.#delayMs = Math.min(RESTART_MAX_MS, this.#delayMs * 2 || RESTART_FIRST_MS)
        this.#server = await openServer(this.#setup, signal)
        const lock = await takeLock(this.connection, signal)
        this.#upSince = Date.now()
        log('PostgreSQL is back', { postgresPid: this.pid, how: this.#server.how })
        return this.#watch(lock)
      } catch (error) {
        if (signal.aborted) {
          return
        }
        log('PostgreSQL is not back yet', { error: errorText(error), nextTryMs: this.#delayMs })
      }
    }
  }

  async #stop(): Promise<void> {
    const { place, log } = this.#setup
    clearInterval(this.#trimmer)
    this.#stopping.abort()
    await this.#recovery
    // Without the claim the server is perhaps another process's by now: not ours to stop. The claim
    // is kept until it is down, so that nobody adopts a server that is about to go. To have it also
    // says that the server is well: one told to stop while it mends itself may hang (18.4 does).
    const lock = (await this.#lock?.isHeld()) ? this.#lock : await this.#reclaim()
    if (lock === 'held') {
      return
    }
    await stopServer(place, this.pid)
    await lock?.release()
    log('PostgreSQL stopped', { postgresPid: this.pid })
  }

  /** The claim; `held` when another has it, undefined when no server answers who could say. */
  async #reclaim(): Promise<Lock | 'held' | undefined> {
    try {
      await pause(SETTLE_MS)
      return await takeLock(this.connection)
    } catch (error) {
      return isHeld(error) ? 'held' : undefined
    }
  }
}

export function connectionTo(server: Server): Connection {
  return { host: server.host, port: server.port, user: NAME, database: NAME }
}
