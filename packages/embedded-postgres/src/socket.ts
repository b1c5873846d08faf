import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'
import { clusterHash, type Place } from './paths.ts'
import type { User } from './user.ts'

/** Only part of the socket's name, as nothing listens on TCP. */
export const PORT = 5432

/** What a socket's address holds on macOS; Linux has four bytes more. The rest is for the name. */
const SOCKET_PATH_MAX_BYTES = 103

/** `setting` is what the server is told, `host` what clients are; both name the same directory. */
export interface SocketPlace {
  readonly setting: string
  readonly host: string
}

/**
 * Where the socket lies: in the database's own directory, which is closed to others anyway; if that
 * has too long a name, in a private directory of a short one.
 */
export async function socketPlace(place: Place, user: User): Promise<SocketPlace> {
  const path = join(place.cluster, `.s.PGSQL.${PORT}`)
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) {
    // Relative, because the server need not be able to reach it by its full name.
    return { setting: '.', host: place.cluster }
  }
  return await socketAside(place, user)
}

/** A private directory below the temporary one, the same at each start. */
export async function socketAside(place: Place, user: User): Promise<SocketPlace> {
  const dir = join(tmpdir(), `standing-${user.uid}-${clusterHash(place)}`)
  await claimPrivate(dir, user)
  return { setting: dir, host: dir }
}

/**
 * Makes the directory or takes it if it is the server's user's and closed to all others. Anyone may
 * have made it first in a shared temporary directory, to listen in place of the server.
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
    `The data directory cannot hold PostgreSQL's socket (its path is too long for one, or its file ` +
      `system takes none), and ${dir}, where it would go instead, is there already and not ` +
      'private. Remove that, set TMPDIR to a directory of your own, or choose another ' +
      'STANDING_DATA_DIR.',
  )
}
