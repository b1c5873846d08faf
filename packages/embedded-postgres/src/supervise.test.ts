import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import type { Embedded } from './index.ts'
import { pathsIn } from './paths.ts'
import { inspect } from './pidfile.ts'
import { isAlive } from './process.ts'
import {
  cleanUp,
  giveTo,
  isRoot,
  kill,
  query,
  start,
  startElsewhere,
  stoppedDatabase,
  succeeded,
} from './testing/fixture.ts'

afterAll(cleanUp)

const LOCK_SESSION =
  "select pid from pg_stat_activity where application_name like 'embedded-postgres %'"

describe('an existing database', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await stoppedDatabase()
  })

  test('is started again with everything that was written', async () => {
    const first = await start(dataDir)
    await query(first.connection, 'create table kept as select 42 as n')
    await first.stop()
    expect(await isAlive(first.pid)).toBe(false)
    const second = await start(dataDir)
    expect(second.how).toBe('started')
    expect(await query(second.connection, 'select n from kept')).toBe(42)
    await second.stop()
  })

  test('is started and stopped while the clock of the machine is set forward', async () => {
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    let hours = 0
    clock.mockImplementation(() => performance.timeOrigin + performance.now() + ++hours * 3_600_000)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('started')
    await embedded.stop()
    expect(await isAlive(embedded.pid)).toBe(false)
  })

  test('can be stopped twice', async () => {
    const embedded = await start(dataDir)
    await Promise.all([embedded.stop(), embedded.stop()])
    await embedded.stop()
    expect(await isAlive(embedded.pid)).toBe(false)
  })

  test('is attached to, with its sessions, after a crash of the process that started it', async () => {
    const { child, reply } = await startElsewhere(dataDir).then((other) => ({
      child: other.child,
      reply: succeeded(other),
    }))
    await query(reply.connection, 'create table survived as select 7 as n')
    await kill(child)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('attached')
    expect(embedded.pid).toBe(reply.pid)
    expect(embedded.connection).toEqual(reply.connection)
    expect(await query(embedded.connection, 'select n from survived')).toBe(7)
    await embedded.stop()
    expect(await isAlive(reply.pid)).toBe(false)
  })

  test('is refused while another process uses it, which is named and not disturbed', async () => {
    const holder = await startElsewhere(dataDir)
    const { pid, connection } = succeeded(holder)
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'IN_USE',
      message: expect.stringContaining(`process ${holder.child.pid}`),
    })
    expect(await isAlive(pid)).toBe(true)
    expect(await query(connection, 'select 1')).toBe(1)
    await kill(holder.child)
    const next = await start(dataDir)
    expect(next.pid).toBe(pid)
    await next.stop()
  })

  test('is refused, unchanged, when another major version wrote it', async () => {
    const other = await stoppedDatabase()
    await writeFile(join(other, 'postgres', 'PG_VERSION'), '15\n')
    const before = await readdir(other, { recursive: true })
    await expect(start(other)).rejects.toMatchObject({
      code: 'WRONG_VERSION',
      message: expect.stringMatching(/PostgreSQL 15.*18/s),
    })
    expect(await readdir(other, { recursive: true })).toEqual(before)
  })

  test('that does not start fails with PostgreSQL’s message', async () => {
    await expect(start(dataDir, { settings: { wal_level: 'nonsense' } })).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('invalid value for parameter "wal_level"'),
    })
  })

  test.skipIf(!isRoot)(
    'as root: is given back to its user when a copy made it belong to root',
    async () => {
      const copy = await stoppedDatabase()
      await giveTo(0, join(copy, 'postgres'))
      await chmod(join(copy, 'postgres'), 0o755)
      const embedded = await start(copy)
      expect(await query(embedded.connection, 'select 1')).toBe(1)
      await embedded.stop()
    },
  )
})

describe('a server that exits while its program runs', () => {
  const logged: string[] = []
  const log = (message: string) => logged.push(message)

  test('is restarted at once, with everything that was committed, and locked again', async () => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir, { log })
    const { pid, connection } = embedded
    await query(connection, 'create table kept as select 42 as n')
    process.kill(pid, 'SIGKILL')
    await eventually(() => expect(logged).toContain('PostgreSQL is running again'))
    expect(embedded.pid).not.toBe(pid)
    expect(await query(connection, 'select n from kept')).toBe(42)
    expect(logged).toContain('the connection to PostgreSQL was lost; restoring it')
    const locks = "select count(*)::int from pg_locks where locktype = 'advisory' and granted"
    expect(await query(connection, locks)).toBe(1)
    await embedded.stop()
  })

  test('is restarted again and again, also when the program had attached to it', async () => {
    const dataDir = await stoppedDatabase()
    const { child } = await startElsewhere(dataDir)
    await kill(child)
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('attached')
    for (let time = 0; time < 3; time++) {
      const { pid } = embedded
      process.kill(pid, 'SIGKILL')
      await eventually(() => expect(embedded.pid).not.toBe(pid))
    }
    await eventually(() => query(embedded.connection, 'select 1'))
    await embedded.stop()
  })

  test('keeps its process when only a session crashes, and is locked again', async () => {
    const embedded = await start(await stoppedDatabase(), { log })
    const { pid, connection } = embedded
    logged.length = 0
    process.kill(Number(await query(connection, LOCK_SESSION)), 'SIGKILL')
    await eventually(() => expect(logged).toContain('PostgreSQL is running again'))
    expect(embedded.pid).toBe(pid)
    await embedded.stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test('is restarted when it cannot recover from a crash', async () => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir, { log })
    const { pid, connection } = embedded
    const { cluster } = pathsIn(dataDir)
    const session = Number(await query(connection, LOCK_SESSION))
    // The log of writes cannot be read: the process that recovers fails.
    await chmod(join(cluster, 'pg_wal'), 0o000)
    process.kill(session, 'SIGKILL')
    // While it cannot, a server that tries again fails again; after it, one could recover by itself.
    await eventually(async () => expect(await isAlive(pid)).toBe(false))
    await chmod(join(cluster, 'pg_wal'), 0o700)
    // The new server accepts connections before the supervisor has its lock, and its id.
    await eventually(() => expect(embedded.pid).not.toBe(pid))
    await eventually(() => query(connection, 'select 1'))
    await embedded.stop()
  })

  test.each([
    ['its server exits', async ({ pid }: Embedded) => pid],
    ['one of its sessions crashes', ({ connection }: Embedded) => query(connection, LOCK_SESSION)],
  ])('is not restarted when the program stops it just as %s', async (_, victim) => {
    const dataDir = await stoppedDatabase()
    const embedded = await start(dataDir)
    process.kill(Number(await victim(embedded)), 'SIGKILL')
    await embedded.stop()
    const paths = pathsIn(dataDir)
    expect(await inspect(paths)).not.toMatchObject({ kind: 'running' })
  })
})
