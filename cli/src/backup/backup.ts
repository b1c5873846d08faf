/** What the commands `backup`, `backup verify` and `restore` do. */
import type pg from 'pg'
import { UserError } from '../../../src/lib/user-error.ts'
import { createVault } from '../../../src/lib/vault.ts'
import { checkValuesIn, ROOT_KEY } from '../../../src/startup/root-key.ts'
import { type BackupRecord, LATEST_BACKUP } from '../../../src/store/installation.ts'
import {
  FORM,
  type Header,
  type Line,
  publishArchive,
  readArchive,
  writeArchive,
} from './archive.ts'
import { dump } from './dump.ts'

export interface Summary {
  readonly header: Header
  readonly tables: number
  readonly rows: number
}

/**
 * Writes all data as of now, while the service runs. The master key only where it is given. The file has its name only
 * when it has been read again to its end.
 */
export function backUp(
  client: pg.ClientBase,
  file: string,
  masterKey: Uint8Array | null,
): Promise<Summary> {
  return publishArchive(file, async (draft) => {
    await writeSnapshot(client, draft, masterKey)
    return verifyBackup(draft)
  })
}

async function writeSnapshot(
  client: pg.ClientBase,
  file: string,
  masterKey: Uint8Array | null,
): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await writeArchive(file, linesOf(client, await headerOf(client, masterKey)))
  } finally {
    // A lost connection has nothing to roll back; the first error says what went wrong.
    await client.query('rollback').catch(() => {})
  }
}

/** Lets the metrics and the dashboard show the last backup. */
export async function recordBackup(client: pg.ClientBase, record: BackupRecord): Promise<void> {
  await client.query(
    `insert into installation (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [LATEST_BACKUP, JSON.stringify(record)],
  )
}

/** Reads an archive to its end, without a database. @throws UserError if it is not complete */
export async function verifyBackup(file: string): Promise<Summary> {
  const count = { tables: 0, rows: 0 }
  let header: Header | null = null
  for await (const line of counted(readArchive(file), count)) {
    if ('header' in line) {
      header = line.header
    } else if (header === null) {
      break
    }
  }
  if (header?.form !== FORM) {
    throw new UserError(`${file} is not a backup that this release can read.`)
  }
  return { header, ...count }
}

/** Whether the key opens what is encrypted in the backup. */
export function isKeyOf({ keyChecks }: Header, masterKey: Uint8Array): boolean {
  return keyChecks.includes(createVault(masterKey).checkValue)
}

async function headerOf(client: pg.ClientBase, masterKey: Uint8Array | null): Promise<Header> {
  const applied = await client.query<{ name: string }>('select name from migrations order by name')
  const stored = await client.query<{ value: string }>(
    'select value from installation where name = $1',
    [ROOT_KEY],
  )
  const keyChecks = checkValuesIn(stored.rows[0]?.value ?? null)
  if (masterKey && !keyChecks.includes(createVault(masterKey).checkValue)) {
    throw new UserError(
      'The given master key is not the one of this database, so it is not backed up.',
    )
  }
  return {
    form: FORM,
    createdAt: new Date().toISOString(),
    migrations: applied.rows.map(({ name }) => name),
    keyChecks,
    masterKey: masterKey && Buffer.from(masterKey).toString('base64'),
  }
}

async function* linesOf(client: pg.ClientBase, header: Header): AsyncGenerator<Line> {
  yield { header }
  yield* dump(client)
}

async function* counted(
  lines: AsyncIterable<Line>,
  count: { tables: number; rows: number },
): AsyncGenerator<Line> {
  for await (const line of lines) {
    count.tables += 'table' in line ? 1 : 0
    count.rows += 'rows' in line ? line.rows.length : 0
    yield line
  }
}
