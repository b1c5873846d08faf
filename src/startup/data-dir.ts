import { statSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../lib/user-error.ts'

/**
 * No other user may enter. Under root PostgreSQL runs as another user, who has to pass through to its
 * own directory inside, and may not list this one.
 */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/** What the system's error codes mean for the choice of the directory. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to read and write there',
  EPERM: 'this user has no permission to read and write there',
  EROFS: 'that disk is read-only',
  ENOSPC: 'that disk is full',
  ENOENT: 'no directory can be created there',
}

/** Creates the directory of all data. @throws UserError when that fails */
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
 * From the top down, each level once. Node's own recursive mkdir never ends if a directory exists
 * but cannot contain one (/proc): it creates the parent again and again.
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
      `${dir} is a file; the data directory must be a directory. Set STANDING_DATA_DIR to a directory.`,
    )
  }
  if (dir !== dirname(dir)) {
    await make(dirname(dir))
  }
  await mkdir(dir, { mode: MODE }).catch((error: NodeJS.ErrnoException) => {
    // Another start may be creating the same one.
    if (error.code !== 'EEXIST') {
      throw error
    }
  })
  await syncDirectory(dirname(dir))
}

/** Codes of systems and directories that cannot be opened to be synced. */
const NOT_SYNCED = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP']

/** Writes the entries of a directory to the disk: a file in it is found after a power cut only then. */
export async function syncDirectory(dir: string): Promise<void> {
  try {
    const handle = await open(dir)
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!NOT_SYNCED.includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error
    }
  }
}

/** Whether the embedded PostgreSQL was initialised in a directory, or another user may have done it. */
export function hasData(dataDir: string): boolean {
  try {
    statSync(join(dataDir, 'postgres', 'PG_VERSION'))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}
