import { once } from 'node:events'
import { mkdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pathsIn } from './paths.ts'
import { discard, inspect, parsePidFile } from './pidfile.ts'
import { isAlive } from './process.ts'
import {
  canDropRights,
  cleanUp,
  copyOf,
  deadPid,
  isRoot,
  kill,
  openDirectory,
  query,
  start,
  startElsewhere,
  stoppedDatabase,
  succeeded,
  unrelatedProcess,
} from './testing/fixture.ts'
import { until } from './wait.ts'

afterAll(cleanUp)

const written = (pid: number, status: string) =>
  `${pid}\n/proc/self/cwd\n1795247333\n5432\n.\n\n  2196363     32775\n${status}\n`

describe('the pid file', () => {
  test('is read while the server is still writing it', () => {
    expect(parsePidFile('', '/d')).toBe(undefined)
    expect(parsePidFile('77\n/d\n1795247333\n', '/d')).toMatchObject({
      pid: 77,
      port: 5432,
      status: 'starting',
    })
    expect(parsePidFile(written(77, 'ready   '), '/d')).toMatchObject({
      pid: 77,
      socketDir: '/d',
      status: 'ready',
    })
    expect(parsePidFile(written(77, 'stopping'), '/d')?.status).toBe('stopping')
  })

  test('is removed only if it is still the stale one', async () => {
    const paths = pathsIn(await openDirectory())
    const path = join(paths.cluster, 'postmaster.pid')
    await mkdir(paths.cluster)
    await writeFile(path, written(78, 'ready'))
    await discard(paths.cluster, written(77, 'ready'))
    expect(await readFile(path, 'utf8')).toBe(written(78, 'ready'))
    await discard(paths.cluster, written(78, 'ready'))
    expect(await inspect(paths)).toEqual({ kind: 'absent' })
  })
})

describe('a server that was killed together with its program', () => {
  let crashed: string
  let dataDir: string
  let pidFile: string

  /** Left as a power cut leaves it: with pid file, socket and the lock of the socket. */
  beforeAll(async () => {
    crashed = await stoppedDatabase()
    const other = await startElsewhere(crashed)
    const { pid, connection } = succeeded(other)
    await query(connection, 'create table kept as select 42 as n')
    await kill(other.child)
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    process.kill(pid, 'SIGKILL')
    // Its processes end by themselves, and until then write to the directory that is copied.
    for (const one of [pid, ...(children.match(/\d+/g) ?? []).map(Number)]) {
      expect(await until(async () => !(await isAlive(one)), 5, 10_000)).toBe(true)
    }
  })

  beforeEach(async () => {
    dataDir = await copyOf(crashed)
    pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  })

  async function expectStarted(): Promise<void> {
    const embedded = await start(dataDir)
    expect(embedded.how).toBe('started')
    expect(await query(embedded.connection, 'select n from kept')).toBe(42)
    await embedded.stop()
  }

  test('is started again when no process has its pid', async () => {
    await expectStarted()
  })

  test('is started again when another process of the same user has its pid', async () => {
    const { uid } = await stat(pidFile)
    const innocent = await unrelatedProcess(isRoot ? uid : undefined)
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const path = join(dataDir, 'postgres', name)
      const lines = (await readFile(path, 'utf8')).split('\n')
      await writeFile(path, [String(innocent.pid), ...lines.slice(1)].join('\n'))
    }
    await expectStarted()
    expect(await isAlive(innocent.pid ?? 0)).toBe(true)
  })

  test('is started again when a full disk left the pid file empty', async () => {
    await truncate(pidFile)
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(pidFile, longAgo, longAgo)
    await expectStarted()
  })

  test('is started again when the pid file was removed by hand', async () => {
    await rm(pidFile)
    await expectStarted()
  })

  test('is not started when the server of an unknown process answers on its socket', async () => {
    const gone = written(await deadPid(), 'ready   ')
    await writeFile(pidFile, gone)
    const socket = join(dataDir, 'postgres', '.s.PGSQL.5432')
    await rm(socket)
    const elsewhere = createServer().listen(socket)
    await once(elsewhere, 'listening')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'IN_USE' })
    expect(await readFile(pidFile, 'utf8')).toBe(gone)
    await new Promise((done) => elsewhere.close(done))
    await expectStarted()
  })
})

describe('the process behind a pid', () => {
  let embedded: Awaited<ReturnType<typeof start>>
  let dataDir: string
  beforeAll(async () => {
    dataDir = await stoppedDatabase()
    embedded = await start(dataDir)
  })

  test('is recognised only as the server of its own directory', async () => {
    const paths = pathsIn(dataDir)
    const other = pathsIn(await stoppedDatabase())
    await writeFile(join(other.cluster, 'postmaster.pid'), written(embedded.pid, 'ready   '))
    expect(await inspect(paths)).toMatchObject({ kind: 'running' })
    expect(await inspect(other)).toMatchObject({ kind: 'stale' })
  })

  test.skipIf(!canDropRights)(
    'as root, with setpriv: is recognised by its arguments where root may not inspect it',
    async () => {
      // As in a container: root, but without the right to trace processes of other users.
      const mine = await stoppedDatabase()
      const first = await startElsewhere(mine, { without: 'sys_ptrace' })
      const { pid } = succeeded(first)
      await kill(first.child)
      const second = await startElsewhere(mine, { without: 'sys_ptrace' })
      expect(second.reply).toMatchObject({ how: 'attached', pid })

      const other = await stoppedDatabase()
      const pidFile = join(other, 'postgres', 'postmaster.pid')
      await writeFile(pidFile, written(pid, 'ready   '))
      const third = await startElsewhere(other, { without: 'sys_ptrace' })
      expect(third.reply).toMatchObject({ how: 'started' })
    },
  )

  test('is dead when it has ended and was not reaped', async () => {
    // The program that replaces the shell does not reap the shell's child. It runs once it answers.
    const parent = await unrelatedProcess(undefined, 'sleep 300 & echo $!; exec cat')
    const output = parent.stdout ?? parent
    const [line] = (await once(output, 'data')) as [Buffer]
    const zombie = Number(String(line))
    parent.stdin?.write('running')
    await once(output, 'data')
    process.kill(zombie, 'SIGKILL')
    expect(await until(async () => !(await isAlive(zombie)), 5, 10_000)).toBe(true)
    expect(process.kill(zombie, 0)).toBe(true)
  })
})
