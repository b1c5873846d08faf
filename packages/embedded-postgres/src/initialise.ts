import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Place } from './paths.ts'
import { isAlive } from './process.ts'
import { dataArgument, type Ended, run } from './run.ts'
import type { User } from './user.ts'

/** A database that is being made is called `postgres.new-<pid of the maker>-<random>`. */
const UNFINISHED = /^postgres\.new-(\d+)-/

/** No initdb takes this long: what is older was left by a crash, whoever has its maker's pid now. */
const UNFINISHED_MAX_AGE_MS = 10 * 60 * 1000

/** The ones this very process is making. After a restart in a container our pid is often the same. */
const inProgress = new Set<string>()

const INITDB_ARGUMENTS: readonly string[] = [
  '--username=standing',
  // Nobody gets as far as the question: the socket lies in a directory of mode 0700, and whoever may
  // enter it (the server's own user, and root) could read the files themselves. A password beside
  // them would protect nothing and could be lost.
  '--auth=trust',
  '--encoding=UTF8',
  // Sorted by code point, by PostgreSQL's own tables: no upgrade of libc or ICU breaks an index.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
]

/**
 * The major version (`18`) that wrote the database, undefined when there is none yet. Throws when
 * something else lies in its place.
 */
export async function clusterVersion(place: Place): Promise<string | undefined> {
  try {
    return (await readFile(join(place.cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error
    }
  }
  const inside = await readdir(place.cluster).catch(() => [])
  if (inside.length === 0) {
    return undefined
  }
  throw new EmbeddedError(
    'INIT_FAILED',
    `${place.cluster} is not empty and holds no PostgreSQL database (PG_VERSION is missing). ` +
      'Restore it from a backup, move it away, or set STANDING_DATA_DIR to another directory.',
  )
}

/**
 * Makes the database aside and puts it in its place once it is complete and on disk: a crash leaves
 * either none or all of it. Two processes may do this at once; the second uses what the first made.
 */
export async function initialise(
  place: Place,
  binaries: Binaries,
  user: User,
  log: Log,
): Promise<void> {
  await removeUnfinished(place, log)
  const name = `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const dir = join(place.dataDir, name)
  inProgress.add(name)
  try {
    await mkdir(dir, { mode: 0o700 })
    if (user.switched) {
      await chown(dir, user.uid, user.gid)
    }
    const args = ['-D', dataArgument(dir, user), ...INITDB_ARGUMENTS]
    const ended = await run(binaries.initdb, args, user, dir)
    if (ended.kind === 'failed' || ended.code !== 0) {
      throw initFailed(ended, user)
    }
    await moveInto(dir, place)
  } finally {
    await rm(dir, { recursive: true, force: true })
    inProgress.delete(name)
  }
}

async function moveInto(dir: string, place: Place): Promise<void> {
  try {
    await rename(dir, place.cluster)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) {
      throw error
    }
    return
  }
  // The rename itself is on disk only once the directory above is.
  const parent = await open(place.dataDir)
  await parent.sync().finally(() => parent.close())
}

async function removeUnfinished(place: Place, log: Log): Promise<void> {
  for (const name of await readdir(place.dataDir)) {
    const maker = UNFINISHED.exec(name)?.[1]
    if (!maker || (await isBeingMade(join(place.dataDir, name), name, Number(maker)))) {
      continue
    }
    log('removing a database that was left half made', { directory: name })
    await rm(join(place.dataDir, name), { recursive: true, force: true })
  }
}

async function isBeingMade(path: string, name: string, maker: number): Promise<boolean> {
  if (maker === process.pid) {
    return inProgress.has(name)
  }
  if (!(await isAlive(maker))) {
    return false
  }
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < UNFINISHED_MAX_AGE_MS
}

function initFailed(ended: Ended, user: User): EmbeddedError {
  const said = ended.kind === 'failed' ? ended.error.message : ended.err.trim()
  const advice = said.includes('could not look up effective user ID')
    ? `The user with uid ${user.uid} has no entry in /etc/passwd: add one or run as another user`
    : 'Mend that (a full disk or missing rights are the usual causes)'
  return new EmbeddedError(
    'INIT_FAILED',
    `The database could not be made. initdb says: ${said}\n${advice}, or set DATABASE_URL to a ` +
      'PostgreSQL of your own.',
  )
}
