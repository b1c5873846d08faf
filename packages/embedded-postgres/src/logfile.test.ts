import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { logSince, logSize, openLog, trimLog } from './logfile.ts'
import { pathsIn } from './paths.ts'
import { cleanUp, openDirectory } from './testing/fixture.ts'

afterAll(cleanUp)

const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false }

describe('the log of PostgreSQL', () => {
  test('is truncated while it is written, and one older file is kept', async () => {
    const paths = pathsIn(await openDirectory())
    const file = await openLog(paths, self)
    await file.write('first\n')
    await trimLog(paths, 5)
    await file.write('second\n')
    await trimLog(paths, 100)
    await file.close()
    expect(await readFile(paths.logFile, 'utf8')).toBe('second\n')
    expect(await readFile(`${paths.logFile}.old`, 'utf8')).toBe('first\n')
  })

  test('is quoted in errors from the current start on, and only its end', async () => {
    const paths = pathsIn(await openDirectory())
    await writeFile(paths.logFile, 'old\n')
    const offset = await logSize(paths)
    await writeFile(paths.logFile, `old\n${'x'.repeat(9000)}\nFATAL: no\n`)
    const quoted = await logSince(paths, offset)
    expect(quoted.length).toBeLessThan(4001)
    expect(quoted.endsWith('FATAL: no')).toBe(true)
  })

  test('is empty before the first start', async () => {
    expect(await logSize(pathsIn(join('/nonexistent')))).toBe(0)
  })
})
