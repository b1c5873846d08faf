import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { freePort } from '../src/lib/testing/free-port.ts'
import { openService, type Service } from '../src/service.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { commandIn } from './support/command.ts'
import { createDatabase, createEmptyDatabase, createReplica } from './support/database.ts'
import { startDatabaseProxy } from './support/database-proxy.ts'
import { eventually } from './support/eventually.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const REASON = 'pgbouncer is not installed here (Debian: apt-get install pgbouncer)'
const database = await createEmptyDatabase()
const SECRET = randomBytes(32).toString('base64')
afterAll(() => database.drop())

function open(settings: Readonly<Record<string, string>>, logged: string[] = []): Promise<Service> {
  const env = {
    PORT: '0',
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: SECRET,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_RATE_LIMITS: 'off',
    ...settings,
  }
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  return openService(readConfig(env), log)
}

function newEmail(): string {
  return `${randomBytes(4).toString('hex')}@example.com`
}

/** Reports on one agent over all nodes at once, and checks that each of them sees every event. */
async function reportOver(nodes: readonly Service[]): Promise<void> {
  const clients = nodes.map(({ url }) => new Standing({ baseUrl: url }))
  const [first] = clients
  if (!first) {
    throw new Error('there is no node')
  }
  const { token } = await first.auth.register({
    email: newEmail(),
    password: PASSWORD,
  })
  const { id } = await first.with({ token }).agents.register({ displayName: 'shared' })
  const operator = first.with({ operatorKey: OPERATOR_KEY }).operator
  const { apiKey } = await operator.createPlatform({ name: 'a platform', verified: true })
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      clients[i % clients.length]?.with({ apiKey }).events.submit(id, { type: 'task.completed' }),
    ),
  )
  for (const client of clients) {
    await eventually(async () => {
      const { eventCount, score } = await client.score.get(id)
      expect(eventCount).toBe(60)
      expect(score).toBe((await first.score.get(id)).score)
    })
  }
}

test.skipIf(!hasPgBouncer())(
  `behind PgBouncer in transaction mode, three nodes count every event once${hasPgBouncer() ? '' : ` (${REASON})`}`,
  async () => {
    const pooler = await startPgBouncer()
    const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url }
    const nodes = [await open(settings), await open(settings), await open(settings)]
    await reportOver(nodes)
    await Promise.all(nodes.map((node) => node.close()))
    // The commands go past the pooler, which takes no time limits and keeps no cursor.
    const directory = await mkdtemp(join(tmpdir(), 'standing-pooled-'))
    const env = { ...settings, STANDING_SECRET_KEY: SECRET, PORT: '0' }
    const file = join(directory, 'pooled.backup')
    const typed = commandIn(env)
    expect(await typed(['backup', file])).toMatchObject({ code: 0 })
    const { said } = await typed('doctor')
    expect(said).toMatch(/note pooler +the user \w+ has no time limits/)
    await rm(directory, { recursive: true })
    await pooler.stop()
  },
)

test('a DATABASE_DIRECT_URL of another database is refused before that is migrated', async () => {
  const another = await createEmptyDatabase()
  const settings = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: another.url }
  await expect(open(settings)).rejects.toThrow(
    /DATABASE_DIRECT_URL \(\S+\) is another database than DATABASE_URL .* Nothing was changed/,
  )
  const pool = createPool({ url: another.url }, { max: 1 })
  const { rows } = await pool.query("select from pg_class where relname = 'migrations'")
  expect(rows).toEqual([])
  await pool.end()
  await another.drop()
})

test('a DATABASE_DIRECT_URL that does not answer is named', async () => {
  const settings = { DATABASE_DIRECT_URL: 'postgres://nobody@127.0.0.1:1/none' }
  await expect(open(settings)).rejects.toThrow(
    'The database of DATABASE_DIRECT_URL (127.0.0.1:1/none) cannot be used',
  )
})

