import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  symlink,
} from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'

/** A link that npm cannot ship, listed in `native/pg-symlinks.json`. Paths are relative to `native`. */
interface Link {
  readonly path: string
  readonly target: string
}

/**
 * Creates the links between libraries that the package's install script creates where it may run.
 * False when the directory is read-only: then a copy is needed.
 */
export async function completeLinks(native: string): Promise<boolean> {
  try {
    for (const link of await missingLinks(native, native)) {
      await placeLink(native, link)
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) {
      return false
    }
    throw error
  }
}

/**
 * Copies what a server needs of `native` to `copy`. Files that are there already are kept, so this also
 * completes a copy that was interrupted, or that a cleaner of temporary files has thinned out.
 */
export async function copyBinaries(native: string, copy: string): Promise<void> {
  await claimDirectory(copy)
  const entries = await readdir(native, { recursive: true, withFileTypes: true })
  const paths = entries.filter(isNeeded).map((entry) => ({
    entry,
    path: relative(native, join(entry.parentPath, entry.name)),
  }))
  for (const { entry, path } of paths) {
    if (entry.isDirectory()) {
      await mkdir(join(copy, path), { recursive: true, mode: 0o755 })
    }
  }
  await Promise.all(
    paths.map(async ({ entry, path }) => {
      if (entry.isFile()) {
        await copyIfNeeded(join(native, path), join(copy, path))
      }
      if (entry.isSymbolicLink()) {
        await placeLink(copy, { path, target: await readlink(join(native, path)) })
      }
    }),
  )
  for (const link of await missingLinks(native, copy)) {
    await placeLink(copy, link)
  }
}

/** A server needs no libraries for linking C programs. */
function isNeeded(entry: { readonly name: string }): boolean {
  return !entry.name.endsWith('.a') && entry.name !== 'pkgconfig' && !entry.name.endsWith('.pc')
}

/**
 * Creates the directory, or accepts one that belongs to this user and is not writable for others: in a
 * shared temporary directory another user may have created it first, with programs of their own.
 */
async function claimDirectory(dir: string): Promise<void> {
  await mkdir(dir, { mode: 0o755 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') {
      throw error
    }
  })
  const found = await lstat(dir)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) {
    // Regardless of the umask: the user that PostgreSQL runs as has to enter.
    await chmod(dir, 0o755)
    return
  }
  throw new EmbeddedError(
    'START_FAILED',
    `PostgreSQL's binaries have to be copied to ${dir}, which exists and is not private to this ` +
      'user. Remove it, or set TMPDIR to another directory.',
  )
}

async function copyIfNeeded(from: string, to: string): Promise<void> {
  const source = await lstat(from)
  const present = await lstat(to).catch(() => undefined)
  if (present?.isFile() && present.size === source.size) {
    return
  }
  // Under another name first: a running server must never load half a library.
  const partial = `${to}.${randomUUID()}.part`
  await copyFile(from, partial, constants.COPYFILE_FICLONE)
  await chmod(partial, (source.mode & 0o100) === 0 ? 0o644 : 0o755)
  await rename(partial, to)
}

async function placeLink(root: string, link: Link): Promise<void> {
  await symlink(link.target, join(root, link.path)).catch((error: unknown) => {
    // Another process may be doing the same.
    if (errorCode(error) !== 'EEXIST') {
      throw error
    }
  })
}

/** The links listed in `native` that `dir` does not have. A package without a list needs none. */
async function missingLinks(native: string, dir: string): Promise<readonly Link[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const listed: readonly { source: string; target: string }[] = JSON.parse(text)
  const links = listed.map(({ source, target }) => ({
    path: relative('native', target),
    // The list has `native/lib/x`; a link has to name its target relative to itself.
    target: join(relative(dirname(target), dirname(source)), basename(source)),
  }))
  const present = await Promise.all(links.map((link) => lstat(join(dir, link.path)).catch(() => 0)))
  return links.filter((_, i) => present[i] === 0)
}
