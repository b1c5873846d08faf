import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it as test } from 'vitest'
import {
  cleanUp,
  deadPid,
  newDataDir,
  query,
  start,
  startElsewhere,
  stranger,
  succeeded,
} from './testing/fixture.ts'

afterAll(cleanUp)

describe('making a database', () => {
  test('removes what a crash during an earlier attempt left, but not what is being made', async () => {
    const dataDir = await newDataDir()
    const maker = await stranger()
    const dead = `postgres.new-${await deadPid()}-0a1b2c3d`
    const ourPidBeforeRestart = `postgres.new-${process.pid}-0a1b2c3d`
    const live = `postgres.new-${maker.pid}-0a1b2c3d`
    for (const name of [dead, ourPidBeforeRestart, live]) {
      await mkdir(join(dataDir, name, 'base'), { recursive: true })
      await writeFile(join(dataDir, name, 'PG_VERSION'), '18\n')
    }
    // Empty, as a mounted volume is at first.
    await mkdir(join(dataDir, 'postgres'))
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('initialised')
    await embedded.stop()
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', live].sort())
  })

  test('never touches a directory that holds something else', async () => {
    const dataDir = await newDataDir()
    const mine = join(dataDir, 'postgres')
    await mkdir(mine, { recursive: true })
    await writeFile(join(mine, 'thesis.txt'), 'mine')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'INIT_FAILED' })
    expect(await readdir(mine)).toEqual(['thesis.txt'])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('by two processes at once makes one, which one of them gets', async () => {
    const dataDir = await newDataDir()
    const both = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)])
    const [refused, ...others] = both.filter(({ reply }) => 'code' in reply)
    const [winner] = both.filter(({ reply }) => 'how' in reply)
    expect(others).toEqual([])
    expect(refused?.reply).toMatchObject({ code: 'HELD' })
    if (!winner) {
      throw new Error('neither got it')
    }
    expect(await query(succeeded(winner).connection, 'select 1')).toBe(1)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])
  })
})
