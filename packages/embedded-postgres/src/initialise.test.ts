import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  cleanUp,
  deadPid,
  newDataDir,
  query,
  start,
  startElsewhere,
  succeeded,
  unrelatedProcess,
} from './testing/fixture.ts'

afterAll(cleanUp)

describe('creating a database', () => {
  test('lets nobody in by the network, whatever it may be set to listen on later', async () => {
    const dataDir = await newDataDir()
    await (await start(dataDir)).stop()
    const text = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    const rules = text.split('\n').filter((line) => /^\w/.test(line))
    const methods = rules
      .filter((line) => line.startsWith('host'))
      .map((line) => line.trim().split(/\s+/).at(-1))
    expect(methods.length).toBeGreaterThan(0)
    expect(new Set(methods)).toEqual(new Set(['reject']))
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  })

  test('removes what an interrupted attempt left, but not what another process is creating', async () => {
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

  test('never touches a directory that contains something else', async () => {
    const dataDir = await newDataDir()
    const mine = join(dataDir, 'postgres')
    await mkdir(mine, { recursive: true })
    await writeFile(join(mine, 'thesis.txt'), 'mine')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'INIT_FAILED' })
    expect(await readdir(mine)).toEqual(['thesis.txt'])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('by two processes at once creates one, which one of them gets', async () => {
    const dataDir = await newDataDir()
    const both = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)])
    const [refused, ...others] = both.filter(({ reply }) => 'code' in reply)
    const [winner] = both.filter(({ reply }) => 'how' in reply)
    expect(others).toEqual([])
    expect(refused?.reply).toMatchObject({ code: 'IN_USE' })
    if (!winner) {
      throw new Error('neither process got the database')
    }
    expect(await query(succeeded(winner).connection, 'select 1')).toBe(1)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])
  })
})
