import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { errorCode } from './error.ts'
import type { Paths } from './paths.ts'
import { isServerOf } from './process.ts'
import { PORT } from './socket.ts'

/** `postmaster.pid`, which a server writes into its data directory while it runs. */
export interface PidFile {
  readonly text: string
  readonly pid: number
  readonly port: number
  /** Absolute; the file says `.` when it is the data directory itself. */
  readonly socketDir: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/**
 * What the file shows of a cluster:
 * - `absent`: no server runs. `stale`: neither; the file was left by a server that died.
 * - `unclear`: the file is being written at this moment. Inspect it again.
 * - `running`: its server runs. `foreign`: a server answers whose process cannot be seen from here.
 */
export type Finding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'stale'; readonly text: string }
  | { readonly kind: 'running'; readonly file: PidFile }
  | { readonly kind: 'foreign'; readonly file: PidFile }

/** A file without content for this long is not being written; a full disk leaves such files. */
const WRITING_MAX_MS = 2000

/** Finds out whether a server runs on a cluster. */
export async function inspect(paths: Paths): Promise<Finding> {
  const { cluster } = paths
  const text = await readPidFile(cluster)
  if (text === undefined) {
    return { kind: 'absent' }
  }
  const file = parsePidFile(text, cluster)
  if (!file) {
    return (await isFresh(cluster)) ? { kind: 'unclear' } : { kind: 'stale', text }
  }
  if (await isServerOf(file.pid, paths)) {
    return { kind: 'running', file }
  }
  if (!(await answers(file))) {
    return { kind: 'stale', text }
  }
  // It may have been replaced by a new file meanwhile.
  return (await readPidFile(cluster)) === text ? { kind: 'foreign', file } : { kind: 'unclear' }
}

/** The file's eight lines: pid, directory, start time, port, socket directory, address, shm, status. */
export function parsePidFile(text: string, cluster: string): PidFile | undefined {
  const [pid = '', , , port = '', socketDir = '', , , status = ''] = text.split('\n')
  if (!/^\d+$/.test(pid)) {
    return undefined
  }
  return {
    text,
    pid: Number(pid),
    port: Number(port) || PORT,
    socketDir: socketDir === '.' || socketDir === '' ? cluster : socketDir,
    // The server adds lines as it starts, so a missing line means that it is still starting.
    status: status.startsWith('ready') ? 'ready' : status === 'stopping' ? status : 'starting',
  }
}

/** Removes the pid file of a dead server. PostgreSQL does so itself, unless its pid is in use again. */
export async function discard(cluster: string, inspected: string): Promise<void> {
  await removeIf(join(cluster, 'postmaster.pid'), inspected)
}

/**
 * Removes the lock file next to the socket in `socketDir` if a dead server left it. PostgreSQL respects
 * it like the pid file, and it may exist without that.
 */
export async function discardSocketLock(socketDir: string, paths: Paths): Promise<void> {
  const path = join(socketDir, `.s.PGSQL.${PORT}.lock`)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) {
    return
  }
  const pid = Number.parseInt(text, 10)
  if (pid > 0 && (await isServerOf(pid, paths))) {
    return
  }
  await removeIf(path, text)
}

/**
 * Removes a file, but only if it is still the one that was inspected: another process may have removed
 * that and started a server meanwhile, and without its file a second server could start.
 */
async function removeIf(path: string, inspected: string): Promise<void> {
  const aside = `${path}.stale-${randomUUID()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, 'utf8')) !== inspected) {
      await link(aside, path)
    }
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) {
      throw error
    }
  } finally {
    await rm(aside, { force: true })
  }
}

async function readPidFile(cluster: string): Promise<string | undefined> {
  try {
    return await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined
    }
    throw error
  }
}

async function isFresh(cluster: string): Promise<boolean> {
  const found = await stat(join(cluster, 'postmaster.pid')).catch(() => undefined)
  // A file that is gone counts as fresh: the next inspection shows more.
  return !found || Date.now() - found.mtimeMs < WRITING_MAX_MS
}

/** Whether a server listens on the socket, as one does that runs in another container. */
function answers(file: PidFile): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(join(file.socketDir, `.s.PGSQL.${file.port}`))
    socket.on('connect', () => {
      socket.destroy()
      done(true)
    })
    // EAGAIN: it listens, and many clients are waiting.
    socket.on('error', (error) => done(errorCode(error) === 'EAGAIN'))
  })
}
