import pg from 'pg'
import { EmbeddedError, errorCode } from './error.ts'
import { pause } from './wait.ts'

/** How to reach the server. `host` is the directory of its socket; there is no password. */
export type Connection = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** Our claim to a database, held as long as the session that made it lives. */
export type Lock = {
  /** Called once, when the session ends otherwise than by `release`. */
  onLost(listener: () => void): void
  /** Whether it is held at this moment; asks the server, as a loss is told a little late. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** "STAN" and a number, as no other use of advisory locks in this database would choose them. */
const LOCK_KEY = [0x5354414e, 1] as const

/**
 * A holder that was killed loses its session within milliseconds; one that still has it after this
 * long is alive.
 */
const TRY_FOR_MS = 2000
const TRY_EVERY_MS = 50

/** A session that says nothing for this long does not live, or its server hangs. */
const ANSWER_WITHIN_MS = 5000

/** A server that mends itself after the crash of a session lets nobody in for a moment. */
const CONNECT_FOR_MS = 30_000

/** SQLSTATE codes: it is mending itself; all its connections are taken. */
const NOT_NOW = ['57P03', '53300']

/** SQLSTATE codes: the database is yet to be created; another process was faster to create it. */
const NO_SUCH_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/**
 * Claims the database for this process, by a lock that PostgreSQL drops when the session ends, however
 * the process ends. Throws HELD, naming the holder, when another live process has it.
 */
export async function takeLock(connection: Connection, signal?: AbortSignal): Promise<Lock> {
  const client = await connectOrCreate(connection, signal)
  try {
    const deadline = Date.now() + TRY_FOR_MS
    while (!(await tryLock(client))) {
      if (Date.now() >= deadline) throw held(await holder(client))
      await pause(TRY_EVERY_MS, signal)
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return lockOf(client)
}

function lockOf(client: pg.Client): Lock {
  let over = false
  let listener: (() => void) | undefined
  client.on('end', () => {
    if (over) return
    over = true
    listener?.()
  })
  return {
    onLost(wanted) {
      listener = wanted
      // It may have been lost before anybody asked.
      if (over) wanted()
    },
    isHeld() {
      return over ? Promise.resolve(false) : answers(client)
    },
    async release() {
      if (over) return
      over = true
      await client.end().catch(() => {})
    },
  }
}

async function answers(client: pg.Client): Promise<boolean> {
  const answer = client.query('select 1').then(
    () => true,
    () => false,
  )
  const patience = new AbortController()
  const silence = pause(ANSWER_WITHIN_MS, patience.signal).then(
    () => false,
    () => false,
  )
  const alive = await Promise.race([answer, silence])
  patience.abort()
  return alive
}

/** Connects, making the database if it is not there: the first start, or a crash during it. */
async function connectOrCreate(connection: Connection, signal?: AbortSignal): Promise<pg.Client> {
  try {
    return await connectPatiently(connection, signal)
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) throw error
  }
  const client = await connect({ ...connection, database: 'postgres' })
  try {
    await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) throw error
  } finally {
    await client.end()
  }
  return await connect(connection)
}

async function connectPatiently(connection: Connection, signal?: AbortSignal): Promise<pg.Client> {
  const deadline = Date.now() + CONNECT_FOR_MS
  for (;;) {
    try {
      return await connect(connection)
    } catch (error) {
      if (!NOT_NOW.includes(errorCode(error) ?? '') || Date.now() > deadline) throw error
    }
    await pause(TRY_EVERY_MS, signal)
  }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    // Said outright, for PGSSLMODE and the like are meant for other servers.
    ssl: false,
    application_name: `standing ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a lost connection would end the process; 'end' follows and is listened to.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, $2) as locked',
    [...LOCK_KEY],
  )
  return rows[0]?.locked === true
}

/** The pid of the process that holds the lock, as its sessions name themselves. */
async function holder(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2
        and a.datname = current_database()`,
    [...LOCK_KEY],
  )
  return /^standing (\d+)$/.exec(rows[0]?.name ?? '')?.[1]
}

export function isHeld(error: unknown): boolean {
  return error instanceof EmbeddedError && error.code === 'HELD'
}

function held(pid: string | undefined): EmbeddedError {
  const who = pid ? `process ${pid}` : 'another process'
  return new EmbeddedError(
    'HELD',
    `Another Standing (${who}) is running on this data directory. Stop it first, or set ` +
      'STANDING_DATA_DIR to another directory. To run several nodes, let them share a DATABASE_URL.',
  )
}
