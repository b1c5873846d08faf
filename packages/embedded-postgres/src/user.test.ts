import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  cleanUp,
  copyDatabase,
  isRoot,
  kill,
  openDirectory,
  start,
  startElsewhere,
  succeeded,
  unprivilegedUid,
} from './testing/fixture.ts'
import { chooseAccount, parsePasswd } from './user.ts'

afterAll(cleanUp)

const account = (name: string, uid: number) => ({ name, uid, gid: uid })
const root = account('root', 0)
const daemon = account('daemon', 1)
const nobody = account('nobody', 65534)
const postgres = account('postgres', 101)
const me = account('me', 1000)

describe('as root, a new database is run by', () => {
  test('the owner of its directory, if that user has an account', () => {
    const all = [root, daemon, nobody, me, postgres]
    expect(chooseAccount(all, { uid: 1000, gid: 1000 })).toBe(me)
    expect(chooseAccount(all, { uid: 4711, gid: 4711 })).toBe(postgres)
  })

  test('or else postgres, nobody, or another user that is not root', () => {
    expect(chooseAccount([root, daemon, nobody, postgres], root)).toBe(postgres)
    expect(chooseAccount([root, daemon, nobody], undefined)).toBe(nobody)
    expect(chooseAccount([root, daemon], undefined)).toBe(daemon)
    expect(chooseAccount([root], undefined)).toBe(undefined)
  })
})

describe('/etc/passwd', () => {
  test('is read without the lines that are not accounts', () => {
    const text =
      'root:x:0:0:root:/root:/bin/sh\n\n# note\n+::::::\nme:x:1000:100:Me:/home/me:/bin/sh\n'
    expect(parsePasswd(text)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'me', uid: 1000, gid: 100 },
    ])
  })
})

describe.skipIf(!isRoot)('as root: with several users', () => {
  test('a database runs as another user without root, and root runs that database as that user', async () => {
    const uid = await unprivilegedUid()
    const dir = await ownedDirectory(uid)
    const other = await startElsewhere(dir, { uid })
    const { pid } = succeeded(other)
    expect((await stat(`/proc/${pid}`)).uid).toBe(uid)
    expect((await stat(join(dir, 'postgres'))).uid).toBe(uid)
    await kill(other.child)
    const embedded = await start(dir)
    expect(embedded).toMatchObject({ how: 'attached', pid })
    await embedded.stop()
    const again = await start(dir)
    expect((await stat(`/proc/${again.pid}`)).uid).toBe(uid)
    await again.stop()
  })

  test('another user’s database is refused with what to do', async () => {
    const dataDir = join(await openDirectory(), 'data')
    await copyDatabase(dataDir)
    // First a closed directory, then one where only the cluster inside is closed.
    for (const mode of [0o700, 0o755]) {
      await chmod(dataDir, mode)
      const { reply } = await startElsewhere(dataDir, { uid: await unprivilegedUid() })
      expect(reply).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('chown') })
    }
  })

  test('a directory that the user can enter but not write to is refused', async () => {
    const dir = await openDirectory()
    // To be created in such a directory, or such a directory itself.
    for (const dataDir of [join(dir, 'data'), dir]) {
      const { reply } = await startElsewhere(dataDir, { uid: await unprivilegedUid() })
      expect(reply).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('use a directory that this user can write to'),
      })
    }
  })
})

/** A data directory that belongs to `uid` and can be reached by it. */
async function ownedDirectory(uid: number): Promise<string> {
  const dir = join(await openDirectory(), 'data')
  await mkdir(dir)
  await chown(dir, uid, uid)
  return dir
}
