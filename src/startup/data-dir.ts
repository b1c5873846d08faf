import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UserError } from '../lib/user-error.ts'

/**
 * Nobody else may enter. Under root PostgreSQL runs as another user, who has to pass through to its
 * own directory inside, and may not list this one.
 */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/** What the system says, and what that means for whoever chose the directory. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'that disk is read-only',
  ENOSPC: 'that disk is full',
  ENOENT: 'no directory can be made there',
}

/** Makes the directory that everything is kept in. @throws UserError where it cannot be had */
export async function makeDataDir(dataDir: string): Promise<void> {
  const dir = resolve(dataDir)
  try {
    await make(dir)
  } catch (error) {
    throw unusable(dir, error)
  }
}

/** What went wrong inside the directory, in words. */
export function unusable(dir: string, error: unknown): UserError {
  if (error instanceof UserError) {
    return error
  }
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS[code] ?? message
  return new UserError(
    `The data directory ${dir} cannot be used: ${reason} (${code}). Set STANDING_DATA_DIR to a ` +
      'directory that this user may write to.',
  )
}

/**
 * From the top down, each level once. Node's own recursive mkdir never ends where a directory is
 * there and yet takes none (/proc): it makes the parent again and again.
 */
async function make(dir: string): Promise<void> {
  const found = await stat(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      return null
    }
    throw error
  })
  if (found?.isDirectory()) {
    return
  }
  if (found) {
    throw new UserError(
      `${dir} is a file, and a data directory is needed there. Set STANDING_DATA_DIR to a directory.`,
    )
  }
  if (dir !== dirname(dir)) {
    await make(dirname(dir))
  }
  await mkdir(dir, { mode: MODE }).catch((error: NodeJS.ErrnoException) => {
    // Another start may be making the same.
    if (error.code !== 'EEXIST') {
      throw error
    }
  })
}
