import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Standing } from '@standing/sdk'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { createBatchClient, createPool, endClient } from '../../src/store/postgres/pool.ts'
import { commandIn } from '../../test/support/command.ts'
import { createDataDir } from '../../test/support/data-dir.ts'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { eventually } from '../../test/support/eventually.ts'
import { openHere } from '../../test/support/here.ts'
import { holdLocks } from '../../test/support/hold-locks.ts'
import { newDirectory } from '../../test/support/once.ts'
import {
  newAgent,
  newPlatform,
  startService,
  type TestService,
} from '../../test/support/service.ts'

import { backUp } from './backup/backup.ts'

const dir = await newDirectory('backup-')

const SECRET = randomBytes(32).toString('base64')
const at = await startService({ STANDING_RATE_LIMITS: 'off', STANDING_SECRET_KEY: SECRET })

const typed = commandIn({})

const source = { DATABASE_URL: at.database.url, STANDING_SECRET_KEY: SECRET }
const archive = join(dir, 'standing.backup')

/** A service with every kind of row that a backup could lose. */
async function filled(service: TestService) {
  const { client: platform } = await newPlatform(service)
  const { agent, owner } = await newAgent(service)
  await owner.client.webhooks.create({ url: 'http://127.0.0.1:1025/a', events: ['*'] })
  const text = 'é\u2028"\\ 😀 {},()\n\t'
  await platform.events.report(agent.id, [
    { type: 'task.failed', data: { errorCode: text } },
    { type: 'payment.completed', data: { amount: 0.1 + 0.2, currency: 'USD' } },
    { type: 'task.completed', data: { success: false } },
  ])
  await owner.client.agents.update(agent.id, { metadata: { z: 1, a: [text, null, 1e-7] } })
  const claims = { note: text }
  await owner.client.credentials.issue({ agentId: agent.id, type: 'Audit', claims })
  return { agent, owner, platform }
}

/** What of a row stands still while deliveries go on. */
const COLUMNS: Readonly<Record<string, string>> = {
  notifications: "to_jsonb(t) - 'transaction_id'",
  webhooks: 't.id, t.sealed_url, t.sealed_secret, t.events',
}

