import { createHash } from 'node:crypto'
import type pg from 'pg'
import { memoized } from '../../lib/memoized.ts'
import { StoreBusy, StoreFull, StoreOutdated, StoreUnavailable } from '../types.ts'

/** Runs one statement with its values, on the pool or within a transaction. */
export interface Sql {
  <Row = Record<string, never>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** How many rows the statement wrote, without returning them. */
  written(text: string, values: readonly unknown[]): Promise<number>
}

interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
}

/**
 * Statements are constants of the program, so each connection prepares each of them once. `onSend` is
 * called before each is sent, `onFailed` for each that fails, in the order in which they were sent.
 */
export function sqlOn(
  connection: Queryable,
  onSend?: () => void,
  onFailed?: (error: unknown) => void,
): Sql {
  const run = (text: string, values: readonly unknown[]) => {
    onSend?.()
    return connection
      .query({ name: nameOf(text), text, values: values as unknown[] })
      .catch((error: unknown) => {
        const translated = translate(error)
        onFailed?.(translated)
        throw translated
      })
  }
  return Object.assign(
    async <Row>(text: string, values: readonly unknown[] = []) =>
      (await run(text, values)).rows as Row[],
    {
      written: async (text: string, values: readonly unknown[]) =>
        (await run(text, values)).rowCount ?? 0,
    },
  )
}

/**
 * Reads on a replica; on the other where the replica cannot be reached or read, cancelled the statement for what it
 * replays, or has not replayed a migration yet.
 */
export function sqlWithFallback(replica: Sql, otherwise: Sql): Sql {
  const orOn =
    <T>(read: () => Promise<T>) =>
    (error: unknown) => {
      const isAway = error instanceof StoreUnavailable || isForbidden(error)
      if (isAway || mayRunAgain(error) || isUndefined(error)) {
        return read()
      }
      throw error
    }
  return Object.assign(
    <Row>(text: string, values?: readonly unknown[]) =>
      replica<Row>(text, values).catch(orOn(() => otherwise<Row>(text, values))),
    { written: otherwise.written },
  )
}

/** A name of at most 63 bytes, as PostgreSQL asks, which no other statement has. */
const nameOf = memoized((text) => createHash('sha1').update(text).digest('base64url'))

/**
 * SQLSTATE classes of a database that is temporarily unavailable: connection errors (08), resources
 * (53, a full disk among them), operator intervention (57), a read-only server (25006), and system
 * errors (58, XX).
 */
const AWAY = /^(08|53|57|58|XX|25006)/

const DISK_FULL = '53100'

const FOREIGN_KEY_VIOLATION = '23503'

const LOCK_NOT_AVAILABLE = '55P03'

/** A lock was not available in time (55P03), or a statement took too long (57014). */
const BUSY = /^(55P03|57014)$/

/** The errors of the operating system and of `pg` when a connection cannot be made or is lost. */
const LOST =
  /ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|terminat|timeout|not queryable|Client has encountered/i

export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error
  }
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  // Errors that end the session or refuse it: no such database, no more connections.
  const isOver = severity === 'FATAL' || severity === 'PANIC'
  if (typeof code === 'string' && BUSY.test(code)) {
    return new StoreBusy(error.message, { cause: error })
  }
  if (code === DISK_FULL) {
    return new StoreFull(error.message, { cause: error })
  }
  if (code === FOREIGN_KEY_VIOLATION) {
    return new StoreOutdated(error.message, { cause: error })
  }
  // EPIPE has the length of an SQLSTATE, so a code is compared with both.
  const isAway = typeof code === 'string' && (AWAY.test(code) || isOnStandby(error))
  return isOver || isAway || isConnectionError(error, code)
    ? new StoreUnavailable(error.message, { cause: error })
    : error
}

/**
 * Requests are counted in an unlogged table, which a standby does not have. The SQLSTATE is that of everything that a
 * server cannot do; where it was raised does not depend on the language of the message.
 */
function isOnStandby(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'get_relation_info'
}

/** The session was ended by the server (57P01), or the connection to it, before or after the statement was sent. */
export function isDisconnected(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown } | null }
  return (
    error instanceof StoreUnavailable &&
    DISCONNECTED.test(String(cause?.code ?? cause?.message ?? ''))
  )
}

const DISCONNECTED = /^(57P01|ECONNRESET|EPIPE)$|terminated|not queryable/

function isConnectionError(error: Error, code: unknown): boolean {
  return LOST.test(typeof code === 'string' ? code : error.message)
}

/** The database refused the statement, and with it the transaction: it did not commit. */
export function isRefused(error: unknown): boolean {
  const { cause = error } = (error ?? {}) as { cause?: unknown }
  const { code, severity } = (cause ?? {}) as { code?: unknown; severity?: unknown }
  return severity === 'ERROR' && typeof code === 'string'
}

/** A lock was not available in time. */
export function isLocked(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown } | null }
  return error instanceof StoreBusy && cause?.code === LOCK_NOT_AVAILABLE
}

/** How a condition of a statement fails it. */
export function isDivisionByZero(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '22012'
}

/** The transaction had failed before: the database refuses all that follows in it. */
export function isInFailedTransaction(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '25P02'
}

/**
 * No such table (42P01), column (42703) or function (42883): the server has other shards than the one that sent it knew
 * of, or lacks a migration.
 */
export function isUndefined(error: unknown): boolean {
  return /^42(P01|703|883)$/.test(String((error as { code?: unknown } | null)?.code))
}

/** The user of the database has no right to do this. */
export function isForbidden(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '42501'
}

/** Two transactions collided (deadlock, serialisation, unique key): the work may run again. */
export function mayRunAgain(error: unknown): boolean {
  return isCollision(error) || (error as { code?: unknown } | null)?.code === '23505'
}

/** One of two transactions had to end, for a deadlock or for the order in which they read and wrote. */
export function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001'
}

/** A statement that checks what it was decided by wrote nothing, and a transaction that locks may. */
export function mayLock(error: unknown): boolean {
  return isDivisionByZero(error) || isLocked(error) || mayRunAgain(error)
}

/** It may have happened: the caller has to repeat its request with the same key. */
export function unknownOutcome(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('the outcome of a commit is unknown', { cause })
}

/** The error of a connection that could not be made. */
export function unavailable(error: unknown): unknown {
  const translated = translate(error)
  if (translated instanceof StoreUnavailable || !(error instanceof Error)) {
    return translated
  }
  return new StoreUnavailable(error.message, { cause: error })
}
