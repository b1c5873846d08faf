import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSyncedLines } from './synced-lines.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standing-lines-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('entries are in the file, in order, once their append has resolved', async () => {
  const path = join(folder, 'lines')
  const file = await openSyncedLines(path)
  await Promise.all([file.append([{ n: 1 }, { n: 2 }]), file.append([{ n: 3 }])])
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  await file.append([{ n: 4 }])
  expect(await readFile(path, 'utf8')).toMatch(/\{"n":4\}\n$/)
  await file.close()
})

test('continues a file that exists, and waits for what is being written when it closes', async () => {
  const path = join(folder, 'lines')
  for (const n of [1, 2]) {
    const file = await openSyncedLines(path)
    void file.append([{ n }])
    await file.close()
  }
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n')
})

test('an append that cannot be written is rejected', async () => {
  const file = await openSyncedLines('/dev/full')
  await expect(file.append([{ n: 1 }])).rejects.toThrow('ENOSPC')
  await file.close()
})
