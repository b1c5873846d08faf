import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { newDirectory } from '../../../test/support/once.ts'
import { pathsIn } from './paths.ts'
import { socketDirectory } from './socket.ts'
import { cleanUp, newDataDir, query, start, stoppedDatabase, track } from './testing/fixture.ts'

afterAll(cleanUp)

const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false }

describe('the socket', () => {
  test('is in the cluster’s own directory', async () => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir)
    expect(embedded.connection.host).toBe(join(dataDir, 'postgres'))
    expect(await readdir(embedded.connection.host)).toContain('.s.PGSQL.5432')
    await embedded.stop()
  })

  test('is in a short private directory when the path is too long, the same one each time', async () => {
    const dataDir = track(join(await newDataDir(), 'long'.repeat(40)))
    await mkdir(dirname(dataDir))
    await rename(await stoppedDatabase(), dataDir)
    const first = await start(dataDir)
    const { host } = first.connection
    const found = await stat(host)
    expect(host.startsWith(join(tmpdir(), 'postgres-'))).toBe(true)
    expect(found.mode & 0o777).toBe(0o700)
    expect(found.uid).toBe((await stat(join(dataDir, 'postgres'))).uid)
    expect(await query(first.connection, 'select 1')).toBe(1)
    await first.stop()
    const second = await start(dataDir)
    expect(second.connection.host).toBe(host)
    await second.stop()
    await rm(host, { recursive: true })
  })

  test('is in a private directory too when the data directory’s file system does not support sockets', async () => {
    const dataDir = await stoppedDatabase()
    // The server cannot remove this directory, so it cannot create the socket.
    await mkdir(join(dataDir, 'postgres', '.s.PGSQL.5432', 'x'), { recursive: true })
    const embedded = await start(dataDir)
    expect(embedded.connection.host.startsWith(join(tmpdir(), 'postgres-'))).toBe(true)
    expect(await query(embedded.connection, 'select 1')).toBe(1)
    await embedded.stop()
    await rm(embedded.connection.host, { recursive: true })
  })

  test('is never created in a directory that others can access', async () => {
    const dir = await newDirectory('postgres-')
    const paths = pathsIn(join(dir, 'long'.repeat(40)))
    const { host } = await socketDirectory(paths, self)
    await rm(host, { recursive: true })
    await mkdir(host, { mode: 0o755 })
    await expect(socketDirectory(paths, self)).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('TMPDIR'),
    })
    await rm(host, { recursive: true })
    await rm(dir, { recursive: true })
  })

  test('is never created in a directory of another user', async () => {
    const dir = await newDirectory('postgres-')
    const paths = pathsIn(join(dir, 'long'.repeat(40)))
    const { host } = await socketDirectory(paths, self)
    const other = { ...self, uid: self.uid + 1 }
    await mkdir(host.replace(`postgres-${self.uid}`, `postgres-${other.uid}`), { mode: 0o700 })
    await expect(socketDirectory(paths, other)).rejects.toMatchObject({ code: 'START_FAILED' })
    await rm(host, { recursive: true })
    await rm(host.replace(`postgres-${self.uid}`, `postgres-${other.uid}`), { recursive: true })
    await rm(dir, { recursive: true })
  })
})
