import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UserError } from '../lib/user-error.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'

test('an embedded database that cannot be used fails and names the setting that helps', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'standing-embedded-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'thesis.txt'), 'mine')
  const failed = await startEmbeddedDatabase({ dataDir }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(UserError)
  expect(String(failed)).toMatch(/contains no PostgreSQL data.*set DATABASE_URL/)
})
