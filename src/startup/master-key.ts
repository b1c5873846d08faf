import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { SECRET_BYTES } from '../lib/secret-bytes.ts'
import { UserError } from '../lib/user-error.ts'
import { hasData, makeDataDir, syncDirectory, unusable } from './data-dir.ts'

const FILE = 'secret.key'

/** The master key: the setting, or a file next to the data that is created at the first start. */
export async function installationSecret(config: Config): Promise<Uint8Array> {
  if (config.secretKey) {
    return config.secretKey
  }
  if (config.databaseUrl !== null && config.production) {
    throw new UserError(
      'In production with DATABASE_URL, STANDING_SECRET_KEY must be set, to the same value on every node. ' +
        'Create one with: openssl rand -base64 32',
    )
  }
  await makeDataDir(config.dataDir)
  const path = join(config.dataDir, FILE)
  try {
    return (await read(path)) ?? (await makeFirst(config, path))
  } catch (error) {
    throw unusable(config.dataDir, error)
  }
}

/** A new key could not read what is encrypted in a database that exists already. */
async function makeFirst({ databaseUrl, dataDir }: Config, path: string): Promise<Uint8Array> {
  if (databaseUrl === null && hasData(dataDir)) {
    throw new UserError(
      `${path} is missing, and the database beside it was set up with it. Put back the copy that you ` +
        'kept, or set STANDING_SECRET_KEY to its content. Nothing was changed.',
    )
  }
  return make(path)
}

/** The existing master key; null when there is none. Creates none. */
export async function existingSecret(config: Config): Promise<Uint8Array | null> {
  return config.secretKey ?? read(join(config.dataDir, FILE))
}

/** Writes a master key where the service looks for it, as it does with its own. The path. */
export async function storeSecret({ dataDir }: Config, secret: Uint8Array): Promise<string> {
  await makeDataDir(dataDir)
  const path = join(dataDir, FILE)
  await make(path, secret)
  return path
}

/** Where a rotation keeps the new key until it counts, so that an interrupted rotation continues with it. */
const NEXT_FILE = 'secret.key.next'

/** The new key of a rotation: the one that an earlier run made, else this one, else a random one. */
export async function nextSecret(
  { dataDir }: Config,
  given: Uint8Array | null,
): Promise<Uint8Array> {
  const path = join(dataDir, NEXT_FILE)
  return (await read(path)) ?? (await make(path, given ?? undefined))
}

/** Puts the new key in the place of the current one, in one step. The path. */
export async function replaceSecret({ dataDir }: Config): Promise<string> {
  const path = join(dataDir, FILE)
  await rename(join(dataDir, NEXT_FILE), path)
  await syncDirectory(dataDir)
  return path
}

async function read(path: string): Promise<Uint8Array | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return null
    }
    throw error
  })
  if (text === null) {
    return null
  }
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length === SECRET_BYTES) {
    return bytes
  }
  throw new UserError(
    `${path} does not contain ${SECRET_BYTES} bytes in base64. Restore it from a backup.`,
  )
}

/**
 * Written completely under another name and then linked, so that two simultaneous starts agree on
 * one secret. It is on the disk before anything is encrypted with it: a power cut must not take it from
 * a database that is there.
 */
async function make(
  path: string,
  bytes: Uint8Array = randomBytes(SECRET_BYTES),
): Promise<Uint8Array> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${Buffer.from(bytes).toString('base64')}\n`)
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') {
      throw error
    }
  })
  await unlink(draft)
  await syncDirectory(dirname(path))
  const secret = await read(path)
  if (!secret) {
    throw new UserError(
      `${path} was written, and is not there. Check the disk of the data directory.`,
    )
  }
  return secret
}
