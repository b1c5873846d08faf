import { randomInt } from 'node:crypto'
import type { HourCount } from '../../domain/limits.ts'
import { MODEL_VERSION } from '../../domain/model.ts'
import { type Endorsement, linkKey } from '../../fraud/endorsements.ts'
import type { ReporterStats } from '../../fraud/reporter-stats.ts'
import { reliesOnOwn, type WorkStats } from '../../fraud/work-stats.ts'
import { type BoundedMap, createBoundedMap } from '../../lib/bounded-map.ts'
import type { AgentState } from '../agent-states.ts'
import type { IngestResult, IngestScope, IngestView } from '../ingest.ts'

/** A row as this node last read or wrote it, with the version that shows whether it has changed since. */
export interface Versioned<T> {
  readonly value: T
  readonly version: number
}

/** The rows that the last reports were decided by. The next ones use them if they have not changed since. */
export interface StateCache {
  readonly agents: BoundedMap<string, Versioned<AgentState>>
  readonly reporters: BoundedMap<string, Versioned<ReporterStats>>
  readonly platformHours: BoundedMap<string, HourCount>
  readonly works: BoundedMap<string, WorkStats>
  /** By `linkKey`: what is known of two owners. */
  readonly endorsements: BoundedMap<string, readonly Endorsement[]>
  /** Established platforms of the installation; null while nothing is known. */
  established: number | null
}

/** A state takes a few kilobytes, with a long behaviour profile 20: some 20 MB in all at most. */
const AGENTS_MAX = 2_000

/** Rows of some kilobytes too, and few platforms report at a time. */
const PLATFORMS_MAX = 500

export function createStateCache(agentsMax = AGENTS_MAX, platformsMax = PLATFORMS_MAX): StateCache {
  return {
    agents: createBoundedMap(agentsMax),
    reporters: createBoundedMap(platformsMax),
    platformHours: createBoundedMap(platformsMax),
    works: createBoundedMap(platformsMax),
    endorsements: createBoundedMap(agentsMax),
    established: null,
  }
}

/** Far below 2^53, from which JavaScript rounds, and so many that two writers never choose the same one. */
const VERSIONS = 2 ** 47

/**
 * The version of the rows that one transaction writes. It is drawn and not counted: a count could be the
 * same after the write of another node as after the failed one of this node.
 */
export function newVersion(): number {
  return randomInt(1, VERSIONS)
}

/** A batch that was decided, and the version that the rows it writes get. */
export interface DecidedBatch {
  readonly scope: IngestScope
  readonly view: IngestView
  readonly decided: IngestResult
  readonly version: number
}

/**
 * Caches what was, or is about to be, committed. An import waits for locks and passes through thousands of
 * agents: caching them would evict the agents that are being reported on.
 */
export function cacheDecided(cache: StateCache, batch: DecidedBatch): void {
  const { scope, view, decided, version } = batch
  for (const value of decided.agentStates) {
    // With subscribers, or after another model, one statement does not write everything.
    const isPlain =
      scope.skipsLocked === true &&
      value.modelVersion === MODEL_VERSION &&
      !view.ownersWithSubscribers.has(value.ownerId)
    if (isPlain) {
      cache.agents.set(value.agentId, { value, version })
    } else {
      cache.agents.delete(value.agentId)
    }
  }
  for (const { platformId, record: value } of decided.reporters) {
    cache.reporters.set(platformId, { value, version })
  }
  for (const { platformId, hour } of decided.platformHours) {
    cache.platformHours.set(platformId, hour)
  }
  for (const { kind, stats } of decided.works) {
    if (reliesOnOwn(stats)) {
      cache.works.set(kind, stats)
    }
  }
  cacheEndorsements(cache, batch)
  if (scope.needsEstablished) {
    cache.established = view.establishedPlatforms
  }
}

function cacheEndorsements(
  { endorsements }: StateCache,
  { scope, view, decided }: DecidedBatch,
): void {
  const known = [...view.endorsements, ...decided.endorsements]
  for (const { ownerId, agentId } of scope.endorsers) {
    const agentOwner = view.agentStates.get(agentId)?.ownerId
    if (agentOwner !== undefined) {
      const between = known.filter(
        ({ fromOwner, toOwner }) =>
          (fromOwner === ownerId && toOwner === agentOwner) ||
          (fromOwner === agentOwner && toOwner === ownerId),
      )
      endorsements.set(linkKey({ fromOwner: ownerId, toOwner: agentOwner }), between)
    }
  }
}