/** Everything in a database, as text, except for what names running processes. */
async function contents(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
     and table_name not in ('migrations', 'quota_requests', 'delivery_nodes', 'listeners',
       'delivery_queue_heads', 'deliveries')`,
  )
  const all: Record<string, readonly string[]> = {}
  for (const { name } of tables.rows) {
    const columns = COLUMNS[name] ?? 't'
    const { rows } = await client.query(
      `select row(${columns})::text as row from ${name} t order by 1`,
    )
    // A backup notes its own time behind itself.
    all[name] = rows.map(({ row }) => row).filter((row) => !row.includes('latest_backup'))
  }
  await client.end()
  return all
}

let agentId = ''

beforeAll(async () => {
  agentId = (await filled(at)).agent.id
  const { code, said } = await typed(['backup', archive], source)
  expect(code, said).toBe(0)
})

describe('a backup', () => {
  test('is complete, without the master key, and readable by its owner alone', async () => {
    expect((await stat(archive)).mode & 0o777).toBe(0o600)
    const { code, said } = await typed(['backup', 'verify', archive])
    expect(code).toBe(0)
    expect(said).toMatch(/complete, \d+ rows of \d+ tables .* without the master key$/)
    expect(gunzipSync(await readFile(archive)).toString()).not.toContain(SECRET)
  })

  test('shows in the service’s metrics when it was made', async () => {
    const text = await (await fetch(`${at.url}/metrics`)).text()
    const [, seconds = '0'] = /^standing_last_backup_timestamp_seconds (\S+)$/m.exec(text) ?? []
    expect(Math.abs(Number(seconds) - (await stat(archive)).mtimeMs / 1000)).toBeLessThan(60)
  })

  test('does not overwrite an existing file', async () => {
    const { code, said } = await typed(['backup', archive], source)
    expect(code).toBe(1)
    expect(said).toContain('exists. Choose another name')
    expect((await readdir(dir)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('does not begin where the file exists', async () => {
    const client = { query: () => Promise.reject(new Error('the database is read')) }
    await expect(backUp(client as unknown as pg.ClientBase, archive, null)).rejects.toThrow(
      'exists. Choose another name',
    )
  })

  test.skipIf(!existsSync('/usr/bin/strace'))(
    'is written to a file system without hard links, such as a network share',
    async () => {
      const folder = await newDirectory('share-')
      const [file, trace] = [join(folder, 'a.backup'), join(dir, 'links.trace')]
      const refused = ['-e', 'trace=link,linkat', '-e', 'inject=link,linkat:error=EPERM']
      const backup = [process.execPath, 'scripts/run.mjs', 'cli/src/standing.ts', 'backup', file]
      await promisify(execFile)('strace', ['-f', '-qq', '-o', trace, ...refused, ...backup], {
        env: { PATH: process.env.PATH, ...source },
      })
      expect(await readFile(trace, 'utf8')).toContain('(INJECTED)')
      expect(await readdir(folder)).toEqual(['a.backup'])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await typed(['backup', 'verify', file])).toMatchObject({ code: 0 })
    },
  )

  test('that cannot be read again does not get its name', async () => {
    const folder = await newDirectory('unread-')
    const real = new pg.Client({ connectionString: at.database.url })
    await real.connect()
    // As on a disk that loses what was written: the file is cut short before it is read again.
    const query = async (text: string, values?: unknown[]) => {
      if (text === 'rollback') {
        await Promise.all((await readdir(folder)).map((name) => truncate(join(folder, name), 100)))
      }
      return real.query(text, values)
    }
    const client: pg.ClientBase = Object.assign(Object.create(real), { query })
    const written = backUp(client, join(folder, 'a.backup'), null)
    await expect(written).rejects.toThrow('is not a complete backup')
    await real.end()
    expect(await readdir(folder)).toEqual([])
  })

  test('that loses its connection says why it did', async () => {
    const real = createBatchClient({ url: at.database.url }, 'standing backup')
    await real.connect()
    const query = async (text: string, values?: unknown[]) => {
      if (text.startsWith('fetch')) {
        return real.query('select pg_terminate_backend(pg_backend_pid())')
      }
      return real.query(text, values)
    }
    const client: pg.ClientBase = Object.assign(Object.create(real), { query })
    const written = backUp(client, join(dir, 'lost.backup'), null)
    await expect(written).rejects.toThrow('terminating connection due to administrator command')
    await endClient(real)
  })

  test('says what keeps it from being written', async () => {
    const { code, said } = await typed(['backup', join(dir, 'none', 'a.backup')], source)
    expect(code).toBe(1)
    expect(said).toMatch(/none\/a\.backup cannot be written: there is no such directory\.$/)
  })

  test('made while events come in has every agent as of one instant', async () => {
    const { agent, platform } = await filled(at)
    let isDone = false
    const busy = (async () => {
      while (!isDone) {
        await platform.events.report(agent.id, [
          { type: 'task.completed' },
          { type: 'task.failed' },
        ])
      }
    })()
    const file = join(dir, 'busy.backup')
    expect(await typed(['backup', file], source)).toMatchObject({ code: 0 })
    isDone = true
    await busy
    const target = await createEmptyDatabase()
    const env = { DATABASE_URL: target.url, STANDING_SECRET_KEY: SECRET }
    expect(await typed(['restore', file], env)).toMatchObject({ code: 0 })
    const replayed = await typed(['score', 'replay', '--all'], env)
    expect(replayed.said).toContain('everything stored is what the log gives, bit for bit')
    await target.drop()
  })
})

describe('a restored database', () => {
  test('has every row as it was, and the service continues with it', async () => {
    const target = await createEmptyDatabase()
    const env = { DATABASE_URL: target.url, STANDING_SECRET_KEY: SECRET }
    const file = join(dir, 'equal.backup')
    expect(await typed(['backup', file], source)).toMatchObject({ code: 0 })
    const before = await contents(at.database.url)
    const restored = await typed(['restore', file], env)
    expect(restored).toMatchObject({ code: 0 })
    expect(await contents(target.url)).toEqual(before)
    expect(await typed(['score', 'replay', '--all'], env)).toMatchObject({ code: 0 })
    const service = await openHere({ ...env, STANDING_DATA_DIR: join(dir, 'x') })
    const { payload } = await new Standing({ baseUrl: service.url }).score.getReceipt(agentId)
    expect(payload.events).toBeGreaterThan(1)
    await service.close()
    await target.drop()
  })

  test('is refused where the target already has data', async () => {
    const { code, said } = await typed(['restore', archive], source)
    expect(code).toBe(1)
    expect(said).toContain('The database is not empty.')
  })

  test.each([
    ['without the master key', {}, 'The master key is not in'],
    ['with another', { STANDING_SECRET_KEY: randomBytes(32).toString('base64') }, 'is not the one'],
  ])('is refused %s, and nothing is created', async (_, key, reason) => {
    const target = await createEmptyDatabase()
    const empty = { STANDING_DATA_DIR: join(dir, 'none'), DATABASE_URL: target.url }
    const { code, said } = await typed(['restore', archive], { ...empty, ...key })
    expect(code).toBe(1)
    expect(said).toContain(reason)
    expect(await contents(target.url)).toEqual({})
    await target.drop()
  })
})

describe('a restore with the master key of the file', () => {
  const file = join(dir, 'with-key.backup')

  beforeAll(async () => {
    expect(await typed(['backup', file, '--with-key'], source)).toMatchObject({ code: 0 })
  })

  test('restores nothing where the key cannot be stored', async () => {
    const target = await createEmptyDatabase()
    const env = { DATABASE_URL: target.url, STANDING_DATA_DIR: join(dir, 'broken-link') }
    await mkdir(env.STANDING_DATA_DIR)
    await symlink('nowhere', join(env.STANDING_DATA_DIR, 'secret.key'))
    expect((await typed(['restore', file], env)).code).toBe(1)
    expect(await contents(target.url)).toEqual({})
    await target.drop()
  })

  test('that is refused leaves no key', async () => {
    const env = { DATABASE_URL: at.database.url, STANDING_DATA_DIR: join(dir, 'no-key') }
    expect(await typed(['restore', file], env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not empty'),
    })
    expect(await readdir(env.STANDING_DATA_DIR)).toEqual([])
  })
})

describe('a broken or foreign archive', () => {
  const text = async () => gunzipSync(await readFile(archive)).toString()
  const lines = async () => (await text()).trimEnd().split('\n')

  test.each<[string, () => Promise<Uint8Array>, string]>([
    [
      'was cut short',
      async () => (await readFile(archive)).subarray(0, -200),
      'not a complete backup',
    ],
    [
      'lacks its end',
      async () => gzipSync((await lines()).slice(0, -1).join('\n')),
      'end is missing',
    ],
    [
      'lacks a line',
      async () => gzipSync(`${(await lines()).toSpliced(3, 1).join('\n')}\n`),
      'it was changed',
    ],
    [
      'has another amount',
      async () => gzipSync((await text()).replace('0.30000000000000004', '0.40000000000000004')),
      'it was changed',
    ],
    ['is a text', async () => Buffer.from('hello'), 'not a complete backup'],
    ['is empty', async () => Buffer.alloc(0), 'not a complete backup'],
  ])('that %s is refused before anything is restored', async (name, made, reason) => {
    const file = join(dir, `${name}.backup`)
    await writeFile(file, await made())
    const target = await createEmptyDatabase()
    const env = { DATABASE_URL: target.url, STANDING_SECRET_KEY: SECRET }
    for (const words of [
      ['backup', 'verify', file],
      ['restore', file],
    ]) {
      const { code, said } = await typed(words, env)
      expect(code).toBe(1)
      expect(said).toContain(reason)
    }
    expect(await contents(target.url)).toEqual({})
    await target.drop()
  })

  test('that does not exist is named in the error', async () => {
    const { code, said } = await typed(['backup', 'verify', join(dir, 'no.backup')])
    expect(code).toBe(1)
    expect(said).toMatch(/no\.backup cannot be read/)
  })
})

test('the embedded database is backed up while it serves, and is restored with a separately stored key', async () => {
  const from = { STANDING_DATA_DIR: join(dir, 'from') }
  const to = { STANDING_DATA_DIR: join(dir, 'to') }
  const file = join(dir, 'embedded.backup')
  await createDataDir(from.STANDING_DATA_DIR)
  const service = await openHere(from)
  const person = { email: 'ada@example.com', password: 'correct horse battery staple' }
  const headers = { 'content-type': 'application/json' }
  const post = (url: string, path: string) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(person) })
  expect((await post(service.url, '/v1/auth/register')).status).toBe(201)
  expect(await typed(['backup', file, '--with-key'], from)).toMatchObject({ code: 0 })
  await service.close()
  const restored = await typed(['restore', file, '--data-dir', to.STANDING_DATA_DIR])
  expect(restored.said).toMatch(/master key: written to .*secret\.key/)
  const check = /^Check it with: standing (.*)$/m.exec(restored.said)?.[1] ?? ''
  expect((await typed(check)).said).toMatch(/^0 agents/)
  expect((await stat(join(dir, 'to', 'secret.key'))).mode & 0o777).toBe(0o600)
  const again = await openHere(to)
  expect((await post(again.url, '/v1/auth/login')).status).toBe(200)
  expect(await typed(['restore', file], to)).toMatchObject({
    code: 1,
    said: expect.stringContaining('not empty'),
  })
  await again.close()
})

/** A command in a process of its own, which a signal can end. */
function spawnCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  user: { readonly uid?: number } = {},
) {
  const args = ['scripts/run.mjs', 'cli/src/standing.ts', ...words]
  const child = spawn(process.execPath, args, { ...user, env: { PATH: process.env.PATH, ...env } })
  return { child, ended: once(child, 'exit') }
}

/** The usual number of `nobody`, who owns no file. */
const NOBODY = { uid: 65_534 }

test.skipIf(process.getuid?.() !== 0)(
  'a command of another user says whose data it is, whether the database runs or not',
  async () => {
    const from = { STANDING_DATA_DIR: join(dir, 'foreign') }
    await createDataDir(from.STANDING_DATA_DIR)
    const said = async (words: readonly string[]) => {
      const { child, ended } = spawnCommand(words, { ...from, PORT: '0' }, NOBODY)
      const texts: string[] = []
      child.stdout?.on('data', (text: Buffer) => texts.push(text.toString()))
      child.stderr?.on('data', (text: Buffer) => texts.push(text.toString()))
      expect(await ended).toEqual([1, null])
      return texts.join('')
    }
    const advice = /belongs to another user: .* Run this as that user or as root\./
    const service = await openHere(from)
    expect(await said(['backup', join(dir, 'foreign.backup')])).toMatch(advice)
    await service.close()
    expect(await said(['backup', join(dir, 'foreign.backup')])).toMatch(advice)
    expect(await said(['doctor'])).toMatch(/FAIL database .* belongs to another user/)
  },
)

test('a backup that is interrupted leaves no draft behind', async () => {
  const folder = await newDirectory('interrupted-')
  const pool = createPool({ url: at.database.url })
  onTestFinished(() => pool.end())
  await holdLocks(pool, { text: 'lock table owners in access exclusive mode' })
  const { child, ended } = spawnCommand(['backup', join(folder, 'a.backup')], source)
  await eventually(async () => expect(await readdir(folder)).toHaveLength(1))
  child.kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
  expect(await readdir(folder)).toEqual([])
})

/** A restore in a process of its own, which has verified its archive and waits to read it once more. */
async function startRestore(name: string) {
  const to = { STANDING_DATA_DIR: join(dir, name), STANDING_SECRET_KEY: SECRET }
  // It is read twice: first to verify it, and then, when the database has been started, to restore it.
  const pipe = join(dir, `${name}.pipe`)
  await promisify(execFile)('mkfifo', [pipe])
  const command = spawnCommand(['restore', pipe], to)
  await writeFile(pipe, await readFile(archive))
  return { ...command, to, pipe }
}

test('a restore that is interrupted stops the database that it has started, and can be repeated', async () => {
  const { child, ended, to, pipe } = await startRestore('interrupted')
  await eventually(async () =>
    expect(await findEmbeddedDatabase(to.STANDING_DATA_DIR)).not.toBeNull(),
  )
  const again = createWriteStream(pipe)
  await once(again, 'open')
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  again.destroy()
  expect(await findEmbeddedDatabase(to.STANDING_DATA_DIR)).toBeNull()
  expect(await typed(['restore', archive], to)).toMatchObject({ code: 0 })
})

test('a restore that is interrupted while it starts its database leaves none running', async () => {
  const { child, ended, to } = await startRestore('starting')
  const pidFile = join(to.STANDING_DATA_DIR, 'postgres', 'postmaster.pid')
  await eventually(() => expect(existsSync(pidFile)).toBe(true), { interval: 1 })
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect(existsSync(pidFile)).toBe(false)
})
