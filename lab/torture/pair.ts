import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { pause } from '../../src/lib/pause.ts'
import { startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { family, signalAll } from '../processes.ts'
import { threeNodes } from './node.ts'
import { startProxy } from './proxy.ts'
import type { Servers, ServersOptions } from './servers.ts'

/** A server that runs, and the directory of its data and of its socket. */
interface Server {
  readonly cluster: string
  readonly child: ChildProcess
  pool(): pg.Pool
}

/** How the embedded server is started: its program, its arguments, its user. */
interface Program {
  readonly path: string
  readonly args: readonly string[]
  readonly user: { readonly uid: number; readonly gid: number }
}

const PORT = 5432
const NAME = 'standing'

/** What a standby needs: the log since its copy was begun is kept for it. */
const REPLICATION = { max_wal_senders: '4', wal_keep_size: '512MB', unix_socket_directories: '.' }

/** A copy, and a recovery, take a second; on a busy machine ten times that. */
const READY_MAX_MS = 120_000

/**
 * Three nodes on a primary with a synchronous standby: a commit is answered when both have it on disk. The
 * nodes reach the one that is the primary now through a proxy, as through a name or a pooler.
 */
export async function openPair({ dir, env, nodeArgs }: ServersOptions): Promise<Servers> {
  const program = await createCluster(join(dir, 'first'))
  // The standby reaches the socket of the primary by its path, as the user of both.
  await chmod(dir, 0o711)
  await chmod(join(dir, 'first'), 0o711)
  let primary = await startServer(program, join(dir, 'first', 'postgres'))
  const proxy = await startProxy(socketOf(primary))
  let standby = await addStandby(program, primary, join(dir, 'standby-0'))
  let failovers = 0
  const url = `postgres://${NAME}@127.0.0.1:${proxy.port}/${NAME}`
  return {
    nodes: await threeNodes(url, { env, nodeArgs }),
    proxy,
    databasePid: () => primary.child.pid ?? 0,
    connect: async () => primary.pool(),
    async failOver() {
      await kill(primary)
      await query(standby, 'select pg_promote(true, 60)')
      proxy.leadTo(socketOf(standby))
      // The old primary is never started again: what its standby lacks was never acknowledged.
      await rm(primary.cluster, { recursive: true })
      primary = standby
      failovers++
      standby = await addStandby(program, primary, join(dir, `standby-${failovers}`))
    },
    async close() {
      await proxy.close()
      await kill(standby)
      await kill(primary)
    },
  }
}

/** Creates the data by the embedded server, and learns from it how to start others. */
async function createCluster(dataDir: string): Promise<Program> {
  const embedded = await startEmbeddedDatabase({ dataDir })
  const path = readlinkSync(`/proc/${embedded.pid}/exe`)
  const [, ...args] = readFileSync(`/proc/${embedded.pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((one) => one !== '')
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  await embedded.stop()
  const more = Object.entries(REPLICATION).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return { path, args: [...withoutPlace(args), ...more], user: { uid, gid } }
}

/** The arguments except for the directory and the port, which each server has of its own. */
function withoutPlace(args: readonly string[]): readonly string[] {
  return args.filter(
    (one, i) => !['-D', '-p'].includes(one) && !['-D', '-p'].includes(args[i - 1] ?? ''),
  )
}

async function startServer({ path, args, user }: Program, cluster: string): Promise<Server> {
  const switched = process.getuid?.() === 0 ? user : {}
  // The user of the server may not reach its directory by the path, but is started in it.
  const place = ['-D', process.getuid?.() === 0 ? '/proc/self/cwd' : cluster, '-p', String(PORT)]
  const child = spawn(path, [...place, ...args], { cwd: cluster, stdio: 'ignore', ...switched })
  const connection = { host: cluster, port: PORT, user: NAME, database: NAME }
  const server = { cluster, child, pool: () => createPool(connection, { max: 2 }) }
  await eventually(() => query(server, 'select'))
  return server
}

/** Copies the primary while it runs, and lets the copy follow it; from then on each commit waits for it. */
async function addStandby(program: Program, primary: Server, dir: string): Promise<Server> {
  const cluster = join(dir, 'postgres')
  await mkdir(dir, { mode: 0o711 })
  const pool = primary.pool()
  const client = await pool.connect()
  try {
    await client.query("select pg_backup_start('standby', true)")
    execFileSync('cp', ['-a', primary.cluster, cluster])
    const { rows } = await client.query<{ labelfile: string }>(
      'select * from pg_backup_stop(false)',
    )
    for (const name of ['postmaster.pid', 'pg_wal', `.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
      await rm(join(cluster, name), { recursive: true, force: true })
    }
    const primaryAt = `host=${primary.cluster} port=${PORT} user=${NAME}`
    await mkdir(join(cluster, 'pg_wal'), { mode: 0o700 })
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '')
    await writeFile(join(cluster, 'standby.signal'), '')
    await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primaryAt}'\n`)
    for (const name of ['pg_wal', 'backup_label', 'standby.signal', 'postgresql.auto.conf']) {
      await chown(join(cluster, name), program.user.uid, program.user.gid)
    }
    const standby = await startServer(program, cluster)
    await eventually(() => expectStandby(client, "state = 'streaming'"))
    await client.query("alter system set synchronous_standby_names = '*'")
    await client.query('select pg_reload_conf()')
    await eventually(() => expectStandby(client, "sync_state = 'sync'"))
    return standby
  } finally {
    client.release()
    await pool.end()
  }
}

async function expectStandby(client: pg.ClientBase, condition: string): Promise<void> {
  const { rowCount } = await client.query(`select from pg_stat_replication where ${condition}`)
  if (rowCount !== 1) {
    throw new Error(`the standby does not follow: ${rowCount} with ${condition}`)
  }
}

/** One statement on a connection of its own. */
async function query({ pool }: Pick<Server, 'pool'>, statement: string): Promise<void> {
  const own = pool()
  try {
    await own.query(statement)
  } finally {
    await own.end()
  }
}

async function eventually(work: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + READY_MAX_MS; ; ) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > until) {
        throw error
      }
      await pause(50)
    }
  }
}

/** As the failure of a machine: nothing is finished. */
async function kill({ child }: Server): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    signalAll(family(child.pid ?? 0), 'SIGKILL')
    await ended
  }
}

function socketOf({ cluster }: Server): { readonly path: string } {
  return { path: join(cluster, `.s.PGSQL.${PORT}`) }
}
