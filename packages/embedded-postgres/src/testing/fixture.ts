/**
 * Directories, processes and servers for the tests, all removed afterwards. It ends only what it
 * started: its children, and the servers of its own directories.
 */
import { type ChildProcess, execFile, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import pg from 'pg'
import { madeOnce, newDirectory } from '../../../../test/support/once.ts'
import type { Connection } from '../connect.ts'
import { findBinaries } from '../find-binaries.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../index.ts'
import { pathsIn } from '../paths.ts'
import { inspect } from '../pidfile.ts'
import { stopServer } from '../stop.ts'
import { parsePasswd } from '../user.ts'

export const isRoot = process.getuid?.() === 0

/** Whether a process can be started as root, but without some of root's rights. */
export const canDropRights = isRoot && process.platform === 'linux' && has('setpriv')

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

const directories: string[] = []
const dataDirs = new Set<string>()
const children: ChildProcess[] = []
const instances: Embedded[] = []

/** A temporary directory that other users can enter, like a checkout in /srv. Programs may run there. */
export async function openDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'postgres-'))
  directories.push(dir)
  await chmod(dir, 0o755)
  return dir
}

/** A data directory in a directory that only this user can enter, like /root. */
export async function newDataDir(): Promise<string> {
  const dir = await newDirectory('postgres-')
  directories.push(dir)
  return track(join(dir, 'data'))
}

/** Makes sure that a server in `dataDir` is stopped in the end. */
export function track(dataDir: string): string {
  dataDirs.add(dataDir)
  return dataDir
}

export async function start(
  dataDir: string,
  more: Partial<EmbeddedOptions> = {},
): Promise<Embedded> {
  const instance = await startEmbedded({ dataDir: track(dataDir), ...more })
  instances.push(instance)
  return instance
}

/** An initialised, stopped database in a new directory: a copy, as creating one takes longer. */
export async function stoppedDatabase(): Promise<string> {
  const dataDir = await newDataDir()
  await copyDatabase(dataDir)
  return dataDir
}

/** A copy of a database that does not run, as it is. */
export async function copyOf(from: string): Promise<string> {
  const dataDir = await newDataDir()
  await promisify(execFile)('cp', ['-a', from, dataDir])
  return dataDir
}

/** Makes `dataDir` such a copy. */
export async function copyDatabase(dataDir: string): Promise<void> {
  const template = await madeOnce('cluster', async (dir) => {
    await (await startEmbedded({ dataDir: dir })).stop()
  })
  await promisify(execFile)('cp', ['-a', template, dataDir])
}

/** Makes a directory belong to a user, with all that is in it. */
export async function giveTo(uid: number, dir: string): Promise<void> {
  for (const name of ['', ...(await readdir(dir, { recursive: true }))]) {
    await chown(join(dir, name), uid, uid)
  }
}

/**
 * Ends and removes everything that a test file started. The next file in this process starts from
 * nothing.
 */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) {
    await kill(child)
  }
  for (const instance of instances.splice(0)) {
    await instance.stop()
  }
  for (const dataDir of dataDirs) {
    await stopWhatRuns(dataDir)
  }
  dataDirs.clear()
  for (const dir of directories.splice(0)) {
    await rm(dir, { recursive: true, force: true })
  }
}

async function stopWhatRuns(dataDir: string): Promise<void> {
  const paths = pathsIn(dataDir)
  const found = await inspect(paths)
  if (found.kind === 'running') {
    await stopServer(paths, found.file.pid)
  }
}

/** Ends a child without warning, as the kernel does when memory is short. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return
  }
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** An unrelated process, run by `uid`; its output is that of `script`. */
export async function unrelatedProcess(
  uid?: number,
  script = 'exec sleep 300',
): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(uid ? { uid, gid: uid } : {}),
  })
  await once(child, 'spawn')
  children.push(child)
  return child
}

/** The pid of a process that has ended. */
export async function deadPid(): Promise<number> {
  const child = await unrelatedProcess()
  await kill(child)
  return child.pid ?? 0
}

export async function query(connection: Connection, sql: string): Promise<unknown> {
  const client = new pg.Client({ ...connection, ssl: false })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** The result of `startEmbedded` in another process. */
export type Reply =
  | { readonly how: string; readonly pid: number; readonly connection: Connection }
  | { readonly code: string; readonly message: string }

export interface Other {
  readonly child: ChildProcess
  readonly reply: Reply
}

const OTHER_PROCESS = `
  import { startEmbedded } from '../index.ts'
  try {
    const { how, pid, connection, stop } = await startEmbedded(JSON.parse(process.argv[2]))
    process.send({ how, pid, connection })
  } catch ({ code, message }) {
    process.send({ code, message })
  }
`

/** The package as one file that any user can run, wherever the checkout is. */
async function bundled(): Promise<string> {
  const dir = await madeOnce('embedded-postgres', async (dir) => {
    await build({
      stdin: { contents: OTHER_PROCESS, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['pg-native'],
      banner: {
        js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url)",
      },
      logLevel: 'error',
      outfile: join(dir, 'other.mjs'),
    })
  })
  return join(dir, 'other.mjs')
}

/** The user, the temporary directory, and the capability of root that the process lacks. */
interface ProcessOptions {
  readonly uid?: number
  readonly tmp?: string
  readonly without?: string
}

/** Starts the database of `dataDir` from another process, as another user if `uid` is given. */
export async function startElsewhere(
  dataDir: string,
  more: Partial<EmbeddedOptions> & ProcessOptions = {},
): Promise<Other> {
  const { uid, tmp, without, ...options } = more
  const argument = JSON.stringify({ native: findBinaries(), dataDir: track(dataDir), ...options })
  const child = fork(await bundled(), [argument], {
    // setpriv becomes the program named behind its options.
    ...(without
      ? {
          execPath: 'setpriv',
          execArgv: [`--bounding-set=-${without}`, `--inh-caps=-${without}`, process.execPath],
        }
      : { execArgv: [] }),
    env: { PATH: process.env.PATH, ...(tmp ? { TMPDIR: tmp } : {}) },
    ...(uid ? { uid, gid: uid } : {}),
  })
  children.push(child)
  const [reply] = (await once(child, 'message')) as [Reply]
  return { child, reply }
}

/** The reply of a process whose `startEmbedded` succeeded. */
export function succeeded(other: Other): Extract<Reply, { how: string }> {
  if ('how' in other.reply) {
    return other.reply
  }
  throw new Error(other.reply.message)
}

/** The binaries package as npm unpacks it where install scripts may not run: without its links. */
export async function installedWithoutScripts(under: string): Promise<string> {
  const native = join(under, 'package', 'native')
  await promisify(execFile)('cp', ['-a', dirname(findBinaries()), join(under, 'package')])
  const listed: readonly { target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { target } of listed) {
    await rm(join(under, 'package', target), { force: true })
  }
  return native
}

/** The uid of an account without rights, other than the one that root would choose. */
export async function unprivilegedUid(): Promise<number> {
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  return accounts.find(({ name }) => name === 'nobody')?.uid ?? 65534
}
