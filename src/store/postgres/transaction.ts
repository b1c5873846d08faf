import type pg from 'pg'
import { MARK_COMMIT } from './distribution.ts'
import { LOCK_MAX_MS, sendTogether } from './pool.ts'
import {
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
  `set local lock_timeout to ${LOCK_MAX_MS}`,
]

/** How often work that collides with another transaction runs before it fails. */
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
  /** How often it runs where it collides with another. */
  readonly runsMax?: number
}

/** Commits what `work` did, or undoes all of it. Work that collides with another transaction runs again. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await once(pool, work, options)
    } catch (error) {
      if (run >= (options.runsMax ?? RUNS_MAX) || !mayRunAgain(error)) {
        throw error
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
  try {
    // Sent together with the first statement of the work, which fails if this one does.
    transaction.sql('begin').catch(() => {})
    if (isDistributed) {
      for (const text of [MARK_COMMIT, ...LOCK_LIMIT]) {
        transaction.sql(text).catch(() => {})
      }
    }
    try {
      const result = await work(transaction)
      await commit(transaction)
      isBroken = false
      return result
    } catch (error) {
      isBroken = !(await isRolledBack(transaction.sql))
      // Of statements sent together, a later one may be noticed before the one that failed.
      throw isInFailedTransaction(error) ? (statements.firstFailure ?? error) : error
    }
  } finally {
    client.release(isBroken)
  }
}

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