test('nodes that cannot notify each other still see each other’s changes', async () => {
  const nodes = [await open({ STANDING_NOTIFY: 'off' }), await open({ STANDING_NOTIFY: 'off' })]
  await reportOver(nodes)
  const pool = new pg.Pool({ connectionString: database.url })
  const { rows } = await pool.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'standing listener'`,
  )
  expect(rows).toHaveLength(0)
  await pool.end()
  await Promise.all(nodes.map((node) => node.close()))
})

test('lists are read from the replica as far as it has caught up, and scores from the primary', async () => {
  await (await open({})).close()
  const replica = await createReplica(database)
  const node = await open({ DATABASE_REPLICA_URL: replica.url })
  const anyone = new Standing({ baseUrl: node.url })
  const { token } = await anyone.auth.register({ email: newEmail(), password: PASSWORD })
  const owner = anyone.with({ token })
  const { id, apiKey } = await owner.agents.register({ displayName: 'reported on' })
  await anyone.with({ apiKey }).events.submit(id, { type: 'task.completed' })
  expect((await owner.events.list(id)).data).toEqual([])
  expect((await owner.score.get(id)).eventCount).toBe(1)
  await node.close()
  await replica.drop()
})

test('a node whose replica is a database of another installation, or of none, does not start', async () => {
  const advice =
    'is not a replica of the database of DATABASE_URL. Set it to a streaming replica of'
  const none = await createEmptyDatabase()
  await expect(open({ DATABASE_REPLICA_URL: none.url })).rejects.toThrow(advice)
  await none.drop()
  const another = await createDatabase()
  await (await open({ DATABASE_URL: another.url })).close()
  await expect(open({ DATABASE_REPLICA_URL: another.url })).rejects.toThrow(advice)
  await another.drop()
})

test('lists are read from the primary once the address of the replica leads to another installation', async () => {
  await (await open({})).close()
  const replica = await createReplica(database)
  const node = await open({ DATABASE_REPLICA_URL: replica.url })
  const operator = new Standing({ baseUrl: node.url }).with({ operatorKey: OPERATOR_KEY }).operator
  await operator.createPlatform({ name: 'audited', verified: true })
  expect((await operator.audit()).data).toEqual([])
  const pool = new pg.Pool({ connectionString: replica.url })
  await pool.query("update installation set value = gen_random_uuid() where name = 'id'")
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await pool.end()
  await eventually(async () => expect((await operator.audit()).data).not.toEqual([]))
  await node.close()
  await replica.drop()
})

test.each(['alter table audit drop column commitment', 'drop table audit'])(
  'lists are read from the primary while the replica lacks a migration: %s',
  async (before) => {
    await (await open({})).close()
    const replica = await createReplica(database)
    const pool = new pg.Pool({ connectionString: replica.url })
    await pool.query(before)
    await pool.end()
    const node = await open({ DATABASE_REPLICA_URL: replica.url })
    const operator = new Standing({ baseUrl: node.url }).with({
      operatorKey: OPERATOR_KEY,
    }).operator
    await operator.createPlatform({ name: 'audited', verified: true })
    expect((await operator.audit()).data).not.toEqual([])
    await node.close()
    await replica.drop()
  },
)

test('lists are read from the primary if the user of the replica may not read it', async () => {
  await (await open({})).close()
  const replica = await createReplica(database)
  const admin = createPool({ url: replica.url }, { max: 1 })
  const name = `reader_${randomBytes(4).toString('hex')}`
  await admin.query(`create role ${name} login`)
  const address = new URL(replica.url)
  address.username = name
  const logged: string[] = []
  const audit = async () => {
    const node = await open({ DATABASE_REPLICA_URL: address.href }, logged)
    const client = new Standing({ baseUrl: node.url, retriesMax: 0 })
    const { data } = await client.with({ operatorKey: OPERATOR_KEY }).operator.audit({ limit: 5 })
    await node.close()
    return data.length
  }
  expect(await audit()).toBeGreaterThan(0)
  expect(logged.join()).toMatch(/DATABASE_REPLICA_URL .*permission denied.* grant pg_read_all_data/)
  await admin.query(`grant select on installation to ${name}`)
  expect(await audit()).toBeGreaterThan(0)
  await admin.query(`drop owned by ${name}; drop role ${name}`)
  await admin.end()
  await replica.drop()
})

test('lists are read from the primary if the replica is unreachable, and the log says so', async () => {
  const logged: string[] = []
  const settings = { DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const node = await open(settings, logged)
  expect(logged.join()).toContain('DATABASE_REPLICA_URL (127.0.0.1:1/none) cannot be used')
  await reportOver([node])
  const client = new Standing({ baseUrl: node.url })
  const operator = client.with({ operatorKey: OPERATOR_KEY }).operator
  const { data } = await operator.audit({ limit: 5 })
  expect(data.length).toBeGreaterThan(0)
  await node.close()
})

function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * One that has three connections to the server, so that the nodes must share them. It refuses to be root,
 * and no other user may open the server's socket: so it comes through a proxy.
 */
async function startPgBouncer() {
  const { proxy, url: serverUrl } = await startDatabaseProxy(database.url)
  const dir = await mkdtemp(join(tmpdir(), 'standing-pgbouncer-'))
  await chmod(dir, 0o755)
  const port = await freePort()
  const { pathname, username } = new URL(serverUrl)
  const name = pathname.slice(1)
  await writeFile(
    join(dir, 'pgbouncer.ini'),
    `[databases]
${name} = host=127.0.0.1 port=${proxy.port} user=${username} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asUser, join(dir, 'pgbouncer.ini')], { stdio: 'ignore' })
  // A test that fails leaves none behind.
  process.once('exit', () => child.kill())
  const url = `postgres://${username}@127.0.0.1:${port}/${name}`
  await eventually(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
  })
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await proxy.close()
      await rm(dir, { recursive: true })
    },
  }
}
