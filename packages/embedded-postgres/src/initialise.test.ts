import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from './connect.ts'
import {
  cleanUp,
  deadPid,
  newDataDir,
  type Other,
  query,
  start,
  startElsewhere,
  succeeded,
  unrelatedProcess,
} from './testing/fixture.ts'

afterAll(cleanUp)

describe('a data directory that does not exist', () => {
  let dataDir: string
  let both: readonly Other[]
  let connection: Connection
  beforeAll(async () => {
    // As root, in a directory that the server's user cannot enter, like /root.
    dataDir = await newDataDir()
    both = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)])
    const winner = both.find(({ reply }) => 'how' in reply)
    if (!winner) {
      throw new Error('neither process got the database')
    }
    connection = succeeded(winner).connection
  })

  test('is initialised once when two processes start at the same time, and used by one of them', async () => {
    const [refused, ...others] = both.filter(({ reply }) => 'code' in reply)
    expect(others).toEqual([])
    expect(refused?.reply).toMatchObject({ code: 'IN_USE' })
    // The other process may lock the server before the one that started it.
    const [how] = both.flatMap(({ reply }) => ('how' in reply ? [reply.how] : []))
    expect(['initialised', 'attached']).toContain(how)
    expect(await query(connection, 'select 1')).toBe(1)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])
  })

  test('becomes a private database in UTF-8 that does not belong to root', async () => {
    expect((await stat(join(dataDir, '..'))).mode & 0o777).toBe(0o700)
    expect(connection).toMatchObject({ user: 'postgres', database: 'postgres' })
    expect(await query(connection, 'select current_user::text')).toBe('postgres')
    expect(await query(connection, 'show server_encoding')).toBe('UTF8')
    expect(await query(connection, "select lower('ÄÖ') || upper('é')")).toBe('äöÉ')
    const cluster = await stat(join(dataDir, 'postgres'))
    expect(cluster.mode & 0o777).toBe(0o700)
    expect(cluster.uid).not.toBe(0)
  })

  test('refuses all network connections, even if it listens on an address later', async () => {
    const text = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    const rules = text.split('\n').filter((line) => /^\w/.test(line))
    const methods = rules
      .filter((line) => line.startsWith('host'))
      .map((line) => line.trim().split(/\s+/).at(-1))
    expect(methods.length).toBeGreaterThan(0)
    expect(new Set(methods)).toEqual(new Set(['reject']))
  })
})

describe('creating a database', () => {
  test('removes the remains of an interrupted attempt, but not of a running one', async () => {
    const dataDir = await newDataDir()
    const creator = await unrelatedProcess()
    const dead = `postgres.new-${await deadPid()}-0a1b2c3d`
    const samePidBeforeRestart = `postgres.new-${process.pid}-0a1b2c3d`
    const live = `postgres.new-${creator.pid}-0a1b2c3d`
    for (const name of [dead, samePidBeforeRestart, live]) {
      await mkdir(join(dataDir, name, 'base'), { recursive: true })
      await writeFile(join(dataDir, name, 'PG_VERSION'), '18\n')
    }
    // Empty, like a mounted volume at first.
    await mkdir(join(dataDir, 'postgres'))
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('initialised')
    await embedded.stop()
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', live].sort())
  })

  test('never changes a directory that contains other files', async () => {
    const dataDir = await newDataDir()
    const mine = join(dataDir, 'postgres')
    await mkdir(mine, { recursive: true })
    await writeFile(join(mine, 'thesis.txt'), 'mine')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'INIT_FAILED' })
    expect(await readdir(mine)).toEqual(['thesis.txt'])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })
})
