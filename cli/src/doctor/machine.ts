import { constants } from 'node:fs'
import { access, readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { survey } from '../../../packages/embedded-postgres/src/index.ts'
import type { Config } from '../../../src/config.ts'
import { type Finding, fails, fine, note } from './check.ts'

/** The oldest that runs it (package.json, engines). */
const NODE_MIN = [20, 19] as const

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  return isNew
    ? fine(version)
    : fails(`${version} is too old`, `Install Node.js ${NODE_MIN.join('.')} or newer.`)
}

/** The PostgreSQL that comes along, and whom it runs as. */
export async function checkBinaries({ databaseUrl, dataDir }: Config): Promise<Finding> {
  if (databaseUrl !== null) {
    return fine('not needed: DATABASE_URL names a server')
  }
  const { version, uid, dataVersion } = await survey(dataDir)
  const ours = version.split('.')[0]
  if (dataVersion !== null && dataVersion !== ours) {
    return fails(
      `the data was written by PostgreSQL ${dataVersion}, ${ours} comes along`,
      'Go back to the release that wrote it and export (pg_dump), or move the directory away.',
    )
  }
  return fine(`${version}, runs as ${await nameOf(uid)}`)
}

async function nameOf(uid: number): Promise<string> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = passwd.split('\n').find((one) => one.split(':')[2] === String(uid))
  return `${line?.split(':')[0] ?? 'an unnamed user'} (uid ${uid})`
}

/** A busy day writes some hundred megabytes; below this a write may fail before anybody looks. */
const FREE_LOW_BYTES = 2 * 1024 ** 3
const FREE_MIN_BYTES = 256 * 1024 ** 2

export async function checkDataDir({ dataDir }: Config): Promise<Finding> {
  const dir = resolve(dataDir)
  const there = await nearest(dir)
  try {
    await access(there, constants.W_OK)
  } catch {
    return fails(
      `${there} may not be written by this user`,
      'Hand it over with chown, or set STANDING_DATA_DIR to another directory.',
    )
  }
  const { bavail, bsize } = await statfs(there)
  const free = bavail * bsize
  const says = `${dir}${there === dir ? '' : ' (will be made)'}, ${gigabytes(free)} free`
  const todo = 'Make room on this disk, or set STANDING_DATA_DIR to one with more.'
  if (free < FREE_MIN_BYTES) {
    return fails(says, todo)
  }
  return free < FREE_LOW_BYTES ? note(says, todo) : fine(says)
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

/** The directory, or the first above it that is there. */
async function nearest(dir: string): Promise<string> {
  for (let at = dir; ; at = dirname(at)) {
    const isThere = await access(at).then(
      () => true,
      () => false,
    )
    if (isThere || at === dirname(at)) {
      return at
    }
  }
}

export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) {
    return fine('any free one')
  }
  const error = await tryListen(host, port)
  if (error === null) {
    return fine(`${port} of ${host} is free`)
  }
  if (error.code === 'EADDRINUSE' && (await isStanding(host, port))) {
    return fine(`${port} of ${host}: Standing itself listens there`)
  }
  if (error.code === 'EADDRINUSE') {
    return fails(`${port} of ${host} is taken`, 'Set PORT to another, or to 0 for a free one.')
  }
  if (error.code === 'EACCES') {
    return fails(`${port} may not be opened by this user`, 'Set PORT to one from 1024 on.')
  }
  return fails(`${port} of ${host}: ${error.message}`, 'Set HOST to an address of this machine.')
}

function tryListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    server.listen(port, host, () => server.close(() => done(null)))
  })
}

async function isStanding(host: string, port: number): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host
  const signal = AbortSignal.timeout(2_000)
  const answer = await fetch(`http://${name}:${port}/v1/scores/classifications`, { signal }).catch(
    () => null,
  )
  return answer?.headers.get('x-request-id') != null
}
