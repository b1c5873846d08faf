import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { errorCode } from './error.ts'
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
 * What the file tells about a database:
 * - `absent`: no server. `stale`: none either; the file is what one that died left behind.
 * - `unclear`: the file is just being written. Look again.
 * - `running`: its server. `foreign`: a server that answers, but whose process is not ours to see.
 */
export type Finding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'stale'; readonly text: string }
  | { readonly kind: 'running'; readonly file: PidFile }
  | { readonly kind: 'foreign'; readonly file: PidFile }

/** A file without content for this long is not being written; a full disk leaves such ones. */
const WRITING_MAX_MS = 2000

/** Looks at the database in `cluster`, whose servers we call `name`. */
export async function inspect(cluster: string, name: string): Promise<Finding> {
  const text = await readPidFile(cluster)
  if (text === undefined) {
    return { kind: 'absent' }
  }
  const file = parsePidFile(text, cluster)
  if (!file) {
    return (await isFresh(cluster)) ? { kind: 'unclear' } : { kind: 'stale', text }
  }
  if (await isServerOf(file.pid, cluster, name)) {
    return { kind: 'running', file }
  }
  if (!(await answers(file))) {
    return { kind: 'stale', text }
  }
  // It may have been replaced by a new one between two looks.
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
    // Lines are added as the server comes up, so a missing one means it is not there yet.
    status: status.startsWith('ready') ? 'ready' : status === 'stopping' ? status : 'starting',
  }
}

/** Removes the pid file of a dead server. PostgreSQL does so itself, unless its pid is in use again. */
export async function discard(cluster: string, judged: string): Promise<void> {
  await removeIf(join(cluster, 'postmaster.pid'), judged)
}

/**
 * Removes the lock beside the socket in `socketDir`, if a dead server left it. It carries the same
 * pid and is minded in the same way, and it may be there when the pid file is not.
 */
export async function discardSocketLock(
  socketDir: string,
  cluster: string,
  name: string,
): Promise<void> {
  const path = join(socketDir, `.s.PGSQL.${PORT}.lock`)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) {
    return
  }
  const pid = Number.parseInt(text, 10)
  if (pid > 0 && (await isServerOf(pid, cluster, name))) {
    return
  }
  await removeIf(path, text)
}

/**
 * Removes a file, but only if it is still the one that was judged: another process may have removed
 * it and started a server meanwhile, and without its file a second could start beside it.
 */
async function removeIf(path: string, judged: string): Promise<void> {
  const aside = `${path}.stale-${randomUUID()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, 'utf8')) !== judged) {
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
  // Gone counts as fresh: the next look will tell.
  return !found || Date.now() - found.mtimeMs < WRITING_MAX_MS
}

/** Whether anybody listens on the socket, as when the server runs in another container. */
function answers(file: PidFile): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(join(file.socketDir, `.s.PGSQL.${file.port}`))
    socket.on('connect', () => {
      socket.destroy()
      done(true)
    })
    // EAGAIN: somebody listens, but has many waiting.
    socket.on('error', (error) => done(errorCode(error) === 'EAGAIN'))
  })
}
