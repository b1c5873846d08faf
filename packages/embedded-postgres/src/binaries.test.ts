import { chmod, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { versionOf } from './binaries.ts'
import { copyBinaries } from './copy-binaries.ts'
import {
  canDropRights,
  cleanUp,
  copyDatabase,
  giveTo,
  installedWithoutScripts,
  isRoot,
  newDataDir,
  openDirectory,
  query,
  start,
  startElsewhere,
  stoppedDatabase,
  succeeded,
  unprivilegedUid,
} from './testing/fixture.ts'

afterAll(cleanUp)

describe('binaries whose install script did not run', () => {
  test('get their links in place', async () => {
    const native = await installedWithoutScripts(await openDirectory())
    const embedded = await start(await stoppedDatabase(), { native })
    expect(await readlink(join(native, 'lib', 'libicuuc.so.60'))).toBe('libicuuc.so.60.2')
    await embedded.stop()
  })

  test('are copied into the data directory when their own directory is read-only', async () => {
    const native = await installedWithoutScripts(await openDirectory())
    await chmod(join(native, 'lib'), 0o555)
    const dataDir = join(await openDirectory(), 'data')
    await copyDatabase(dataDir)
    // Root can write anywhere, so as root the test runs it as another user.
    const uid = isRoot ? await unprivilegedUid() : undefined
    if (uid) {
      await giveTo(uid, dataDir)
    }
    const first = await startElsewhere(dataDir, { native, ...(uid ? { uid } : {}) })
    expect(await query(succeeded(first).connection, 'select 1')).toBe(1)
    expect(await readdir(dataDir)).toContain(`binaries-${await versionOf(native)}`)
    expect(await readdir(join(native, 'lib'))).not.toContain('libicuuc.so.60')
    await chmod(join(native, 'lib'), 0o755)
  })
})

describe.skipIf(!isRoot)('as root: binaries that the server’s user cannot access', () => {
  test('are copied to the temporary directory once, and an incomplete copy is completed', async () => {
    const hidden = await openDirectory()
    await chmod(hidden, 0o700)
    const native = await installedWithoutScripts(hidden)
    const tmp = await openDirectory()
    const dataDir = await stoppedDatabase()
    const first = await startElsewhere(dataDir, { native, tmp })
    expect(succeeded(first).how).toBe('started')
    const [copy = ''] = await readdir(tmp)
    expect(copy).toMatch(/^postgres-binaries-18\.4\.0-beta\.17-\d+$/)

    first.child.kill('SIGKILL')
    await (await start(dataDir)).stop()
    await rm(join(tmp, copy, 'share'), { recursive: true })
    const second = await startElsewhere(dataDir, { native, tmp })
    expect(
      await query(succeeded(second).connection, "select now() at time zone 'Asia/Tokyo' > now()"),
    ).toBe(true)
    expect(await readdir(tmp)).toEqual([copy])
  })

  test('are copied into the data directory if the user can access it, and old copies are removed', async () => {
    const hidden = await openDirectory()
    await chmod(hidden, 0o700)
    const native = await installedWithoutScripts(hidden)
    const dataDir = join(await openDirectory(), 'data')
    await copyDatabase(dataDir)
    await chmod(dataDir, 0o755)
    await mkdir(join(dataDir, 'binaries-17.0.0'))
    const embedded = await start(dataDir, { native })
    const copies = (await readdir(dataDir)).filter((name) => name.startsWith('binaries-'))
    expect(copies).toEqual([`binaries-${await versionOf(native)}`])
    await embedded.stop()
  })
})

describe.skipIf(!canDropRights)(
  'as root, with setpriv: a root without permission to become another user',
  () => {
    test('fails and says to start as another user', async () => {
      const other = await startElsewhere(await newDataDir(), { without: 'setuid' })
      expect(other.reply).toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(
          /may not start a program as another user.*Start as another user/,
        ),
      })
    })
  },
)

describe('the directory for a copy', () => {
  test('is refused when it is a link, or when others can write to it', async () => {
    const dir = await openDirectory()
    const native = join(dir, 'native')
    await mkdir(join(native, 'bin'), { recursive: true })
    await writeFile(join(native, 'bin', 'postgres'), '')
    await symlink(native, join(dir, 'link'))
    await mkdir(join(dir, 'shared'))
    await chmod(join(dir, 'shared'), 0o777)
    for (const name of ['link', 'shared']) {
      await expect(copyBinaries(native, join(dir, name))).rejects.toMatchObject({
        code: 'START_FAILED',
      })
    }
  })
})
