import type pg from 'pg'
import type { IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { readPlainStates } from './agent-state-reads.ts'
import type { Contention } from './contention.ts'
import { guardedWrites, isPlain } from './guard.ts'
import { guardedWrite } from './guarded-writes.ts'
import { createSharedConnection } from './shared-connection.ts'
import { isDivisionByZero, isLocked, isRefused, mayLock, unknownOutcome } from './sql.ts'
import {
  addMissingAgents,
  cacheDecided,
  invalidate,
  newVersion,
  type StateCache,
  viewOf,
} from './state-cache.ts'

export interface OptimisticIngestOptions {
  readonly pool: pg.Pool
  readonly cache: StateCache
  readonly contention: Contention
  readonly newId: () => string
  /** Ingests in a transaction that locks what it reads, and caches what it wrote. */
  readonly locking: IngestEvents
  readonly onCommitted: (change: ScoreChange) => void
}

export interface ScoreChange {
  readonly kind: 'scores'
  readonly ids: readonly string[]
}

/**
 * Stores events by one statement: decides by what this node has cached, and writes if it has not changed
 * since. One round trip, and nothing is locked while this process computes. The statements of one node run
 * on one connection, so that a batch may be decided by what the one before it is about to commit: if that
 * fails, the versions it would have written are not there, and what was built on them fails too.
 *
 * What takes more than that (a subscriber is to be notified, another node was first, a key was used before)
 * is done by a transaction that locks. So is every batch while contention is high.
 */
export function createOptimisticIngest(options: OptimisticIngestOptions): IngestEvents {
  const { pool, cache, contention, newId, locking, onCommitted } = options
  const connection = createSharedConnection(pool)
  const sent = new Set<Promise<unknown>>()
  let lockingRun: Promise<unknown> = Promise.resolve()

  /** Reads what is missing without a lock: the guard shows whether it is still so. */
  async function prepare({ agentIds }: IngestScope): Promise<void> {
    const missing = agentIds.filter((id) => cache.agents.get(id) === undefined)
    if (missing.length > 0) {
      const read = await connection.run((sql) => readPlainStates(sql, missing))
      addMissingAgents(cache, read)
    }
  }

  /** Decides and sends in one turn, so that batches are sent in the order in which they were decided. */
  function send<R extends IngestResult>(scope: IngestScope, view: IngestView, decided: R) {
    const batch = { scope, view, decided, version: newVersion() }
    const write = guardedWrite(guardedWrites(cache, batch, { newId }))
    cacheDecided(cache, batch)
    const writing = connection.run(write)
    sent.add(writing)
    const done = () => void sent.delete(writing)
    writing.then(done, done)
    return writing
  }

  /** Null where nothing was written. */
  async function tryOnce<R extends IngestResult>(
    ...[scope, decide, follow]: Parameters<typeof locking<R>>
  ): Promise<R | null> {
    await prepare(scope)
    await lockingRun
    const view = viewOf(cache, scope)
    if (view === null) {
      return null
    }
    const decided = decide(view)
    if (!isPlain(decided, view) || follow?.isNeeded(decided)) {
      return null
    }
    const writing = send(scope, view, decided)
    try {
      if (!(await writing)) {
        invalidate(cache, scope)
        return null
      }
      contention.won()
    } catch (error) {
      invalidate(cache, scope)
      if (!mayLock(error)) {
        if (isRefused(error)) {
          throw error
        }
        changed(decided)
        throw unknownOutcome(error)
      }
      if (isDivisionByZero(error) || isLocked(error)) {
        contention.lost()
      }
      return null
    }
    changed(decided)
    return decided
  }

  function changed({ agentStates }: IngestResult): void {
    onCommitted({ kind: 'scores', ids: agentStates.map(({ agentId }) => agentId) })
  }

  async function lockAll<R extends IngestResult>(
    ...args: Parameters<typeof locking<R>>
  ): Promise<R> {
    const before = Promise.allSettled([lockingRun, ...sent])
    const run = before.then(() => locking<R>(...args))
    lockingRun = run.catch(() => {})
    return run
  }

  return async (scope, decide, follow) => {
    // A wait for a lock delays no other batch.
    if (!scope.skipsLocked) {
      return locking(scope, decide, follow)
    }
    const done = contention.isHigh() ? null : await tryOnce(scope, decide, follow)
    return done ?? lockAll(scope, decide, follow)
  }
}
