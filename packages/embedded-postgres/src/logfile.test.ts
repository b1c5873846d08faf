import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it as test } from 'vitest'
import { logSince, logSize, openLog, trimLog } from './logfile.ts'
import { placeIn } from './paths.ts'
import { cleanUp, openDirectory } from './testing/fixture.ts'

afterAll(cleanUp)

const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false }

describe('the log of PostgreSQL', () => {
  test('is shortened while it is written, and one generation is kept', async () => {
    const place = placeIn(await openDirectory())
    const file = await openLog(place, self)
    await file.write('first\n')
    await trimLog(place, 5)
    await file.write('second\n')
    await trimLog(place, 100)
    await file.close()
    expect(await readFile(place.logFile, 'utf8')).toBe('second\n')
    expect(await readFile(`${place.logFile}.old`, 'utf8')).toBe('first\n')
  })

  test('is quoted from where a start began, and no more than its end', async () => {
    const place = placeIn(await openDirectory())
    await writeFile(place.logFile, 'old\n')
    const offset = await logSize(place)
    await writeFile(place.logFile, `old\n${'x'.repeat(9000)}\nFATAL: no\n`)
    const quoted = await logSince(place, offset)
    expect(quoted.length).toBeLessThan(4001)
    expect(quoted.endsWith('FATAL: no')).toBe(true)
  })

  test('that is not there is empty', async () => {
    expect(await logSize(placeIn(join('/nonexistent')))).toBe(0)
  })
})
