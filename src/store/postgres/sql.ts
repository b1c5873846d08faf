import { createHash } from 'node:crypto'
import type pg from 'pg'
import { StoreBusy, StoreUnavailable } from '../store.ts'

/** Runs one statement with its values, on the pool or inside a transaction. */
export interface Sql {
  <Row = Record<string, never>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** How many rows the statement wrote, without having any of them sent back. */
  written(text: string, values: readonly unknown[]): Promise<number>
}

interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
}

/** Statements are constants of this program, so each connection plans each of them once. */
export function sqlOn(connection: Queryable): Sql {
  const run = (text: string, values: readonly unknown[]) =>
    connection
      .query({ name: nameOf(text), text, values: values as unknown[] })
      .catch((error: unknown) => {
        throw translate(error)
      })
  return Object.assign(
    async <Row>(text: string, values: readonly unknown[] = []) =>
      (await run(text, values)).rows as Row[],
    {
      written: async (text: string, values: readonly unknown[]) =>
        (await run(text, values)).rowCount ?? 0,
    },
  )
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

/**
 * SQLSTATE classes after which the database is not to be had just now: connection trouble (08),
 * resources (53, a full disk among them), operator intervention (57), a server that only reads
 * (25006), and faults of the system itself (58, XX).
 */
const AWAY = /^(08|53|57|58|XX|25006)/

/** A lock was not had in time (55P03), or a statement took too long (57014). */
const BUSY = /^(55P03|57014)$/

/** What the operating system and `pg` say when a connection cannot be made or is lost. */
const LOST =
  /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|terminat|timeout|not queryable|Client has encountered/i

export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error
  }
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  // Whatever ends the session, or never lets it begin: no such database, no more connections to it.
  const isOver = severity === 'FATAL' || severity === 'PANIC'
  if (typeof code === 'string' && BUSY.test(code)) {
    return new StoreBusy(error.message, { cause: error })
  }
  // EPIPE is as long as an SQLSTATE: a code is asked for both.
  const isAway = typeof code === 'string' && AWAY.test(code)
  return isOver || isAway || isLost(error, code)
    ? new StoreUnavailable(error.message, { cause: error })
    : error
}

function isLost(error: Error, code: unknown): boolean {
  return LOST.test(typeof code === 'string' ? code : error.message)
}

/** Two transactions stood in each other's way (deadlock, serialisation): the work may run again. */
export function mayRunAgain(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001' || code === '23505'
}
