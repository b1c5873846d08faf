import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  FIXED,
  machineOf,
  SETTINGS,
  settingArguments,
  sharedMemoryType,
  sizedSettings,
} from './settings.ts'
import { cleanUp, query, start, stoppedDatabase } from './testing/fixture.ts'

afterAll(cleanUp)

describe('the settings', () => {
  let embedded: Awaited<ReturnType<typeof start>>
  let dataDir: string
  beforeAll(async () => {
    dataDir = await stoppedDatabase()
    embedded = await start(dataDir, { settings: { work_mem: '9MB', listen_addresses: '*' } })
  })

  const shown = (name: string) => query(embedded.connection, `show "${name}"`)

  test.each([...SETTINGS, ...FIXED])('%s is %s: %s', async (name, value) => {
    const expected = value === '60s' ? '1min' : value
    expect(await shown(name)).toBe(expected)
  })

  test('can be overridden by the caller, except those that keep the server private', async () => {
    expect(await shown('work_mem')).toBe('9MB')
    expect(await shown('listen_addresses')).toBe('')
  })

  test('keep the values of a refused row out of the log', async () => {
    const insert = () => query(embedded.connection, "insert into t values ('ada@example.org')")
    await query(embedded.connection, 'create table t (email text unique)')
    await insert()
    await expect(insert()).rejects.toThrow('duplicate key')
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
    expect(log).toContain('duplicate key')
    expect(log).not.toContain('ada@')
  })
})

describe('the settings by the size of the machine', () => {
  const GB = 1024 ** 3
  test.each([
    { machine: 'a small container', memoryGb: 0.5, freeGb: 2, buffers: '128MB', log: '1024MB' },
    { machine: 'a laptop', memoryGb: 8, freeGb: 40, buffers: '256MB', log: '2560MB' },
    { machine: 'a server', memoryGb: 256, freeGb: 4_000, buffers: '512MB', log: '4096MB' },
  ])('on $machine: $buffers of buffers, $log of log', ({ memoryGb, freeGb, buffers, log }) => {
    const size = { memoryBytes: memoryGb * GB, freeBytes: freeGb * GB }
    expect(sizedSettings(size)).toEqual({ shared_buffers: buffers, max_wal_size: log })
  })

  test('are what a server starts with', async () => {
    const dataDir = await stoppedDatabase()
    const { connection } = await start(dataDir)
    const { shared_buffers } = sizedSettings(await machineOf(dataDir))
    expect(await query(connection, 'show shared_buffers')).toBe(shared_buffers)
  })
})

describe('shared memory', () => {
  test('uses files in the data directory where /dev/shm is missing', async () => {
    expect(await sharedMemoryType(join(import.meta.dirname, 'none'))).toBe(
      process.platform === 'linux' ? 'mmap' : 'posix',
    )
  })

  test('works with files in the data directory', async () => {
    const args = await settingArguments('.', '.', 'x', { dynamic_shared_memory_type: 'mmap' })
    expect(args).toContain('dynamic_shared_memory_type=mmap')
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir, { settings: { dynamic_shared_memory_type: 'mmap' } })
    expect(await query(embedded.connection, 'select 1')).toBe(1)
    await embedded.stop()
  })
})
