import { execFile } from 'node:child_process'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../packages/embedded-postgres/src/process.ts'
import { readConfig } from '../src/config.ts'
import { UserError } from '../src/lib/user-error.ts'
import { unreachable } from '../src/startup-errors.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createDataDir } from './support/data-dir.ts'
import { createDatabase, createEmptyDatabase } from './support/database.ts'
import { databaseUrl } from './support/engine.ts'
import { complaintOf, openHere } from './support/here.ts'
import { send } from './support/http.ts'
import { newDirectory } from './support/once.ts'
import { type RunningService, runService } from './support/process.ts'

const dataDir = await newDirectory('start-')
/** The one that the first start makes. */
const own = join(dataDir, 'own')

type Env = Readonly<Record<string, string>>

/** What a process whose start fails says, and with what it ends. */
async function lastWords(env: Env): Promise<string> {
  try {
    await (await runService(env)).stop()
  } catch (error) {
    return String(error)
  }
  throw new Error('expected not to start')
}

describe('a first start, without settings', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await runService({ STANDING_DATA_DIR: own })
  })
  afterAll(() => service.stop())

  test('lets no other user list the data directory, read a file of it, or reach the database', async () => {
    expect((await stat(own)).mode & 0o066).toBe(0)
    const names = await readdir(own)
    expect(names).toEqual(expect.arrayContaining(['postgres', 'secret.key']))
    for (const name of names) {
      expect([name, (await stat(join(own, name))).mode & 0o077]).toEqual([name, 0])
    }
    // The socket of the database, which asks for no password, is in a directory that only its user enters.
    expect(await readdir(join(own, 'postgres'))).toContain('.s.PGSQL.5432')
  })

  test('listens, and prints a curl that works and, until it is used, a set-up link', async () => {
    const said = service.lines.join('\n')
    expect(said).toContain(`Standing listens on ${service.url}`)
    expect(said).toContain(`curl -s ${service.url}/v1/auth/register`)
    const link = /http\S+\/setup\?token=\S+/.exec(said)?.[0] ?? ''
    const page = await fetch(link)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const claim = (token: string | null) =>
      fetch(`${service.url}/setup`, {
        method: 'POST',
        body: new URLSearchParams({ token: token ?? '' }),
      })
    expect((await claim('guessed')).status).toBe(410)
    const unknown = await fetch(`${service.url}/setup?token=guessed`)
    expect(unknown.status).toBe(410)
    expect(await unknown.text()).toContain('<title>This link is not valid</title>')
    const token = new URL(link).searchParams.get('token')
    const answers = await Promise.all([claim(token), claim(token), claim(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410])
    const used = await fetch(link)
    expect(used.status).toBe(410)
    expect(await used.text()).toContain('<title>Already set up</title>')
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    const key = /avo_[0-9A-Za-z]{38}/.exec(texts.join(''))?.[0] ?? ''
    const admitted = await send(`${service.url}/v1/operator/platforms`, {
      key,
      json: { name: 'First' },
    })
    expect(admitted.status).toBe(201)
    await expectClean(service, () => service.stop())

    const again = await openHere({ STANDING_DATA_DIR: own })
    onTestFinished(async () => void (await again.close()))
    expect(again.setupUrl).toBeNull()
    const { body } = await send(`${again.url}/v1/operator/platforms`, { key })
    expect(body.data).toMatchObject([{ name: 'First' }])
    expect((await send(`${again.url}/healthz`)).status).toBe(200)
    expect((await send(`${again.url}/readyz`)).status).toBe(200)

    // Another start on the same data directory is refused, names the process, and disturbs nothing.
    expect(await complaintOf({ STANDING_DATA_DIR: own })).toContain(
      `is in use by process ${process.pid}`,
    )
    expect((await send(`${again.url}/readyz`)).status).toBe(200)
  })
})

/** Expects a stop to succeed, and to leave neither the service nor its database behind. */
async function expectClean({ lines }: RunningService, stop: () => Promise<unknown>): Promise<void> {
  const said = lines.filter((line) => line.startsWith('{')).map((one) => JSON.parse(one))
  const postgresPid = said.find((line) => 'postgresPid' in line)?.postgresPid
  const { pid } = said[0]
  expect(await Promise.all([pid, postgresPid].map(isAlive))).toEqual([true, true])
  expect(await stop()).toBe(0)
  expect(await Promise.all([pid, postgresPid].map(isAlive))).toEqual([false, false])
}

