import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Paths } from './paths.ts'
import { isAlive } from './process.ts'
import { dataArgument, type Ended, run } from './run.ts'
import type { User } from './user.ts'

/** A cluster that is being created is called `postgres.new-<pid of its process>-<random>`. */
const UNFINISHED = /^postgres\.new-(\d+)-/

/** No initdb takes this long: an older one was left by a crash, even if its pid is in use again. */
const UNFINISHED_MAX_AGE_MS = 10 * 60 * 1000

/** The ones that this process is creating. In a container the pid is often the same after a restart. */
const inProgress = new Set<string>()

const INITDB_ARGUMENTS: readonly string[] = [
  // The socket lies in a directory of mode 0700. The users who can enter it (the server's own, and
  // root) can read the data files as well, so a password would protect nothing and could be lost.
  '--auth-local=trust',
  // It listens on nothing else. If a setting changes that, connections there are still refused.
  '--auth-host=reject',
  '--encoding=UTF8',
  // Sorts by code point, by PostgreSQL's own tables: an upgrade of libc or ICU cannot break an index.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
]

/**
 * The major version (`18`) that wrote the cluster; undefined when there is none yet.
 * @throws EmbeddedError INIT_FAILED when the directory holds something else
 */
export async function clusterVersion(paths: Paths): Promise<string | undefined> {
  try {
    return (await readFile(join(paths.cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error
    }
  }
  const inside = await readdir(paths.cluster).catch(() => [])
  if (inside.length === 0) {
    return undefined
  }
  throw new EmbeddedError(
    'INIT_FAILED',
    `${paths.cluster} is not empty and contains no PostgreSQL data (PG_VERSION is missing). ` +
      'Restore it from a backup, move it away, or use another directory.',
  )
}

/**
 * Creates the cluster under another name and renames it once it is complete and on disk: a crash
 * leaves all of it or none. Two processes may do this at once; the second uses what the first created.
 */
export async function initialise(
  paths: Paths,
  binaries: Binaries,
  user: User,
  log: Log,
): Promise<void> {
  await removeUnfinished(paths, log)
  const name = `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const dir = join(paths.dataDir, name)
  inProgress.add(name)
  try {
    await mkdir(dir, { mode: 0o700 })
    if (user.switched) {
      await chown(dir, user.uid, user.gid)
    }
    const args = ['-D', dataArgument(dir, user), `--username=${paths.name}`, ...INITDB_ARGUMENTS]
    const ended = await run(binaries.initdb, args, user, dir)
    if (ended.kind === 'failed' || ended.code !== 0) {
      throw initFailed(ended, user)
    }
    await moveInto(dir, paths)
  } finally {
    await rm(dir, { recursive: true, force: true })
    inProgress.delete(name)
  }
}

async function moveInto(dir: string, paths: Paths): Promise<void> {
  try {
    await rename(dir, paths.cluster)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) {
      throw error
    }
    return
  }
  // The rename is on disk only once the directory above is.
  const parent = await open(paths.dataDir)
  await parent.sync().finally(() => parent.close())
}

async function removeUnfinished(paths: Paths, log: Log): Promise<void> {
  for (const name of await readdir(paths.dataDir)) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (!pid || (await isBeingCreated(join(paths.dataDir, name), name, Number(pid)))) {
      continue
    }
    log('removing a database whose creation was interrupted', { directory: name })
    await rm(join(paths.dataDir, name), { recursive: true, force: true })
  }
}

async function isBeingCreated(path: string, name: string, pid: number): Promise<boolean> {
  if (pid === process.pid) {
    return inProgress.has(name)
  }
  if (!(await isAlive(pid))) {
    return false
  }
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < UNFINISHED_MAX_AGE_MS
}

function initFailed(ended: Ended, user: User): EmbeddedError {
  const message = ended.kind === 'failed' ? ended.error.message : ended.err.trim()
  const advice = message.includes('could not look up effective user ID')
    ? `The user with uid ${user.uid} has no entry in /etc/passwd: add one, or run as another user.`
    : 'Fix what it names; a full disk and missing rights are the usual causes.'
  return new EmbeddedError(
    'INIT_FAILED',
    `The database could not be created. initdb reports: ${message}\n${advice}`,
  )
}
