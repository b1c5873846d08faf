import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BackupRecord } from '../../../src/store/installation.ts'
import { createBatchClient } from '../../../src/store/postgres/pool.ts'
import { backUp, recordBackup, type Summary, verifyBackup } from '../backup/backup.ts'
import type { InputOf, Session } from '../command.ts'
import { checkMigrations, withServer } from '../database.ts'
import { configOf, masterKeyOf } from '../settings.ts'
import type { BACKUP_OPTIONS } from '../table/data.ts'

export async function backup(
  { words: [file = ''], options, flags }: InputOf<typeof BACKUP_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const masterKey = flags.has('with-key') ? await masterKeyOf(config) : null
  await withServer(config, async ({ connection, pool }) => {
    await checkMigrations(pool)
    const client = createBatchClient(connection, 'standing backup')
    await client.connect()
    try {
      const summary = await backUp(client, file, masterKey)
      session.show({ file, ...summaryJson(summary) }, `${file}: ${described(summary)}`)
      await recordBackup(client, await recordOf(file, summary)).catch(() =>
        session.note(NOT_RECORDED),
      )
    } finally {
      await client.end()
    }
  })
  return 0
}

async function recordOf(file: string, { header, tables, rows }: Summary): Promise<BackupRecord> {
  return {
    file: resolve(file),
    asOf: Date.parse(header.createdAt),
    verifiedAt: Date.now(),
    bytes: (await stat(file)).size,
    tables,
    rows,
    hasMasterKey: header.masterKey !== null,
  }
}

const NOT_RECORDED =
  'The database was not written to, so standing_last_backup_timestamp_seconds does not show this backup.'

export async function verify(
  { words: [file = ''] }: InputOf<readonly []>,
  session: Session,
): Promise<number> {
  const summary = await verifyBackup(file)
  session.show({ file, ...summaryJson(summary) }, `${file}: complete, ${described(summary)}`)
  return 0
}

/** The master key itself is never printed. */
export function summaryJson({ header, tables, rows }: Summary) {
  const { createdAt, migrations, masterKey } = header
  return { createdAt, schema: migrations.at(-1), tables, rows, hasMasterKey: masterKey !== null }
}

export function described({ header, tables, rows }: Summary): string {
  const { createdAt, migrations, masterKey } = header
  const key = masterKey === null ? 'without the master key' : 'with the master key'
  return `${rows} rows of ${tables} tables as of ${createdAt}, schema ${migrations.at(-1)}, ${key}`
}