test.each(['18.20.1', '20.18.3'])(
  'Node.js %s is too old, and the start says so',
  async (version) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(older)}`,
      'scripts/run.mjs',
    ]
    const started = promisify(execFile)(process.execPath, [...args, 'src/main.ts'])
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^Standing needs Node.js 20.19 or newer; this is ${version}. .*\\n$`),
      ),
    })
  },
)

test('a port in use is named, with what to do', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { url, drop } = await createDatabase()
  const said = await complaintOf({
    PORT: String(port),
    DATABASE_URL: url,
    STANDING_DATA_DIR: dataDir,
  })
  expect(said).toContain(`Port ${port} of 127.0.0.1 is in use. Set PORT`)
  await drop()
  await new Promise((resolve) => other.close(resolve))
})

test('a database with another secret stays unchanged', async () => {
  const { url, drop } = await createDatabase()
  const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const one = await openHere({ DATABASE_URL: url, STANDING_SECRET_KEY: secret(1) })
  await one.close()
  expect(await complaintOf({ DATABASE_URL: url, STANDING_SECRET_KEY: secret(2) })).toContain(
    'The master key (STANDING_SECRET_KEY, or secret.key in the data directory) is not the one',
  )
  await drop()
})

test('a database user without rights is named, with the statement that grants them', async () => {
  const { url, drop } = await createEmptyDatabase()
  const admin = createPool({ url }, { max: 1 })
  const name = `limited_${Date.now()}`
  await admin.query(`create role ${name} login password 'pw'`)
  const limited = new URL(url)
  limited.username = name
  limited.password = 'pw'
  const env = { DATABASE_URL: limited.href, STANDING_DATA_DIR: dataDir }
  expect(await complaintOf(env)).toMatch(
    /may not create the tables: permission denied.* grant usage, create on schema public to "limited_\d+";/,
  )
  await admin.query(`grant usage, create on schema public to ${name}`)
  await (await openHere(env)).close()
  await admin.end()
  await drop()
})

test('tables of another user are named, with what to do', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const admin = createPool({ url }, { max: 1 })
  const name = `foreign_${Date.now()}`
  await admin.query(`create role ${name} login; grant usage, create on schema public to ${name}`)
  await admin.end()
  const foreign = new URL(url)
  foreign.username = name
  expect(await complaintOf({ DATABASE_URL: foreign.href, STANDING_DATA_DIR: dataDir })).toMatch(
    /The tables belong to another user: connect as that one, or .* grant OWNER to "foreign_\d+";/,
  )
})

test('a database that is read-only is named, with what to do', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const admin = createPool({ url }, { max: 1 })
  const name = new URL(url).pathname.slice(1)
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await admin.end()
  expect(await complaintOf({ DATABASE_URL: url, STANDING_DATA_DIR: dataDir })).toMatch(
    /The database of DATABASE_URL \(\S+\) is read-only\. Reset default_transaction_read_only/,
  )
})

test.each(['LATIN1', 'SQL_ASCII'])(
  'a new database with the encoding %s is refused, and stays empty',
  async (encoding) => {
    const { url: engine, drop } = await createEmptyDatabase()
    const name = `${encoding.toLowerCase()}_${Date.now()}`
    const admin = createPool({ url: engine }, { max: 1 })
    await admin.query(
      `create database ${name} encoding '${encoding}' locale 'C' template template0`,
    )
    const url = databaseUrl(engine, name)
    expect(await complaintOf({ DATABASE_URL: url, STANDING_DATA_DIR: dataDir })).toMatch(
      new RegExp(`has the encoding ${encoding}, and Standing needs UTF8. .* encoding 'UTF8'`),
    )
    const there = createPool({ url }, { max: 1 })
    const { rows } = await there.query("select from pg_class where relname = 'migrations'")
    expect(rows).toEqual([])
    await there.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    await drop()
  },
)

test.each([
  ['postgres://standing:a/b@db.internal/standing', 'Percent-encode special characters'],
  ['postgres://standing:pw:@/x@db.internal/standing', '%2F for /'],
])('an address that is no URL is not taken for one of this machine: %s', (url, advice) => {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL']) {
    const others = name === 'DATABASE_URL' ? {} : { DATABASE_URL: 'postgres://h/d' }
    expect(() => readConfig({ ...others, [name]: url })).toThrow(`${name} is not a valid URL`)
    expect(() => readConfig({ ...others, [name]: url })).toThrow(advice)
  }
})

