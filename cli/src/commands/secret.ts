import { randomBytes } from 'node:crypto'
import { readConfig } from '../../../src/config.ts'
import { SECRET_BYTES } from '../../../src/lib/secret-bytes.ts'
import { UsageError } from '../../../src/lib/user-error.ts'
import { nextSecret, replaceSecret } from '../../../src/startup/master-key.ts'
import { addMasterKey, keepOnlyMasterKey } from '../../../src/startup/root-key.ts'
import type { InputOf, Session } from '../command.ts'
import { withDatabase } from '../database.ts'
import type { DATA_OPTIONS } from '../options.ts'
import { configOf, masterKeyOf } from '../settings.ts'
import type { ROTATE_OPTIONS } from '../table/data.ts'

export async function rotate(
  { options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const current = await masterKeyOf(config)
  const given = options['new-secret-key']
  await withDatabase(config, async ({ store }) => {
    if (config.secretKey) {
      const next = given === undefined ? randomBytes(SECRET_BYTES) : parsed(given)
      await addMasterKey(store, current, next)
      announce(session, next)
      return
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
  return 0
}

export async function finish(
  { options }: InputOf<typeof DATA_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const current = await masterKeyOf(config)
  await withDatabase(config, ({ store }) => keepOnlyMasterKey(store, current))
  session.show({ finished: true }, 'only this master key opens the database')
  return 0
}

function announce({ show, note }: Session, next: Uint8Array): void {
  const masterKey = Buffer.from(next).toString('base64')
  show({ masterKey }, `new master key: ${masterKey}`)
  note(
    'Both keys work now. Set STANDING_SECRET_KEY to the new one on every node, restart the nodes one',
  )
  note('after the other, and then end the old key: standing secret finish')
}

/** @throws UsageError in the words of the setting that holds such a key */
function parsed(text: string): Uint8Array {
  const { secretKey } = readConfig({ STANDING_SECRET_KEY: text })
  if (!secretKey) {
    throw new UsageError('--new-secret-key is empty.')
  }
  return secretKey
}
