import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { completeLinks, mirror } from './copy-binaries.ts'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Place } from './paths.ts'
import { type Ended, run } from './run.ts'
import type { User } from './user.ts'

/** Programs that were seen to run as the user in question. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** How the copies inside a data directory are named; what follows is the version. */
const COPY_PREFIX = 'binaries-'

/**
 * Finds binaries that `user` can run: those in `native`, else a copy of them. Asked by trying, since
 * only that knows of closed directories, `noexec` mounts, missing libraries and a foreign libc alike.
 */
export async function prepareBinaries(
  native: string,
  place: Place,
  user: User,
  log: Log,
): Promise<Binaries> {
  let said = 'links between its libraries are missing and cannot be made'
  if (await completeLinks(native)) {
    const ended = await probe(native, user)
    if (runs(ended)) {
      return programs(native)
    }
    refuseHopeless(native, user, ended)
    said = words(ended)
  }
  for (const copy of await copyPlaces(native, place, user)) {
    await mirror(native, copy)
    const ended = await probe(copy, user)
    if (runs(ended)) {
      log('PostgreSQL runs from a copy of its binaries', { copy, because: said })
      return programs(copy)
    }
    said = words(ended)
  }
  throw new EmbeddedError(
    'START_FAILED',
    `PostgreSQL's binaries in ${native} do not run for the user with uid ${user.uid}, nor does a ` +
      `copy: ${said}. Install the project where that user can read it, set TMPDIR to a directory ` +
      'from which programs may run, or set DATABASE_URL.',
  )
}

/** Removes copies that an earlier version left in the data directory. Only while no server uses one. */
export async function removeOldCopies(native: string, place: Place): Promise<void> {
  const current = COPY_PREFIX + (await versionOf(native))
  for (const name of await readdir(place.dataDir)) {
    if (!name.startsWith(COPY_PREFIX) || name === current) {
      continue
    }
    await rm(join(place.dataDir, name), { recursive: true, force: true })
  }
}

/** The PostgreSQL version of the binaries, `18.4.0-beta.17`, as the package around them says. */
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

function runs(ended: Ended): boolean {
  return ended.kind === 'exited' && ended.code === 0
}

function words(ended: Ended): string {
  return ended.kind === 'failed' ? ended.error.message : ended.err.trim() || `exit ${ended.code}`
}

/** Throws when no copy would help either. */
function refuseHopeless(native: string, user: User, ended: Ended): void {
  if (ended.kind !== 'failed') {
    return
  }
  const code = errorCode(ended.error)
  // Said of a program that is there when its loader is not: a system without glibc.
  if (code === 'ENOENT' || code === 'ENOEXEC') {
    throw new EmbeddedError(
      'UNSUPPORTED',
      `PostgreSQL's binaries in ${native} cannot run on this system (${code}); they need glibc, ` +
        'which Alpine Linux and others lack. Set DATABASE_URL to a PostgreSQL of your own.',
      { cause: ended.error },
    )
  }
  if (user.switched && (code === 'EPERM' || code === 'EINVAL')) {
    throw new EmbeddedError(
      'UNSUPPORTED',
      `This process is root but may not start a program as another user (${code}), and PostgreSQL ` +
        'refuses to run as root. Start as a normal user, or set DATABASE_URL.',
      { cause: ended.error },
    )
  }
}

/** Where a copy may go: the data directory, where it moves along; else the temporary directory. */
async function copyPlaces(native: string, place: Place, user: User): Promise<readonly string[]> {
  const version = await versionOf(native)
  const shared = join(tmpdir(), `standing-pg-${version}-${user.uid}`)
  const own = join(place.dataDir, COPY_PREFIX + version)
  return (await canEnter(place.dataDir, user)) ? [own, shared] : [shared]
}

/** Whether `user` may pass through a directory and all above it, going by their modes. */
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
