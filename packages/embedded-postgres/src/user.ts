import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'
import type { Log, Place } from './paths.ts'

/** Whom PostgreSQL runs as. `switched`: not who we are, but whom we, being root, choose. */
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
 * Whom to run PostgreSQL as. It refuses root, so root hands it to the owner of the data, else to the
 * user made for it, else to whoever may do least. Throws FORBIDDEN when the data is another user's.
 */
export async function chooseUser(place: Place): Promise<User> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const owner = await ownerOf(place.cluster)
  if (self.uid !== 0) {
    if (owner && owner.uid !== self.uid) {
      throw notOurs(place.cluster, self.uid, owner.uid)
    }
    return { ...self, switched: false }
  }
  if (owner && owner.uid !== 0) {
    return { ...owner, switched: true }
  }
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  const chosen = chooseAccount(accounts, await ownerOf(place.dataDir))
  if (chosen) {
    return { uid: chosen.uid, gid: chosen.gid, switched: true }
  }
  throw new EmbeddedError(
    'UNSUPPORTED',
    'PostgreSQL refuses to run as root, and /etc/passwd names no other user to run it as. ' +
      'Start as a normal user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/**
 * For a new database, as root. The owner of the directory comes first, so that he may start without
 * root later; but only if he has an account, since initdb asks for its name.
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

/** The accounts of an `/etc/passwd`, in its order; lines that are none are passed over. */
export function parsePasswd(text: string): readonly Account[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    return name && /^\d+$/.test(uid) && /^\d+$/.test(gid)
      ? [{ name, uid: Number(uid), gid: Number(gid) }]
      : []
  })
}

/**
 * Makes the database's directory what PostgreSQL insists on: owned by whom it runs as, closed to
 * others. A copy made by root, or one restored without its modes, is neither.
 */
export async function claimCluster(place: Place, user: User, log: Log): Promise<void> {
  const found = await stat(place.cluster)
  if (user.switched && found.uid !== user.uid) {
    log('handing the database directory to the user PostgreSQL runs as', { uid: user.uid })
    await giveTree(place.cluster, user)
  }
  const mode = found.mode & 0o777
  // The two modes that PostgreSQL accepts.
  if (mode !== 0o700 && mode !== 0o750) {
    await chmod(place.cluster, 0o700)
  }
}

/** Gives a directory and all in it to `user`, links themselves and not what they point at. */
async function giveTree(dir: string, user: User): Promise<void> {
  for (const name of await readdir(dir, { recursive: true })) {
    await lchown(join(dir, name), user.uid, user.gid)
  }
  // Last, so that a hand-over that was cut short is begun again at the next start.
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
      `The data directory cannot be looked into (${errorCode(error)}: ${path}). It was most likely ` +
        'made by another user, perhaps by root: start as that user, hand it over with chown, or ' +
        'set STANDING_DATA_DIR to another directory.',
      { cause: error },
    )
  }
}

function notOurs(path: string, self: number, owner: number): EmbeddedError {
  return new EmbeddedError(
    'FORBIDDEN',
    `The database in ${path} belongs to the user with uid ${owner}, and this process runs as uid ` +
      `${self}. Start as that user or as root, hand the directory over with chown -R, or set ` +
      'STANDING_DATA_DIR to another directory.',
  )
}
