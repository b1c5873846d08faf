import type { Client } from 'pg'
import { type Connection, connectOrCreate, sessionName } from './connect.ts'
import { EmbeddedError } from './error.ts'
import type { Paths } from './paths.ts'
import { pause } from './wait.ts'

/** This process's lock on a server, held until the session that took it ends. */
export interface Lock {
  /** Calls back once, when the session ends other than by `release`. */
  onLost(listener: () => void): void
  /** Whether it is held at this moment. It asks the server, as a loss is noticed a little late. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** Four letters in ASCII and a number, which no other use of advisory locks is likely to choose. */
const LOCK_KEY = [0x5354414e, 1] as const

/** A process that was killed loses its session within milliseconds; after this time its holder is running. */
const TRY_FOR_MS = 2000
const TRY_EVERY_MS = 50

/** A session that does not answer for this long is dead, or its server hangs. */
const ANSWER_WITHIN_MS = 5000

/**
 * Locks the server for this process. PostgreSQL drops the lock when the session ends, however the
 * process ends. @throws EmbeddedError IN_USE, naming the holder, when another live process has the lock
 */
export async function takeLock(
  paths: Paths,
  connection: Connection,
  signal?: AbortSignal,
  connectForMs?: number,
): Promise<Lock> {
  const client = await connectOrCreate(connection, signal, connectForMs)
  try {
    const deadline = performance.now() + TRY_FOR_MS
    while (!(await tryLock(client))) {
      if (performance.now() >= deadline) {
        throw inUse(paths, await holder(client))
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
      // It may have been lost before this call.
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
  const waiting = new AbortController()
  const silence = pause(ANSWER_WITHIN_MS, waiting.signal).then(
    () => false,
    () => false,
  )
  const alive = await Promise.race([answer, silence])
  waiting.abort()
  return alive
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, $2) as locked',
    [...LOCK_KEY],
  )
  return rows[0]?.locked === true
}

/** The pid of the process that holds the lock, from the name of its session. */
async function holder(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2
        and a.datname = current_database()`,
    [...LOCK_KEY],
  )
  const pid = /\d+$/.exec(rows[0]?.name ?? '')?.[0]
  return pid !== undefined && rows[0]?.name === sessionName(pid) ? pid : undefined
}

export function isInUse(error: unknown): boolean {
  return error instanceof EmbeddedError && error.code === 'IN_USE'
}

function inUse({ dataDir }: Paths, pid: string | undefined): EmbeddedError {
  const holder = pid ? `process ${pid}` : 'another process'
  return new EmbeddedError(
    'IN_USE',
    `The data directory ${dataDir} is in use by ${holder}. Stop it first, or use another directory.`,
  )
}
