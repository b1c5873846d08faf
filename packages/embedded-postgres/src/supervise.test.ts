import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it as test } from 'vitest'
import type { Embedded } from './index.ts'
import { placeIn, serverName } from './paths.ts'
import { inspect } from './pidfile.ts'
import { isAlive } from './process.ts'
import {
  cleanUp,
  isRoot,
  kill,
  newDataDir,
  query,
  start,
  startElsewhere,
  stoppedDatabase,
  succeeded,
} from './testing/fixture.ts'
import { until } from './wait.ts'

afterAll(cleanUp)

const ourSession = "select pid from pg_stat_activity where application_name like 'standing %'"

/** Waits for something that is bound to happen; the test's own limit ends it otherwise. */
async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  expect(await until(async () => check(), 10, 20_000)).toBe(true)
}

describe('a data directory that is not there', () => {
  test('becomes a database in UTF-8, owned by no root, that nobody else can look into', async () => {
    // For root this lies, as below /root, where the server's user cannot go.
    const dataDir = await newDataDir()
    expect((await stat(join(dataDir, '..'))).mode & 0o777).toBe(0o700)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('initialised')
    expect(embedded.connection).toMatchObject({ user: 'standing', database: 'standing' })
    expect(await query(embedded.connection, 'select current_user::text')).toBe('standing')
    expect(await query(embedded.connection, 'show server_encoding')).toBe('UTF8')
    expect(await query(embedded.connection, "select lower('ÄÖ') || upper('é')")).toBe('äöÉ')
    const cluster = await stat(join(dataDir, 'postgres'))
    expect(cluster.mode & 0o777).toBe(0o700)
    expect(cluster.uid).not.toBe(0)
    await embedded.stop()
  })
})

describe('a database that is there', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await stoppedDatabase()
  })

  test('is started again with all that was written', async () => {
    const first = await start(dataDir)
    await query(first.connection, 'create table kept as select 42 as n')
    await first.stop()
    expect(await isAlive(first.pid)).toBe(false)
    const second = await start(dataDir)
    expect(second.how).toBe('started')
    expect(await query(second.connection, 'select n from kept')).toBe(42)
    await second.stop()
  })

  test('may be stopped twice', async () => {
    const embedded = await start(dataDir)
    await Promise.all([embedded.stop(), embedded.stop()])
    await embedded.stop()
    expect(await isAlive(embedded.pid)).toBe(false)
  })

  test('is adopted, with its sessions, after a crash of the process that started it', async () => {
    const { child, reply } = await startElsewhere(dataDir).then((other) => ({
      child: other.child,
      reply: succeeded(other),
    }))
    await query(reply.connection, 'create table survived as select 7 as n')
    await kill(child)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('adopted')
    expect(embedded.pid).toBe(reply.pid)
    expect(embedded.connection).toEqual(reply.connection)
    expect(await query(embedded.connection, 'select n from survived')).toBe(7)
    await embedded.stop()
    expect(await isAlive(reply.pid)).toBe(false)
  })

  test('is refused while another live process has it, who is named and not disturbed', async () => {
    const holder = await startElsewhere(dataDir)
    const { pid, connection } = succeeded(holder)
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'HELD',
      message: expect.stringContaining(`process ${holder.child.pid}`),
    })
    expect(await isAlive(pid)).toBe(true)
    expect(await query(connection, 'select 1')).toBe(1)
    await kill(holder.child)
    const next = await start(dataDir)
    expect(next.pid).toBe(pid)
    await next.stop()
  })

  test('is refused, untouched, when another major version wrote it', async () => {
    const other = await stoppedDatabase()
    await writeFile(join(other, 'postgres', 'PG_VERSION'), '15\n')
    const before = await readdir(other, { recursive: true })
    await expect(start(other)).rejects.toMatchObject({
      code: 'WRONG_VERSION',
      message: expect.stringMatching(/PostgreSQL 15.*18/s),
    })
    expect(await readdir(other, { recursive: true })).toEqual(before)
  })

  test('that does not start says why, in the words of PostgreSQL', async () => {
    await expect(start(dataDir, { settings: { wal_level: 'nonsense' } })).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('invalid value for parameter "wal_level"'),
    })
  })

  test.skipIf(!isRoot)('(as root) is handed over when a copy made it belong to root', async () => {
    const copy = await stoppedDatabase()
    for (const name of ['', ...(await readdir(join(copy, 'postgres'), { recursive: true }))]) {
      await chown(join(copy, 'postgres', name), 0, 0)
    }
    await chmod(join(copy, 'postgres'), 0o755)
    const embedded = await start(copy)
    expect(await query(embedded.connection, 'select 1')).toBe(1)
    await embedded.stop()
  })
})

describe('a server that dies while we live', () => {
  const said: string[] = []
  const log = (message: string) => said.push(message)

  test('is brought back at once, with all that was committed, and is ours again', async () => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir, { log })
    const { pid, connection } = embedded
    await query(connection, 'create table kept as select 42 as n')
    process.kill(pid, 'SIGKILL')
    await eventually(() => said.includes('PostgreSQL is back'))
    expect(embedded.pid).not.toBe(pid)
    expect(await query(connection, 'select n from kept')).toBe(42)
    expect(said).toContain('the connection to PostgreSQL is lost, bringing it back')
    const locks = "select count(*)::int from pg_locks where locktype = 'advisory' and granted"
    expect(await query(connection, locks)).toBe(1)
    await embedded.stop()
  })

  test('is brought back again and again, also when it was adopted', async () => {
    const dataDir = await stoppedDatabase()
    const { child } = await startElsewhere(dataDir)
    await kill(child)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('adopted')
    for (let time = 0; time < 3; time++) {
      const { pid } = embedded
      process.kill(pid, 'SIGKILL')
      await eventually(() => embedded.pid !== pid)
    }
    await eventually(async () => (await query(embedded.connection, 'select 1')) === 1)
    await embedded.stop()
  })

  test('keeps its process when only a session crashes, and is ours again', async () => {
    const embedded = await start(await stoppedDatabase(), { log })
    const { pid, connection } = embedded
    said.length = 0
    process.kill(Number(await query(connection, ourSession)), 'SIGKILL')
    await eventually(() => said.includes('PostgreSQL is back'))
    expect(embedded.pid).toBe(pid)
    await embedded.stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test.each([
    ['its server dies', async ({ pid }: Embedded) => pid],
    ['one of its sessions crashes', ({ connection }: Embedded) => query(connection, ourSession)],
  ])('stays away when we stop just as %s', async (_, victim) => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir)
    process.kill(Number(await victim(embedded)), 'SIGKILL')
    await embedded.stop()
    const place = placeIn(dataDir)
    expect(await inspect(place.cluster, serverName(place))).not.toMatchObject({ kind: 'running' })
  })
})
