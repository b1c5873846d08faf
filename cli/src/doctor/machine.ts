import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { isJsonObject } from '../../../src/lib/json-object.ts'
import { checkEmbeddedDatabase } from '../../../src/startup/embedded-database.ts'
import { errorIn, jsonOf } from '../http/json.ts'
import { type Finding, fails, fine, note } from './check.ts'

/** The oldest supported version (package.json, engines). */
const NODE_MIN = [20, 19] as const

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  return isNew
    ? fine(version)
    : fails(`${version} is too old`, `Install Node.js ${NODE_MIN.join('.')} or newer.`)
}

/** The embedded PostgreSQL, and the user that it runs as. */
export async function checkBinaries({ databaseUrl, dataDir }: Config): Promise<Finding> {
  if (databaseUrl !== null) {
    return fine('not needed: DATABASE_URL names a server')
  }
  const { version, uid, dataVersion } = await checkEmbeddedDatabase(dataDir)
  const own = version.split('.')[0]
  if (dataVersion !== null && dataVersion !== own) {
    return fails(
      `the data was written by PostgreSQL ${dataVersion}, the embedded one is ${own}`,
      'Export the data with the release that wrote it (pg_dump), or move the directory away.',
    )
  }
  return fine(`${version}, runs as ${await nameOf(uid)}`)
}

async function nameOf(uid: number): Promise<string> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = passwd.split('\n').find((one) => one.split(':')[2] === String(uid))
  return `${line?.split(':')[0] ?? 'an unnamed user'} (uid ${uid})`
}

/** A busy day writes some hundred megabytes; with less than this, writes may soon fail. */
const FREE_LOW_BYTES = 2 * 1024 ** 3
const FREE_MIN_BYTES = 256 * 1024 ** 2

export async function checkDataDir({ dataDir }: Config): Promise<Finding> {
  const dir = resolve(dataDir)
  const existing = await nearestExisting(dir)
  try {
    await access(existing, constants.W_OK)
  } catch {
    return fails(
      `this user cannot write to ${existing}`,
      'Change its owner (chown), or set STANDING_DATA_DIR to another directory.',
    )
  }
  const { bavail, bsize } = await statfs(existing)
  const free = bavail * bsize
  const finding = `${dir}${existing === dir ? '' : ' (will be created)'}, ${gigabytes(free)} free`
  const fix = 'Free space on this disk, or set STANDING_DATA_DIR to another disk.'
  if (free < FREE_MIN_BYTES) {
    return fails(finding, fix)
  }
  return free < FREE_LOW_BYTES ? note(finding, fix) : fine(finding)
}

/** What only the service's own user may read. The directory itself lets the database's user pass. */
const PRIVATE = ['secret.key', 'postgres', '.']

const READABLE_BY_OTHERS = 0o044

/** Whether another user of this machine may read the key or the data. */
export async function checkPrivacy({ dataDir }: Config): Promise<Finding> {
  for (const name of PRIVATE) {
    const path = join(resolve(dataDir), name)
    const mode = await stat(path).then(
      (found) => found.mode,
      () => 0,
    )
    if ((mode & READABLE_BY_OTHERS) !== 0) {
      const fix = `chmod go= ${path}`
      const finding = `other users may read ${path}`
      return name === 'secret.key'
        ? fails(finding, `${fix}; if one did, replace the key: standing secret rotate`)
        : note(finding, fix)
    }
  }
  return fine('only this user may read the key and the data')
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

/** The directory, or the first one above it that exists. */
async function nearestExisting(dir: string): Promise<string> {
  for (let at = dir; ; at = dirname(at)) {
    const exists = await access(at).then(
      () => true,
      () => false,
    )
    if (exists || at === dirname(at)) {
      return at
    }
  }
}

export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) {
    return fine('any free port')
  }
  const error = await tryListen(host, port)
  if (error === null) {
    return fine(`${port} on ${host} is free`)
  }
  if (error.code === 'EADDRINUSE' && (await isStanding(host, port))) {
    return running(host, port)
  }
  if (error.code === 'EADDRINUSE') {
    return fails(
      `${port} on ${host} is in use`,
      'Set PORT to another port, or to 0 for a free one.',
    )
  }
  if (error.code === 'EACCES') {
    return fails(`this user may not open port ${port}`, 'Set PORT to 1024 or higher.')
  }
  return fails(`${port} on ${host}: ${error.message}`, 'Set HOST to an address of this machine.')
}

/** The health that the service at this address reports. */
async function running(host: string, port: number): Promise<Finding> {
  const finding = `${port} on ${host}: Standing is running there`
  const ready = await ask(host, port, '/readyz')
  const body = jsonOf((await ready?.text()) ?? '')
  const problem = errorIn(body).message ?? (isJsonObject(body) ? body.reason : undefined)
  return problem === undefined
    ? fine(finding)
    : note(`${finding}, ${problem}`, 'The log of the service says more.')
}

function tryListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    server.listen(port, host, () => server.close(() => done(null)))
  })
}

async function isStanding(host: string, port: number): Promise<boolean> {
  const answer = await ask(host, port, '/v1/scores/classifications')
  return answer?.headers.get('x-request-id') != null
}

/** Null where nothing answers. */
function ask(host: string, port: number, path: string): Promise<Response | null> {
  const name = host.includes(':') ? `[${host}]` : host
  const signal = AbortSignal.timeout(2_000)
  return fetch(`http://${name}:${port}${path}`, { signal }).catch(() => null)
}
