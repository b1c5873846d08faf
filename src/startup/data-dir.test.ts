import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDataDir } from './data-dir.ts'

test('other users cannot list the data directory or write to it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'standing-dir-'))
  const dataDir = join(parent, 'above', 'data')
  await makeDataDir(dataDir)
  for (const dir of [join(parent, 'above'), dataDir]) {
    expect((await stat(dir)).mode & 0o066).toBe(0)
  }
  await rm(parent, { recursive: true })
})
