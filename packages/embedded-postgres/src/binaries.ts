import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { completeLinks, copyBinaries } from './copy-binaries.ts'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Paths } from './paths.ts'
import { type Ended, run } from './run.ts'
import type { User } from './user.ts'

/** Programs that have been run as the user in question. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** How copies inside a data directory are named; the version follows. */
const COPY_PREFIX = 'binaries-'

/**
 * Finds binaries that `user` can run: those in `native`, or else a copy of them. It runs them to find
 * out, which covers closed directories, `noexec` mounts, missing libraries and another libc alike.
 */
export async function prepareBinaries(
  native: string,
  paths: Paths,
  user: User,
  log: Log,
): Promise<Binaries> {
  let reason = 'links between its libraries are missing and cannot be created'
  if (await completeLinks(native)) {
    const ended = await probe(native, user)
    if (succeeded(ended)) {
      return programs(native)
    }
    refuseHopeless(native, user, ended)
    reason = describe(ended)
  }
  for (const copy of await copyDirectories(native, paths, user)) {
    await copyBinaries(native, copy)
    const ended = await probe(copy, user)
    if (succeeded(ended)) {
      log('PostgreSQL runs from a copy of its binaries', { copy, because: reason })
      return programs(copy)
    }
    reason = describe(ended)
  }
  throw new EmbeddedError(
    'START_FAILED',
    `PostgreSQL's binaries in ${native} do not run as the user with uid ${user.uid}, and neither ` +
      `does a copy: ${reason}. Install them where that user can read them, or set TMPDIR to a ` +
      'directory from which programs may run.',
  )
}

/** Removes copies that an earlier version left in the data directory. Only while no server uses one. */
export async function removeOldCopies(native: string, paths: Paths): Promise<void> {
  const current = COPY_PREFIX + (await versionOf(native))
  for (const name of await readdir(paths.dataDir)) {
    if (name.startsWith(COPY_PREFIX) && name !== current) {
      await rm(join(paths.dataDir, name), { recursive: true, force: true })
    }
  }
}

/** The PostgreSQL version of the binaries, `18.4.0-beta.17`, from the package around them. */
export async function versionOf(native: string): Promise<string> {
  const text = await readFile(join(dirname(native), 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

function programs(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function probe(native: string, user: User): Promise<Ended> {
  return run(programs(native).postgres, ['--version'], user, '/')
}

function succeeded(ended: Ended): boolean {
  return ended.kind === 'exited' && ended.code === 0
}

function describe(ended: Ended): string {
  return ended.kind === 'failed' ? ended.error.message : ended.err.trim() || `exit ${ended.code}`
}

/** Throws when no copy would help either. */
function refuseHopeless(native: string, user: User, ended: Ended): void {
  if (ended.kind !== 'failed') {
    return
  }
  const code = errorCode(ended.error)
  // The error for a program that exists when its loader does not: a system without glibc.
  if (code === 'ENOENT' || code === 'ENOEXEC') {
    throw new EmbeddedError(
      'UNSUPPORTED',
      `PostgreSQL's binaries in ${native} cannot run on this system (${code}); they need glibc, ` +
        'which Alpine Linux and others lack.',
      { cause: ended.error },
    )
  }
  if (user.switched && (code === 'EPERM' || code === 'EINVAL')) {
    throw new EmbeddedError(
      'UNSUPPORTED',
      `This process runs as root but may not start a program as another user (${code}), and ` +
        'PostgreSQL refuses to run as root. Start as another user.',
      { cause: ended.error },
    )
  }
}

/** Where a copy may go: the data directory, with which it moves, or else the temporary directory. */
async function copyDirectories(
  native: string,
  paths: Paths,
  user: User,
): Promise<readonly string[]> {
  const version = await versionOf(native)
  const shared = join(tmpdir(), `${paths.name}-binaries-${version}-${user.uid}`)
  const own = join(paths.dataDir, COPY_PREFIX + version)
  return (await canEnter(paths.dataDir, user)) ? [own, shared] : [shared]
}

/** Whether `user` can enter a directory and all above it, by their modes. */
async function canEnter(dir: string, user: User): Promise<boolean> {
  if (!user.switched) {
    return true
  }
  for (let at = dir; ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) {
      return false
    }
    if (at === dirname(at)) {
      return true
    }
  }
}
