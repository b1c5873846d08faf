import type pg from 'pg'
import { MODEL_VERSION } from '../../domain/model.ts'
import { type Endorsement, linkKey } from '../../fraud/endorsements.ts'
import type { WorkStats } from '../../fraud/work-stats.ts'
import type { BoundedMap } from '../../lib/bounded-map.ts'
import type { AgentState } from '../agent-states.ts'
import type { IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { readStates } from './agent-state-reads.ts'
import type { Before } from './checkpoints.ts'
import { findNamedCredentials } from './credentials.ts'
import { ownerPairs, readEndorsementsBetween } from './endorsements.ts'
import { guardedWrites, isPlain } from './guard.ts'
import { guardedWrite } from './guarded-writes.ts'
import { countEstablished, readReporters } from './reporters.ts'
import { createSharedConnection } from './shared-connection.ts'
import { isRefused, mayLock, type Sql, sqlOn, unknownOutcome } from './sql.ts'
import {
  addMissing,
  addMissingAgents,
  createStateCache,
  type DecidedBatch,
  found,
  invalidate,
  NOTHING_READ,
  newVersion,
  type StateCache,
} from './state-cache.ts'
import { readWorkStats } from './work-stats.ts'

export interface PastIngestOptions {
  readonly pool: pg.Pool
  readonly newId: () => string
  /** The same in a transaction that locks what it reads. */
  readonly locking: IngestEvents
  /** On a cluster no statement writes all of a batch. */
  readonly isOnlyLocking: boolean
  /** Called with what was written, or may have been. */
  readonly onCommitted: (decided: IngestResult) => void
}

/**
 * An import in order of time returns to the same agents again and again: cached states are not read again. A
 * state takes some 5 kB, so these take some 100 MB while an import runs.
 */
const CACHED_MAX = 20_000

/** How long batches lock after one found rows changed: the other writer is likely to continue. */
const LOCKING_MS = 1_000

/** A batch that was decided and sent, or that locks. It is stored when `done` resolves. */
interface Begun<R> {
  readonly done: Promise<R>
  /** Another number than the current one where it has to be stored before another batch is decided. */
  readonly run: number
}

/** What a batch is decided by in addition to the cache. */
interface Read {
  readonly absentAgents: ReadonlySet<string>
  readonly credentials: IngestView['credentials']
}

/**
 * Stores the batches of one import in the order of the calls. Each is one statement, decided by what this node
 * has cached of the batches before, while these are still being written. The statement writes nothing where
 * something else is there: another one wrote first, or an event was imported before. A transaction that locks
 * then handles the batch, and the batches after it wait.
 *
 * The statements run on one connection, so that a batch fails where one fails that it was decided on: the
 * versions that it expects are not there.
 */
export function createPastIngest({
  pool,
  newId,
  locking,
  isOnlyLocking,
  onCommitted,
}: PastIngestOptions): IngestEvents {
  const cache = createStateCache(CACHED_MAX, CACHED_MAX)
  const sql = sqlOn(pool)
  const connection = createSharedConnection(pool)
  let last: Promise<Begun<unknown>> = Promise.resolve({ done: Promise.resolve(), run: 0 })
  /** Counts the batches that lock: the one after them, and those sent meanwhile, are decided again. */
  let run = 0
  /** The states that batches made: nothing but the cache refers to them. */
  const owned = new WeakSet<AgentState>()
  let locksUntil = isOnlyLocking ? Number.POSITIVE_INFINITY : 0

  async function readUnlessLocking(scope: IngestScope): Promise<Read | null> {
    return performance.now() < locksUntil ? null : readMissing(sql, cache, scope)
  }

  async function begin<R extends IngestResult>(
    previous: Begun<unknown>,
    early: Promise<Read | null>,
    ...[scope, decide, follow]: Parameters<typeof locking<R>>
  ): Promise<Begun<R>> {
    let read = await early
    if (previous.run !== run) {
      await previous.done
      read = await readUnlessLocking(scope)
    }
    async function lock(): Promise<R> {
      await previous.done
      try {
        return await locking(scope, decide, follow)
      } finally {
        invalidate(cache, scope)
      }
    }
    const unowned = read && viewOf(cache, scope, read)
    if (unowned === null) {
      return { done: lock(), run: run++ }
    }
    const view = { ...unowned, isOwned: (state: AgentState) => owned.has(state) }
    const before: Before = new Map([...view.agentStates].map(([id, { seq }]) => [id, { seq }]))
    const decided = decide(view)
    if (!isPlain(decided, view) || follow?.isNeeded(decided)) {
      // The cached states are those after a batch that is not written.
      invalidate(cache, scope)
      return { done: lock(), run: run++ }
    }
    return { done: write(scope, { view, before }, decided, lock), run }
  }

  async function write<R extends IngestResult>(
    scope: IngestScope,
    { view, before }: { readonly view: IngestView; readonly before: Before },
    decided: R,
    lock: () => Promise<R>,
  ): Promise<R> {
    const known = { ...scope, agentIds: [...view.agentStates.keys()] }
    const batch = { scope: known, view, decided, version: newVersion() }
    const send = guardedWrite(guardedWrites(cache, batch, { newId, isNotified: false, before }))
    // After the values were taken: the versions that are expected are those before.
    cachePast(cache, batch)
    for (const state of decided.agentStates) {
      owned.add(state)
    }
    try {
      if (await connection.run(send)) {
        onCommitted(decided)
        return decided
      }
    } catch (error) {
      if (!mayLock(error)) {
        invalidate(cache, scope)
        onCommitted(decided)
        throw isRefused(error) ? error : unknownOutcome(error)
      }
    }
    // In one turn, so that no batch is decided on this one any more.
    run += 1
    invalidate(cache, scope)
    locksUntil = performance.now() + LOCKING_MS
    return lock()
  }

  return async (scope, decide, follow) => {
    const early = readUnlessLocking(scope)
    const begun = last.then((previous) => begin(previous, early, scope, decide, follow))
    last = begun
    // A failure shows where this batch is waited for.
    for (const one of [early, begun, begun.then(({ done }) => done)]) {
      one.catch(() => undefined)
    }
    const { done } = await begun
    return done
  }
}

/**
 * Reads without a lock what is not cached: the statement that writes shows whether it is still so. Null
 * where another model folded one of the agents.
 */
async function readMissing(sql: Sql, cache: StateCache, scope: IngestScope): Promise<Read | null> {
  const agents = unknownIn(cache.agents, scope.agentIds)
  const platforms = unknownIn(cache.reporters, scope.reporterIds)
  const [states, reporters, established, works, credentials] = await Promise.all([
    agents.length > 0 ? readStates(sql, agents) : [],
    platforms.length > 0 ? readReporters(sql, platforms) : [],
    scope.needsEstablished ? (cache.established ?? countEstablished(sql)) : null,
    readWorkStats(sql, unknownIn(cache.works, scope.workKinds)),
    findNamedCredentials(sql, scope.credentialIds),
  ])
  // What a batch before has written meanwhile is newer.
  addMissingAgents(cache, states)
  addMissing(cache.reporters, reporters)
  addMissing(cache.works, works)
  cache.established ??= established
  const absentAgents = new Set(agents)
  for (const { value } of states) {
    absentAgents.delete(value.agentId)
  }
  await readLinks(sql, cache, scope)
  const isOfModel = states.every(({ value }) => value.modelVersion === MODEL_VERSION)
  return isOfModel ? { absentAgents, credentials } : null
}

/** Who reported on whose agents, in both directions. */
async function readLinks(sql: Sql, cache: StateCache, scope: IngestScope): Promise<void> {
  const links = new Map(linksOf(cache, scope).map((link) => [linkKey(link), link]))
  const unknown = unknownIn(cache.endorsements, [...links.keys()])
  const stored = await readEndorsementsBetween(
    sql,
    unknown.flatMap((key) => links.get(key) ?? []),
  )
  const found = new Map(stored.map((link) => [linkKey(link), [link]]))
  addMissing(
    cache.endorsements,
    unknown.map((key) => [key, found.get(key) ?? []]),
  )
}

/** Each pair of a reporting owner and an agent's owner, in both directions. */
function linksOf(cache: StateCache, scope: IngestScope): readonly Endorsement[] {
  const there = ownerPairs(scope, (id) => cache.agents.get(id)?.value.ownerId)
  const back = there.map(({ fromOwner, toOwner }) => ({ fromOwner: toOwner, toOwner: fromOwner }))
  return [...there, ...back]
}

/** The view of a batch without a query; null where something is missing. */
function viewOf(
  cache: StateCache,
  scope: IngestScope,
  { absentAgents, credentials }: Read,
): IngestView | null {
  const agentIds = scope.agentIds.filter((id) => !absentAgents.has(id))
  const agentStates = found(agentIds, (id) => cache.agents.get(id)?.value)
  const reporters = found(scope.reporterIds, (id) => cache.reporters.get(id)?.value)
  const platformHours = found(scope.platformIds, (id) => cache.platformHours.get(id))
  const links = found(linksOf(cache, scope).map(linkKey), (key) => cache.endorsements.get(key))
  const { established } = cache
  if (!agentStates || !reporters || !platformHours || !links) {
    return null
  }
  if (established === null && scope.needsEstablished) {
    return null
  }
  const works = new Map<string, WorkStats>()
  for (const kind of scope.workKinds) {
    const stats = cache.works.get(kind)
    if (stats) {
      works.set(kind, stats)
    }
  }
  return {
    ...NOTHING_READ,
    agentStates,
    reporters,
    platformHours,
    works,
    endorsements: [...links.values()].flat(),
    establishedPlatforms: established ?? 0,
    credentials,
  }
}

function cachePast(cache: StateCache, { decided, version }: DecidedBatch): void {
  for (const value of decided.agentStates) {
    cache.agents.set(value.agentId, { value, version })
  }
  for (const { platformId, record: value } of decided.reporters) {
    cache.reporters.set(platformId, { value, version })
  }
  for (const { kind, stats } of decided.works) {
    cache.works.set(kind, stats)
  }
  for (const link of decided.endorsements) {
    cache.endorsements.set(linkKey(link), [link])
  }
}

/** The keys that are not cached. The others become the newest entries, so that what is read next does not evict them. */
function unknownIn<V>(map: BoundedMap<string, V>, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => {
    const value = map.get(key)
    if (value !== undefined) {
      map.set(key, value)
    }
    return value === undefined
  })
}
