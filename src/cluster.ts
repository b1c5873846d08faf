import cluster, { type Worker } from 'node:cluster'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomToken } from './auth/one-time-token.ts'
import type { Config } from './config.ts'
import type { CloseOptions } from './http/drain.ts'
import type { Log } from './lib/log.ts'
import { UserError } from './lib/user-error.ts'
import type { Service, ServiceOptions } from './service.ts'
import { type Closers, closeAll } from './startup/closers.ts'
import { startOwnDatabase } from './startup/locate-database.ts'
import { installationSecret } from './startup/master-key.ts'

/** What the first process gives a worker, which asks for it when it starts. */
type Given = NonNullable<ServiceOptions['worker']>

/** Where a worker listens, which it reports once it does. */
type Listening = Pick<Service, 'url' | 'listensOn' | 'setupUrl'>

type Report = 'starting' | { readonly listening: Listening }

/**
 * Several processes that serve one address over one database, as nodes on several machines do. One of them records the
 * reports that all of them get. The first process owns the embedded PostgreSQL and replaces workers.
 */
export async function openCluster(config: Config, log: Log): Promise<Service> {
  const closers: Closers = []
  const close = (options: CloseOptions = {}) => closeAll(closers, log, options)
  try {
    // Workers that start together on an empty directory would each make a key.
    await installationSecret(config)
    if (config.databaseUrl === null) {
      await startOwnDatabase(config, log, closers)
    }
    const workers = startWorkers(config.workers, await openReportSocket(log, closers), log)
    closers.push({ name: 'workers', close: workers.close })
    return { ...(await workers.listening), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Where the workers ask the one that records reports: in a folder that only this user may enter. Null where none can be
 * made; then each worker records its reports itself, which is as correct, but slower.
 */
async function openReportSocket(log: Log, closers: Closers): Promise<string | null> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'standing-'))
    closers.push({
      name: 'socket of the workers',
      close: () => rm(folder, { recursive: true, force: true }),
    })
    return join(folder, 'reports')
  } catch (err) {
    log.warn({ err }, 'the workers cannot forward reports to one of them, and write more slowly')
    return null
  }
}

interface Workers {
  /** Resolves when all of them listen; rejects when one ends before. */
  readonly listening: Promise<Listening>
  close(options: CloseOptions): Promise<void>
}

/** A worker that ends at once again and again must not take the machine. */
const RESTART_AFTER_MS = 500

function startWorkers(count: number, reportSocket: string | null, log: Log): Workers {
  const setupToken = randomToken()
  const running = new Map<number, Worker>()
  let resolve: (listening: Listening) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const listening = new Promise<Listening>((done, failed) => {
    resolve = done
    reject = failed
  })
  /** Those that the start waits for. A worker that replaces another one is never among them. */
  const missing = new Set(Array.from({ length: count }, (_, i) => i + 1))
  let isClosing = false

  function start(number: number): void {
    const worker = cluster.fork()
    running.set(number, worker)
    worker.on('message', (report: Report) => {
      if (report === 'starting') {
        return void worker.send({ number, setupToken, reportSocket } satisfies Given)
      }
      log.info({ worker: number, workerPid: worker.process.pid }, 'a worker listens')
      missing.delete(number)
      if (missing.size === 0) {
        resolve(report.listening)
      }
    })
    worker.on('exit', (code, signal) => {
      running.delete(number)
      if (isClosing) {
        return
      }
      if (missing.size > 0) {
        return reject(new UserError('A worker ended before it listened.'))
      }
      log.error({ worker: number, code, signal }, 'a worker exited; another one replaces it')
      setTimeout(() => isClosing || start(number), RESTART_AFTER_MS)
    })
  }

  for (const number of missing) {
    start(number)
  }
  return {
    listening,
    async close({ graceMs = 0 }) {
      isClosing = true
      // Each is waited for, whatever becomes of another: it uses the database, which closes next.
      const codes = await Promise.all([...running.values()].map((worker) => end(worker, graceMs)))
      const failed = codes.filter((code) => code !== 0)
      // Of a start that failed, the others fail too, and have said why.
      if (failed.length > 0 && missing.size === 0) {
        throw new Error(`${failed.length} of ${codes.length} workers did not end as they should`)
      }
    },
  }
}

/** Its exit code; null where a signal ended it. A worker reads the grace period from its settings. */
function end(worker: Worker, graceMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    worker.once('exit', resolve)
    worker.process.kill(graceMs > 0 ? 'SIGTERM' : 'SIGINT')
  })
}

/** What the first process gives this one; null where this process is no worker. */
export async function givenToWorker(): Promise<Given | null> {
  if (!cluster.isWorker) {
    return null
  }
  const given = new Promise<Given>((resolve) => process.once('message', resolve))
  process.send?.('starting' satisfies Report)
  return given
}

/** Tells the first process that this worker listens. */
export function reportListening({ url, listensOn, setupUrl }: Service): void {
  process.send?.({ listening: { url, listensOn, setupUrl } } satisfies Report)
}
