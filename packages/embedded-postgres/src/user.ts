import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Paths } from './paths.ts'

/** The user that PostgreSQL runs as. `switched`: this process is root and runs it as another user. */
export interface User {
  readonly uid: number
  readonly gid: number
  readonly switched: boolean
}

interface Owner {
  readonly uid: number
  readonly gid: number
}
type Account = Owner & { readonly name: string }

/**
 * Chooses the user to run PostgreSQL as. It refuses to run as root; root runs it as the owner of the
 * data, or else as `postgres`, `nobody` or any other user.
 * @throws EmbeddedError FORBIDDEN when the data belongs to another user
 */
export async function chooseUser(paths: Paths): Promise<User> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const owner = await ownerOf(paths.cluster)
  if (self.uid !== 0) {
    if (owner && owner.uid !== self.uid) {
      throw otherOwner(paths.cluster, self.uid, owner.uid)
    }
    return { ...self, switched: false }
  }
  if (owner && owner.uid !== 0) {
    return { ...owner, switched: true }
  }
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  const chosen = chooseAccount(accounts, await ownerOf(paths.dataDir))
  if (chosen) {
    return { uid: chosen.uid, gid: chosen.gid, switched: true }
  }
  throw new EmbeddedError(
    'UNSUPPORTED',
    'PostgreSQL refuses to run as root, and /etc/passwd names no other user to run it as. ' +
      'Start as another user.',
  )
}

/**
 * For a new cluster, as root. The owner of the directory comes first, who can then start without root
 * later; but only an owner with an account, since initdb looks up its name.
 */
export function chooseAccount(
  accounts: readonly Account[],
  dataOwner: Owner | undefined,
): Account | undefined {
  const others = accounts.filter((account) => account.uid !== 0)
  return (
    others.find((account) => account.uid === dataOwner?.uid) ??
    others.find((account) => account.name === 'postgres') ??
    others.find((account) => account.name === 'nobody') ??
    others[0]
  )
}

/** The accounts of an `/etc/passwd`, in its order; other lines are skipped. */
export function parsePasswd(text: string): readonly Account[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    return name && /^\d+$/.test(uid) && /^\d+$/.test(gid)
      ? [{ name, uid: Number(uid), gid: Number(gid) }]
      : []
  })
}

/**
 * Makes the cluster's directory what PostgreSQL requires: owned by the user that it runs as, and closed
 * to others. A copy made by root, or restored without its modes, is neither.
 */
export async function claimCluster(paths: Paths, user: User, log: Log): Promise<void> {
  const found = await stat(paths.cluster)
  if (user.switched && found.uid !== user.uid) {
    log('changing the owner of the database directory', { uid: user.uid })
    await changeOwner(paths.cluster, user)
  }
  const mode = found.mode & 0o777
  // The two modes that PostgreSQL accepts.
  if (mode !== 0o700 && mode !== 0o750) {
    await chmod(paths.cluster, 0o700)
  }
}

/** Changes the owner of a directory and all in it; of links, not of their targets. */
async function changeOwner(dir: string, user: User): Promise<void> {
  for (const name of await readdir(dir, { recursive: true })) {
    await lchown(join(dir, name), user.uid, user.gid)
  }
  // Last, so that the next start repeats a change that was interrupted.
  await lchown(dir, user.uid, user.gid)
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined
    }
    throw new EmbeddedError(
      'FORBIDDEN',
      `The data directory cannot be read (${errorCode(error)}: ${path}). Another user, perhaps root, ` +
        'probably created it: start as that user, change its owner (chown), or use another directory.',
      { cause: error },
    )
  }
}

function otherOwner(path: string, self: number, owner: number): EmbeddedError {
  return new EmbeddedError(
    'FORBIDDEN',
    `The data in ${path} belongs to the user with uid ${owner}, and this process runs as uid ${self}. ` +
      'Start as that user or as root, change its owner (chown -R), or use another directory.',
  )
}
