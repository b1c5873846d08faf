import { randomBytes } from 'node:crypto'
import type { Config } from '../../../src/config.ts'
import { readConfig } from '../../../src/config.ts'
import { SECRET_BYTES } from '../../../src/lib/secret-bytes.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { existingSecret, nextSecret, replaceSecret } from '../../../src/startup/master-key.ts'
import { addMasterKey, keepOnlyMasterKey } from '../../../src/startup/root-key.ts'
import type { InputOf, Session } from '../command.ts'
import { type Database, openDatabase } from '../database.ts'
import type { DATA_OPTIONS } from '../options.ts'
import { configOf } from '../settings.ts'
import type { ROTATE_OPTIONS } from '../table/data.ts'

export async function rotate(
  { options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const current = await keyOf(config)
  const given = options['new-secret-key']
  return withDatabase(config, async ({ store }) => {
    if (config.secretKey) {
      const next = given === undefined ? randomBytes(SECRET_BYTES) : parsed(given)
      await addMasterKey(store, current, next)
      return announce(session, next)
    }
    const next = await nextSecret(config, given === undefined ? null : parsed(given))
    await addMasterKey(store, current, next)
    const path = await replaceSecret(config)
    await keepOnlyMasterKey(store, next)
    session.show(
      { file: path },
      `${path} holds the new master key; the old one no longer opens the database`,
    )
    session.note('Keep a copy of it in another place. Backups made before need the old key.')
  })
}

export async function finish(
  { options }: InputOf<typeof DATA_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const current = await keyOf(config)
  return withDatabase(config, async ({ store }) => {
    await keepOnlyMasterKey(store, current)
    session.show({ finished: true }, 'only this master key opens the database')
  })
}

function announce({ show, note }: Session, next: Uint8Array): void {
  const masterKey = Buffer.from(next).toString('base64')
  show({ masterKey }, `new master key: ${masterKey}`)
  note(
    'Both keys work now. Set STANDING_SECRET_KEY to the new one on every node, restart the nodes one',
  )
  note('after the other, and then end the old key: standing secret finish')
}

async function withDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
): Promise<number> {
  const database = await openDatabase(config)
  try {
    await work(database)
    return 0
  } finally {
    await database.close()
  }
}

async function keyOf(config: Config): Promise<Uint8Array> {
  const key = await existingSecret(config)
  if (!key) {
    throw new UserError('There is no master key: set STANDING_SECRET_KEY, or STANDING_DATA_DIR.')
  }
  return key
}

function parsed(text: string): Uint8Array {
  const { secretKey } = readConfig({ STANDING_SECRET_KEY: text })
  if (!secretKey) {
    throw new UserError('--new-secret-key is empty.')
  }
  return secretKey
}