test('a user on a Unix socket is taken as libpq writes it', () => {
  const url = 'postgres://standing@/standing?host=/run/postgresql'
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.9", user "s", no encryption',
    'sslmode=verify-full',
  ],
  ['', 'The server does not support SSL connections', 'remove sslmode'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'sslrootcert=FILE'],
  ['ENOENT', "ENOENT: no such file or directory, open '/ca.pem'", 'Correct the path of the file'],
  ['08P01', 'unsupported startup parameter: statement_timeout', 'set DATABASE_DIRECT_URL'],
  ['', 'client password must be a string', 'Add the password'],
])('a connection that fails with %s %s has its own advice', (code, message, advice) => {
  const error = Object.assign(new Error(message), { code })
  expect(unreachable('postgres://u:hunter2@h/d', error).message).toContain(advice)
})

test.each([
  ['STANDING_OPERATER_KEY', 'STANDING_OPERATOR_KEY'],
  ['STANDING_DATADIR', 'STANDING_DATA_DIR'],
])('the misspelt setting %s is named, with the right one', (wrong, right) => {
  expect(() => readConfig({ [wrong]: 'x' })).toThrow(
    `${wrong} is not a setting. Did you mean ${right}?`,
  )
})

test('the log names variables that look like settings and are ignored, and no others', async () => {
  const { url: DATABASE_URL, drop } = await createDatabase()
  onTestFinished(drop)
  const service = await runService({
    DATABASE_URL,
    STANDING_DATA_DIR: join(dataDir, 'ignored'),
    STANDING_RETENTION_DAYS: '30',
    STANDING_PORT: '9000',
    SMTP_URI: 'smtp://mail.example.com',
    DATABASE_URI: 'of another program',
    STANDING_SERVICE_HOST: '10.0.0.1',
    STANDING_SERVICE_PORT_HTTP: '8080',
    STANDING_PORT_8080_TCP_ADDR: '10.0.0.1',
  })
  await service.stop()
  const logged = service.lines.filter((line) => line.startsWith('{')).map((one) => JSON.parse(one))
  const ignored = logged.filter(({ msg }) => msg === 'not a setting of this release, and ignored')
  expect(ignored.map(({ variable, meant }) => [variable, meant])).toEqual([
    ['STANDING_RETENTION_DAYS', null],
    ['STANDING_PORT', null],
    ['SMTP_URI', 'SMTP_URL'],
  ])
})

test('without STANDING_BASE_URL, the log says that links in mails lead to this machine', async () => {
  const { url: DATABASE_URL, drop } = await createDatabase()
  onTestFinished(drop)
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL,
    STANDING_SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    STANDING_MAIL_FROM: 'standing@example.com',
  }
  const warned = async (env: Env) => {
    const service = await runService(env)
    await service.stop()
    return service.lines.join('\n').includes('STANDING_BASE_URL is not set, so links in mails')
  }
  expect(await warned(settings)).toBe(true)
  expect(await warned({ ...settings, STANDING_BASE_URL: 'https://standing.example.com' })).toBe(
    false,
  )
  expect(await warned({ ...settings, NODE_ENV: 'development' })).toBe(false)
})

test('variables of other programs with the same prefix are ignored', () => {
  const others = {
    STANDING_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    STANDING_SERVICE_HOST: '10.0.0.1',
  }
  expect(readConfig(others)).toMatchObject({ port: 8080 })
})

describe('a start that fails ends with one sentence that says what to do', () => {
  const blocked = join(dataDir, 'file')
  const within = { STANDING_DATA_DIR: join(dataDir, 'other') }
  beforeAll(() => createDataDir(within.STANDING_DATA_DIR))

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a database that does not exist',
      { ...within, DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none' },
      /DATABASE_URL \(127\.0\.0\.1:1\/none\) cannot be used: .*ECONNREFUSED.* Check that it runs/,
    ],
    ['a file as data directory', { STANDING_DATA_DIR: blocked }, /is a file.* STANDING_DATA_DIR/],
    ['one below a file', { STANDING_DATA_DIR: join(blocked, 'x') }, /is a file/],
    ['one where none can be created', { STANDING_DATA_DIR: '/proc/x' }, /\/proc\/x cannot be used/],
    [
      'an address of another machine',
      { ...within, HOST: '192.0.2.1' },
      /HOST is not an address of this/,
    ],
  ])('%s', async (_, env, sentence) => {
    await writeFile(blocked, '')
    const said = await complaintOf(env)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/\n {4}at |hunter2/)
  })

  test('and with exit code 1, without a stack trace', async () => {
    const said = await lastWords({ STANDING_DATA_DIR: '/proc/x' })
    expect(said).toMatch(/ended with 1:\n.*\/proc\/x cannot be used/)
    expect(said).not.toMatch(/\n {4}at /)
  })

  test('for a wrong database, user or password, each by its name', async () => {
    const { url, drop } = await createDatabase()
    const address = new URL(url)
    address.pathname = '/not_there'
    const said = await complaintOf({ ...within, DATABASE_URL: address.href })
    expect(said).toMatch(/"not_there" does not exist\. Create that database/)
    await drop()
  })
})

