import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'
import { clusterHash, type Paths } from './paths.ts'
import type { User } from './user.ts'

/** Only a part of the socket's name: the server does not listen on TCP. */
export const PORT = 5432

/** The longest path of a socket on macOS, without its final NUL. Linux allows four bytes more. */
const SOCKET_PATH_MAX_BYTES = 103

/** The directory of the socket: `setting` for the server, `host` for clients. */
export interface SocketDirectory {
  readonly setting: string
  readonly host: string
}

/**
 * Where the socket lies: in the cluster's own directory, which is private anyway; if its path is too
 * long, in a private directory with a short path.
 */
export async function socketDirectory(paths: Paths, user: User): Promise<SocketDirectory> {
  const path = join(paths.cluster, `.s.PGSQL.${PORT}`)
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) {
    // Relative: the server's user may not be able to reach it by its full path.
    return { setting: '.', host: paths.cluster }
  }
  return await temporarySocketDirectory(paths, user)
}

/** A private directory in the temporary directory, the same at each start. */
export async function temporarySocketDirectory(paths: Paths, user: User): Promise<SocketDirectory> {
  const dir = join(tmpdir(), `${paths.name}-${user.uid}-${clusterHash(paths)}`)
  await claimPrivate(dir, user)
  return { setting: dir, host: dir }
}

/**
 * Creates the directory, or accepts one that belongs to the server's user and is closed to others. In
 * a shared temporary directory another user may have created it first, to listen in place of the server.
 */
async function claimPrivate(dir: string, user: User): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 })
    if (user.switched) {
      await chown(dir, user.uid, user.gid)
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw error
    }
  }
  const found = await lstat(dir)
  if (found.isDirectory() && found.uid === user.uid && (found.mode & 0o077) === 0) {
    return
  }
  throw new EmbeddedError(
    'START_FAILED',
    `PostgreSQL's socket cannot be created in the data directory (its path is too long, or its file ` +
      `system does not support sockets), and ${dir}, where it would be created instead, exists and ` +
      'is not private. Remove it, set TMPDIR to another directory, or use another data directory.',
  )
}
