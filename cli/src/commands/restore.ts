import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { hasData, makeDataDir } from '../../../src/startup/data-dir.ts'
import { existingSecret, storeSecret } from '../../../src/startup/master-key.ts'
import { MIGRATIONS } from '../../../src/store/postgres/migrate.ts'
import { createBatchClient } from '../../../src/store/postgres/pool.ts'
import { readArchive } from '../backup/archive.ts'
import { isKeyOf, type Summary, verifyBackup } from '../backup/backup.ts'
import { restore as fill, splitBy } from '../backup/restore.ts'
import type { InputOf, Session } from '../command.ts'
import { connectToServer, startForCommand } from '../database.ts'
import type { DATA_OPTIONS } from '../options.ts'
import { configOf } from '../settings.ts'
import { described, summaryJson } from './backup.ts'

export async function restore(
  { words: [file = ''], options }: InputOf<typeof DATA_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const summary = await verifyBackup(file)
  splitBy(summary.header, MIGRATIONS)
  const masterKey = await masterKeyFor(config, file, summary)
  // Stored first: an interruption then leaves no database without its key.
  const keyFile = (await existingSecret(config)) ? null : await storeSecret(config, masterKey)
  try {
    await fillTarget(config, file)
  } catch (error) {
    if (keyFile !== null) {
      await rm(keyFile, { force: true })
    }
    throw error
  }
  if (keyFile !== null) {
    session.note(`master key: written to ${keyFile}`)
  }
  session.show({ file, ...summaryJson(summary) }, `restored: ${described(summary)}`)
  const where = options['data-dir'] === undefined ? '' : ` --data-dir ${config.dataDir}`
  session.note(`Check it with: standing score replay --all${where}`)
  return 0
}

/** The key of this machine, or else the one in the backup. */
async function masterKeyFor(
  config: Config,
  file: string,
  { header }: Summary,
): Promise<Uint8Array> {
  const atHand = await existingSecret(config)
  const inFile = header.masterKey === null ? null : Buffer.from(header.masterKey, 'base64')
  const masterKey = atHand ?? inFile
  if (!masterKey) {
    throw new UserError(
      `The master key is not in ${file}. Put the secret.key that you kept into ${config.dataDir}, or set ` +
        'STANDING_SECRET_KEY. Nothing was changed.',
    )
  }
  if (!isKeyOf(header, masterKey)) {
    throw new UserError(
      `The given master key is not the one that ${file} was made with. Nothing was changed.`,
    )
  }
  return masterKey
}

async function fillTarget(config: Config, file: string): Promise<void> {
  const { connection, stop, undo } = await targetOf(config)
  try {
    const client = createBatchClient(connection, 'standing restore')
    await client.connect()
    await fill(client, readArchive(file), MIGRATIONS).finally(() => client.end())
  } catch (error) {
    await stop()
    await undo()
    throw error
  }
  await stop()
}

/** The database to fill; a new embedded one is removed again if that fails. */
async function targetOf(config: Config) {
  const nothing = async () => {}
  if (config.databaseUrl !== null || hasData(config.dataDir)) {
    return { ...(await connectToServer(config)), undo: nothing }
  }
  await makeDataDir(config.dataDir)
  return {
    ...(await startForCommand(config.dataDir)),
    undo: () => rm(join(config.dataDir, 'postgres'), { recursive: true, force: true }),
  }
}
