import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startDiskGuard } from './disk.ts'
import { createReserve, RESERVE_BYTES } from './disk-reserve.ts'

const dir = await mkdtemp(join(tmpdir(), 'standing-disk-'))
afterAll(() => rm(dir, { recursive: true }))
const log = pino({ level: 'silent' })

const MIB = 1024 ** 2
const PETABYTE = 1024 ** 5

test('writes are refused below the free-space minimum, or when the database reports a full disk', async () => {
  const guard = (freeMib: number) =>
    startDiskGuard({ dir, freeMinBytes: 256 * MIB, log, measure: async () => freeMib * MIB })
  const low = await guard(255)
  expect([low.problem(), low.freeBytes()]).toEqual(['the disk is nearly full', 255 * MIB])
  const enough = await guard(257)
  expect(enough.problem()).toBeNull()
  enough.reportFull()
  expect(enough.problem()).toBe('the disk is nearly full')
  const elsewhere = await startDiskGuard({ dir: null, freeMinBytes: 256 * MIB, log })
  expect([elsewhere.problem(), elsewhere.freeBytes()]).toEqual([null, null])
  await Promise.all([low, enough, elsewhere].map((one) => one.close()))
})

test('disk space is reserved while there is plenty, kept while there is little, and released when there is none', async () => {
  const { adjust } = createReserve(dir, log)
  const min = 256 * MIB
  await adjust(min, min)
  expect(await readdir(dir)).toEqual([])
  await adjust(min + 3 * RESERVE_BYTES, min)
  const { size, blocks, mode } = await stat(join(dir, 'reserve'))
  expect([size, mode & 0o777]).toEqual([RESERVE_BYTES, 0o600])
  expect(blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES)
  await adjust(100 * MIB, min)
  expect(await readdir(dir)).toEqual(['reserve'])
  await adjust(10 * MIB, min)
  expect(await readdir(dir)).toEqual([])
})

test('a reserve that was written in part is completed, or released when no disk space is left', async () => {
  const { adjust } = createReserve(dir, log)
  const path = join(dir, 'reserve')
  await writeFile(path, Buffer.alloc(MIB))
  await adjust(100 * MIB, MIB)
  expect((await stat(path)).size).toBe(MIB)
  await adjust(1_000 * MIB, MIB)
  expect((await stat(path)).size).toBe(RESERVE_BYTES)
  await writeFile(path, Buffer.alloc(MIB))
  await adjust(10 * MIB, MIB)
  expect(await readdir(dir)).toEqual([])
})

test('free space on a real disk is measured, and disk space is reserved on it', async () => {
  const own = await mkdtemp(join(tmpdir(), 'standing-disk-'))
  onTestFinished(() => rm(own, { recursive: true }))
  const guard = await startDiskGuard({ dir: own, freeMinBytes: MIB, log })
  expect([guard.problem(), await readdir(own)]).toEqual([null, ['reserve']])
  expect(guard.freeBytes()).toBeGreaterThan(MIB)
  await guard.close()
  // A disk on which so much is never free: writes are refused, and the reserve is kept for the database.
  const low = await startDiskGuard({ dir: own, freeMinBytes: PETABYTE, log })
  expect([low.problem(), await readdir(own)]).toEqual(['the disk is nearly full', ['reserve']])
  await low.close()
})
