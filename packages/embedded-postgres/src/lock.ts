import type { Client } from 'pg'
import { type Connection, connectOrCreate } from './connect.ts'
import { EmbeddedError } from './error.ts'
import { pause } from './wait.ts'

/** Our claim to a database, held as long as the session that made it lives. */
export interface Lock {
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

/**
 * Claims the database for this process, by a lock that PostgreSQL drops when the session ends, however
 * the process ends. Throws HELD, naming the holder, when another live process has it.
 */
export async function takeLock(connection: Connection, signal?: AbortSignal): Promise<Lock> {
  const client = await connectOrCreate(connection, signal)
  try {
    const deadline = Date.now() + TRY_FOR_MS
    while (!(await tryLock(client))) {
      if (Date.now() >= deadline) {
        throw held(await holder(client))
      }
      await pause(TRY_EVERY_MS, signal)
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return lockOf(client)
}

function lockOf(client: Client): Lock {
  let over = false
  let listener: (() => void) | undefined
  client.on('end', () => {
    if (over) {
      return
    }
    over = true
    listener?.()
  })
  return {
    onLost(wanted) {
      listener = wanted
      // It may have been lost before anybody asked.
      if (over) {
        wanted()
      }
    },
    isHeld() {
      return over ? Promise.resolve(false) : answers(client)
    },
    async release() {
      if (over) {
        return
      }
      over = true
      await client.end().catch(() => {})
    },
  }
}

async function answers(client: Client): Promise<boolean> {
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

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, $2) as locked',
    [...LOCK_KEY],
  )
  return rows[0]?.locked === true
}

/** The pid of the process that holds the lock, as its sessions name themselves. */
async function holder(client: Client): Promise<string | undefined> {
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