test('a service that npm runs shows its public address, answers where it listens, and stops on a signal', async () => {
  const STANDING_BASE_URL = 'https://standing.example.com/trust'
  const env = { STANDING_DATA_DIR: own, HOST: '127.0.0.1', STANDING_BASE_URL }
  const service = await runService(env, 'npm')
  onTestFinished(async () => void (await service.stop()))
  const said = service.lines.join('\n')
  expect(said).toMatch(/Standing listens on http:\/\/127\.0\.0\.1:\d+\n/)
  expect(said).toContain(`Public address:     ${STANDING_BASE_URL}\n`)
  expect(said).toContain(`"publicUrl":"${STANDING_BASE_URL}"`)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await expectClean(service, () => {
    // A terminal and systemd tell npm and the service both, and npm passes it on.
    service.signal('SIGTERM')
    return service.stop()
  })
})

test.each(['error', 'silent'])(
  'at the log level %s, the log has the line that programs wait for, and no other',
  async (LOG_LEVEL) => {
    const { url: DATABASE_URL, drop } = await createDatabase()
    onTestFinished(drop)
    const env = { DATABASE_URL, STANDING_DATA_DIR: join(dataDir, LOG_LEVEL), LOG_LEVEL }
    const service = await runService(env)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    const logged = service.lines.filter((line) => line.startsWith('{'))
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['listening'])
  },
)

describe('an invalid setting is named, with what it should be', () => {
  test.each([
    [{ PORT: '80a' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ STANDING_BASE_URL: 'example.com' }, 'STANDING_BASE_URL'],
    [{ STANDING_BASE_URL: 'https://example.com/?a=1' }, 'query'],
    [{ STANDING_BASE_URL: 'https://ada:secret@example.com' }, 'user name'],
    [{ STANDING_OPERATOR_KEY: 'avo_short' }, 'STANDING_OPERATOR_KEY'],
    [{ STANDING_REGISTRATION: 'no' }, 'STANDING_REGISTRATION'],
    [{ STANDING_SESSION_IDLE: '4' }, 'STANDING_SESSION_IDLE'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'STANDING_MAIL_FROM'],
    [{ SMTP_URL: 'http://mail', STANDING_MAIL_FROM: 'a@example.com' }, 'SMTP_URL'],
    [{ STANDING_MAIL_FROM: 'a@example.com' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail', STANDING_MAIL_FROM: 'nobody' }, 'STANDING_MAIL_FROM'],
    [{ STANDING_SECRET_KEY: 'c2hvcnQ=' }, 'STANDING_SECRET_KEY'],
    [{ STANDING_EVENTS_PER_AGENT_HOUR: '-1' }, 'STANDING_EVENTS_PER_AGENT_HOUR'],
    [{ STANDING_RATE_LIMITS: 'maybe' }, 'STANDING_RATE_LIMITS'],
    [{ STANDING_WEBHOOK_ALLOW: '10.0.0.0/33' }, 'STANDING_WEBHOOK_ALLOW'],
    [{ STANDING_WEBHOOK_ALLOW: '10.1.0.0/8' }, "write the range's first address."],
    [{ STANDING_WEBHOOK_ALLOW: '169.254.0.0/16' }, 'can never be allowed'],
    [{ STANDING_TRUST_PROXY: 'proxy' }, 'STANDING_TRUST_PROXY'],
    // No bits would be no limit: everybody could claim an address.
    [{ STANDING_TRUST_PROXY: '10.0.0.0/' }, 'STANDING_TRUST_PROXY'],
    [{ STANDING_TRUST_PROXY: '10.0.0.0/0x8' }, 'STANDING_TRUST_PROXY'],
    [{ STANDING_DNS_SERVERS: '9.9.9.9:65536' }, 'STANDING_DNS_SERVERS'],
    [{ STANDING_DATA_DIR: '~/standing' }, 'only a shell replaces ~'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('%j', (env, name) => {
    expect(() => readConfig(env)).toThrow(UserError)
    expect(() => readConfig(env)).toThrow(name)
  })

  test('an option that does not exist, or lacks its value', () => {
    expect(() => readConfig({}, ['--prot', '1'])).toThrow('--prot')
    expect(() => readConfig({}, ['--port'])).toThrow('needs a value')
    expect(readConfig({ PORT: '1' }, ['--port=2', '--host', '::1'])).toMatchObject({
      port: 2,
      host: '::1',
    })
  })
})
