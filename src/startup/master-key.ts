import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { UserError } from '../lib/user-error.ts'
import { SECRET_BYTES } from '../lib/vault.ts'
import { makeDataDir, unusable } from './data-dir.ts'

const FILE = 'secret.key'

/** The master key: the setting, or a file beside the data that is created at the first start. */
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
    return (await read(path)) ?? (await make(path))
  } catch (error) {
    throw unusable(config.dataDir, error)
  }
}

/** The existing master key; null when there is none. Creates none. */
export async function existingSecret(config: Config): Promise<Uint8Array | null> {
  return config.secretKey ?? read(join(config.dataDir, FILE))
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
 * one secret.
 */
async function make(path: string): Promise<Uint8Array> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') {
      throw error
    }
  })
  await unlink(draft)
  const secret = await read(path)
  if (!secret) {
    throw new UserError(`${path} could not be written.`)
  }
  return secret
}
