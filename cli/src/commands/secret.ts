import { randomBytes } from 'node:crypto'
import type { Config } from '../../../src/config.ts'
import { readConfig } from '../../../src/config.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { SECRET_BYTES } from '../../../src/lib/vault.ts'
import { existingSecret, nextSecret, replaceSecret } from '../../../src/startup/master-key.ts'
import { addMasterKey, keepOnlyMasterKey } from '../../../src/startup/root-key.ts'
import { defineCommand, type Terminal } from '../command.ts'
import { type Database, openDatabase } from '../database.ts'
import { configOf, DATA_OPTIONS } from '../settings.ts'

export const secretRotate = defineCommand({
  name: 'secret rotate',
  operands: [],
  summary: 'Replace the master key, while the service runs or not',
  details:
    'With secret.key in the data directory, the file is replaced and the old key ends. With\n' +
    'STANDING_SECRET_KEY, both keys work until `standing secret finish`, so that nodes can be restarted\n' +
    'one after the other. Cut short, it goes on where it was when it is run again.',
  options: [
    { name: 'new-secret-key', value: 'KEY', help: 'base64, 32 bytes; a random one by default' },
    ...DATA_OPTIONS,
  ],
  example: 'standing secret rotate',
  async run({ options }, terminal) {
    const config = configOf(terminal.env, options)
    const current = await keyOf(config)
    const given = options['new-secret-key']
    return withDatabase(config, async ({ store }) => {
      if (config.secretKey) {
        const next = given === undefined ? randomBytes(SECRET_BYTES) : parsed(given)
        await addMasterKey(store, current, next)
        return announce(terminal, next)
      }
      const next = await nextSecret(config, given === undefined ? null : parsed(given))
      await addMasterKey(store, current, next)
      const path = await replaceSecret(config)
      await keepOnlyMasterKey(store, next)
      terminal.say(`${path} holds the new master key; the old one no longer opens the database`)
      terminal.say('Keep a copy of it in another place. Backups made before need the old key.')
    })
  },
})

export const secretFinish = defineCommand({
  name: 'secret finish',
  operands: [],
  summary: 'End every master key but the one at hand',
  options: DATA_OPTIONS,
  example: 'standing secret finish',
  async run({ options }, { env, say }) {
    const config = configOf(env, options)
    const current = await keyOf(config)
    return withDatabase(config, async ({ store }) => {
      await keepOnlyMasterKey(store, current)
      say('only this master key opens the database')
    })
  },
})

function announce({ say }: Terminal, next: Uint8Array): void {
  say(`new master key: ${Buffer.from(next).toString('base64')}`)
  say(
    'Both keys work now. Set STANDING_SECRET_KEY to the new one on every node, restart the nodes one',
  )
  say('after the other, and then end the old key: standing secret finish')
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
