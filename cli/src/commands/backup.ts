import { UserError } from '../../../src/lib/user-error.ts'
import { existingSecret } from '../../../src/startup/master-key.ts'
import { createBatchClient, createPool } from '../../../src/store/postgres/pool.ts'
import { backUp, recordBackup, type Summary, verifyBackup } from '../backup/backup.ts'
import { defineCommand } from '../command.ts'
import { checkMigrations, connectToServer } from '../database.ts'
import { configOf, DATA_OPTIONS } from '../settings.ts'

export const backup = defineCommand({
  name: 'backup',
  operands: ['FILE'],
  summary: 'Write all data to a file, while the service runs or not',
  details:
    'The file is readable by its owner alone. The master key is not in it: keep secret.key (or\n' +
    'STANDING_SECRET_KEY) in another place, because a backup without it cannot be used.',
  options: [
    {
      name: 'with-key',
      help: 'also write the master key; who has the file can then read everything',
    },
    ...DATA_OPTIONS,
  ],
  example: 'standing backup standing.backup',
  async run({ words: [file = ''], options, flags }, { env, say }) {
    const config = configOf(env, options)
    const masterKey = flags.has('with-key') ? await existingSecret(config) : null
    if (flags.has('with-key') && !masterKey) {
      throw new UserError('There is no master key: set STANDING_SECRET_KEY, or STANDING_DATA_DIR.')
    }
    const { connection, stop } = await connectToServer(config)
    try {
      const pool = createPool(connection, { max: 1 })
      await checkMigrations(pool).finally(() => pool.end())
      const client = createBatchClient(connection, 'standing backup')
      await client.connect()
      try {
        const summary = await backUp(client, file, masterKey)
        say(`${file}: ${described(summary)}`)
        await recordBackup(client).catch(() => say(NOT_RECORDED))
      } finally {
        await client.end()
      }
    } finally {
      await stop()
    }
    return 0
  },
})

const NOT_RECORDED =
  'The database was not written to, so standing_last_backup_timestamp_seconds does not show this backup.'

export const backupVerify = defineCommand({
  name: 'backup verify',
  operands: ['FILE'],
  summary: 'Check that a backup is complete and unchanged',
  options: [],
  example: 'standing backup verify standing.backup',
  async run({ words: [file = ''] }, { say }) {
    say(`${file}: complete, ${described(await verifyBackup(file))}`)
    return 0
  },
})

export function described({ header, tables, rows }: Summary): string {
  const { createdAt, migrations, masterKey } = header
  const key = masterKey === null ? 'without the master key' : 'with the master key'
  return `${rows} rows of ${tables} tables as of ${createdAt}, schema ${migrations.at(-1)}, ${key}`
}