/** Removes the rows that a writer with another cache has written. */
export function invalidateWritten(cache: StateCache, written: IngestResult): void {
  for (const { agentId } of written.agentStates) {
    cache.agents.delete(agentId)
  }
  for (const { platformId } of written.reporters) {
    cache.reporters.delete(platformId)
  }
  for (const { kind } of written.works) {
    cache.works.delete(kind)
  }
}

/** Removes the rows of a transaction that was not committed. */
export function invalidate(cache: StateCache, scope: IngestScope): void {
  for (const agentId of scope.agentIds) {
    cache.agents.delete(agentId)
  }
  for (const platformId of scope.reporterIds) {
    cache.reporters.delete(platformId)
    cache.platformHours.delete(platformId)
  }
  for (const kind of scope.workKinds) {
    cache.works.delete(kind)
  }
  cache.endorsements.clear()
  cache.established = null
}

/**
 * The view of a batch, from the cache alone; null where something is missing. It assumes that there is no stored
 * response, no event of these names and no subscriber, which the database checks.
 */
export function viewOf(cache: StateCache, scope: IngestScope): IngestView | null {
  const agentStates = found(scope.agentIds, (id) => cache.agents.get(id)?.value)
  const reporters = found(scope.reporterIds, (id) => cache.reporters.get(id)?.value)
  const platformHours = found(scope.platformIds, (id) => cache.platformHours.get(id))
  if (!agentStates || !reporters || !platformHours || scope.credentialIds.length > 0) {
    return null
  }
  const { established } = cache
  if (established === null && scope.needsEstablished) {
    return null
  }
  // A platform with enough statistics of its own does not use those that all platforms share.
  const own = scope.workKinds.filter((kind) => scope.reporterIds.some((id) => kind.startsWith(id)))
  const works = found(own, (kind) => cache.works.get(kind))
  const endorsements = endorsementsOf(cache, scope, agentStates)
  if (!works || !endorsements) {
    return null
  }
  return {
    agentStates,
    reporters,
    platformHours,
    works,
    endorsements,
    establishedPlatforms: established ?? 0,
    ...NOTHING_READ,
  }
}

/** The parts of the view that the database checks instead. */
export const NOTHING_READ = {
  lockedElsewhere: new Set<string>(),
  credentials: new Map(),
  known: new Map(),
  storedResponses: new Map(),
  ownersWithSubscribers: new Set<string>(),
} as const

function endorsementsOf(
  cache: StateCache,
  { endorsers }: IngestScope,
  agentStates: ReadonlyMap<string, AgentState>,
): readonly Endorsement[] | null {
  const pairs = new Set<string>()
  for (const { ownerId, agentId } of endorsers) {
    pairs.add(linkKey({ fromOwner: ownerId, toOwner: agentStates.get(agentId)?.ownerId ?? '' }))
  }
  const links = found([...pairs], (pair) => cache.endorsements.get(pair))
  return links && [...links.values()].flat()
}

/** Adds states that were read, except where a newer one is there: it was written meanwhile. */
export function addMissingAgents(
  { agents }: StateCache,
  read: readonly Versioned<AgentState>[],
): void {
  addMissing(
    agents,
    read.map((one) => [one.value.agentId, one]),
  )
}

export function addMissing<V>(
  map: BoundedMap<string, V>,
  read: Iterable<readonly [string, V]>,
): void {
  for (const [key, value] of read) {
    if (map.get(key) === undefined) {
      map.set(key, value)
    }
  }
}

/** Null where one is missing. */
export function found<T>(
  keys: readonly string[],
  get: (key: string) => T | undefined,
): ReadonlyMap<string, T> | null {
  const values = new Map<string, T>()
  for (const key of keys) {
    const value = get(key)
    if (value === undefined) {
      return null
    }
    values.set(key, value)
  }
  return values
}
