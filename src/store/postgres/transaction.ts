import type pg from 'pg'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { MARK_COMMIT } from './distributed-tables.ts'
import { LIMITS, sendTogether } from './pool.ts'
import {
  isCollision,
  isDisconnected,
  isInFailedTransaction,
  isRefused,
  mayRunAgain,
  type Sql,
  sqlOn,
  unavailable,
  unknownOutcome,
} from './sql.ts'

/** By default Citus does not pass a limit on to the servers with the rows. */
const LOCK_LIMIT = [
  "set local citus.propagate_set_commands to 'local'",
  `set local lock_timeout to ${LIMITS.lockMs}`,
]

/** How often work that collides with another transaction, or loses its connection first, runs before it fails. */
const RUNS_MAX = 6

export interface Transaction {
  readonly client: pg.PoolClient
  readonly sql: Sql
  /**
   * Statements that the commit follows without waiting for them, which saves a round trip. When one fails,
   * the database commits nothing.
   */
  readonly sent: Promise<unknown>[]
  /** Called once the transaction has committed or, where the outcome is unknown, may have. */
  readonly onCommitted: (() => void)[]
}

export interface TransactionOptions {
  /** Whether it may write on more than one server: the commit is then one in two phases. */
  readonly isDistributed?: boolean
}

/**
 * Commits what `work` did, or undoes all of it. Work that collides with another transaction runs again, and so does
 * work whose connection turned out to be lost when the transaction was to begin.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await once(pool, work, options)
    } catch (error) {
      const mayRun = mayRunAgain(error) || error instanceof NotBegun
      if (!mayRun) {
        throw error
      }
      if (run >= RUNS_MAX) {
        throw isCollision(error) ? new StoreBusy(String(error), { cause: error }) : error
      }
    }
  }
}

async function once<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  { isDistributed = false }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  const statements = statementsOn(client)
  statements.firstFailure = null
  const transaction = { client, sql: statements.sql, sent: [], onCommitted: [] }
  let isBroken = true
  let mayHaveCommitted = false
  try {
    // Sent together with the first statement of the work, which fails if this one does.
    const begun = transaction.sql('begin').then(
      () => null,
      (error: unknown) => error,
    )
    if (isDistributed) {
      for (const text of [MARK_COMMIT, ...LOCK_LIMIT]) {
        transaction.sql(text).catch(() => {})
      }
    }
    try {
      const result = await work(transaction)
      mayHaveCommitted = true
      await commit(transaction)
      isBroken = false
      return result
    } catch (error) {
      isBroken = !(await isRolledBack(transaction.sql))
      const failure = await begun
      if (isDisconnected(failure) && !mayHaveCommitted) {
        throw new NotBegun('the connection was lost before the transaction', { cause: failure })
      }
      // Of statements sent together, a later one may be noticed before the one that failed.
      throw isInFailedTransaction(error) ? (statements.firstFailure ?? error) : error
    }
  } finally {
    client.release(isBroken)
  }
}

/** The connection was lost before the database answered that the transaction has begun, and no commit was sent. */
class NotBegun extends StoreUnavailable {}

/** The statements of one connection, inside or outside a transaction. */
interface Statements {
  readonly sql: Sql
  /** Of the current transaction. */
  firstFailure: unknown
}

const ofClients = new WeakMap<pg.PoolClient, Statements>()

function statementsOn(client: pg.PoolClient): Statements {
  const known = ofClients.get(client)
  if (known) {
    return known
  }
  const onFailed = (error: unknown) => {
    statements.firstFailure ??= error
  }
  const sql = sqlOn(client, () => sendTogether(client), onFailed)
  const statements: Statements = { sql, firstFailure: null }
  ofClients.set(client, statements)
  return statements
}

/** A commit that fails may still have happened: the caller has to repeat its request with the same key. */
async function commit({ sql, sent, onCommitted }: Transaction): Promise<void> {
  const committed = sql('commit')
  try {
    await Promise.all([...sent, committed])
  } catch (error) {
    await Promise.allSettled([...sent, committed])
    if (mayRunAgain(error) || isRefused(error)) {
      throw error
    }
    run(onCommitted)
    throw unknownOutcome(error)
  }
  run(onCommitted)
}

function run(callbacks: readonly (() => void)[]): void {
  for (const callback of callbacks) {
    callback()
  }
}

async function isRolledBack(sql: Sql): Promise<boolean> {
  try {
    await sql('rollback')
    return true
  } catch {
    return false
  }
}
