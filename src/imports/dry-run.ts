import { type Endorsement, linkKey } from '../fraud/endorsements.ts'
import { isEstablished } from '../fraud/establishment.ts'
import { NO_REPORTS, type ReporterStats } from '../fraud/reporter-stats.ts'
import type { WorkStats } from '../fraud/work-stats.ts'
import type { EventWrites } from '../ingest/batch-state.ts'
import { decide } from '../ingest/decide.ts'
import { foldEvent } from '../ingest/fold.ts'
import { type Recorder, scopeOf } from '../ingest/record-reports.ts'
import { contentDigest, externalNamesOf, type Report, workKindsOf } from '../ingest/report.ts'
import { type BoundedMap, createBoundedMap } from '../lib/bounded-map.ts'
import {
  type AgentState,
  externalKey,
  type IngestResult,
  type IngestView,
  type KnownEvent,
  type Store,
} from '../store/store.ts'
import type { Decided } from './past-reports.ts'
import { createStateFile, type StateFile } from './state-file.ts'

/** Decides on reports over what the store has and what was decided before, and writes nothing there. */
export interface DryRun {
  decide(store: Store, reports: readonly Report[]): Promise<Decided>
  /** As they would be after what was decided. */
  states(agentIds: readonly string[]): ReadonlyMap<string, AgentState>
  close(): Promise<void>
}

/** Names that are remembered: a line that repeats one further back is counted twice in a dry run. */
const NAMES_MAX = 20_000

/** Kinds of work that are remembered, some kilobytes each; the store keeps a thousand of each platform. */
const WORKS_MAX = 5_000

/** Pairs of owners that are remembered, some hundred bytes each. */
const LINKS_MAX = 100_000

/** Nothing is written. */
const NOTHING: IngestResult = {
  agentStates: [],
  platformHours: [],
  reporters: [],
  works: [],
  endorsements: [],
  events: [],
  snapshots: [],
  notifications: [],
  delegated: [],
  storedResponses: [],
}

/** What earlier batches of a dry run would have written. */
interface Overlay {
  readonly agentStates: StateFile
  /** As many as there are platforms. */
  readonly reporters: Map<string, ReporterStats>
  readonly works: BoundedMap<string, WorkStats>
  readonly known: BoundedMap<string, KnownEvent>
  /** By `linkKey`. */
  readonly endorsements: BoundedMap<string, Endorsement>
  /** The voters that the past would establish, and those read that are established in the store. */
  readonly established: Set<string>
  readonly storedEstablished: Set<string>
}

export async function createDryRun(recorder: Recorder): Promise<DryRun> {
  const overlay: Overlay = {
    agentStates: await createStateFile(recorder.model),
    reporters: new Map(),
    works: createBoundedMap(WORKS_MAX),
    known: createBoundedMap(NAMES_MAX),
    endorsements: createBoundedMap(LINKS_MAX),
    established: new Set(),
    storedEstablished: new Set(),
  }
  return {
    async decide(store, reports) {
      const { now, newId, model, limits, rules } = recorder
      const settings = await rules.current(store)
      const given = { now: now(), newId, model, limits, settings, contentDigest, fold: foldEvent }
      const scope = scopeOf(reports, limits)
      // Whose owner is compared with the owner of a platform is read in any case.
      const linked = new Set(scope.endorsers.map(({ agentId }) => agentId))
      const agentIds = scope.agentIds.filter((id) => linked.has(id) || !overlay.agentStates.has(id))
      const { decided } = await store.events.ingest({ ...scope, agentIds }, (view) => {
        for (const voter of storedEstablished(view, reports)) {
          overlay.storedEstablished.add(voter)
        }
        return { ...NOTHING, decided: decide(laidOver(overlay, view, reports), reports, given) }
      })
      add(overlay, decided.writes)
      addEstablished(overlay, decided.writes, reports)
      return { outcomes: decided.outcomes, agentStates: decided.writes.agentStates }
    },
    states: (agentIds) => both(new Map(), overlay.agentStates, agentIds),
    close: overlay.agentStates.close,
  }
}

function laidOver(overlay: Overlay, view: IngestView, reports: readonly Report[]): IngestView {
  const { established, storedEstablished: stored } = overlay
  const added = [...established].filter((voter) => !stored.has(voter)).length
  const agentIds = reports.map(({ agentId }) => agentId)
  const agentStates = both(view.agentStates, overlay.agentStates, agentIds)
  return {
    ...view,
    agentStates,
    reporters: new Map([...view.reporters, ...overlay.reporters]),
    works: both(view.works, overlay.works, reports.flatMap(workKindsOf)),
    known: both(view.known, overlay.known, reports.flatMap(externalNamesOf).map(externalKey)),
    endorsements: [...view.endorsements, ...linksOf(overlay, agentStates, reports)],
    establishedPlatforms: view.establishedPlatforms + added,
  }
}

/** All platforms of one owner are one voter, as the store counts them. */
function voterOf({ reporter, reporterOwnerId }: Report): string {
  return reporterOwnerId ?? reporter.id
}

function storedEstablished(
  { reporters }: IngestView,
  reports: readonly Report[],
): readonly string[] {
  const isStored = ({ reporter, reporterVerified }: Report) =>
    isEstablished(reporters.get(reporter.id) ?? NO_REPORTS, reporterVerified)
  return reports.filter(isStored).map(voterOf)
}

/** Which of the reporting owners and of the agents' owners reported on each other's agents. */
function linksOf(
  { endorsements }: Overlay,
  agentStates: ReadonlyMap<string, AgentState>,
  reports: readonly Report[],
): readonly Endorsement[] {
  const keys = new Set<string>()
  for (const { reporterOwnerId: reporting, agentId } of reports) {
    const owner = agentStates.get(agentId)?.ownerId
    if (reporting !== null && owner !== undefined) {
      keys.add(linkKey({ fromOwner: reporting, toOwner: owner }))
      keys.add(linkKey({ fromOwner: owner, toOwner: reporting }))
    }
  }
  return [...keys].flatMap((key) => endorsements.get(key) ?? [])
}

/** The stored values, and in their place those of the overlay under these keys. */
function both<V>(
  stored: ReadonlyMap<string, V>,
  overlay: { get(key: string): V | undefined },
  keys: readonly string[],
): ReadonlyMap<string, V> {
  const values = new Map(stored)
  for (const key of new Set(keys)) {
    const value = overlay.get(key)
    if (value !== undefined) {
      values.set(key, value)
    }
  }
  return values
}

function add(overlay: Overlay, writes: EventWrites): void {
  for (const state of writes.agentStates) {
    overlay.agentStates.set(state)
  }
  for (const { platformId, record } of writes.reporters) {
    overlay.reporters.set(platformId, record)
  }
  for (const { kind, stats } of writes.works) {
    overlay.works.set(kind, stats)
  }
  for (const link of writes.endorsements) {
    overlay.endorsements.set(linkKey(link), link)
  }
  for (const { event, name, digest } of writes.events) {
    if (name !== null && digest) {
      const { agentId, reporter } = event
      const key = externalKey({ reporterId: reporter.id, agentId, externalId: name })
      // Only that it was there, and its id, are asked for.
      overlay.known.set(key, { event: { ...event, data: {}, chain: null }, digest })
    }
  }
}

function addEstablished(
  { established }: Overlay,
  { reporters }: EventWrites,
  reports: readonly Report[],
): void {
  const proven = new Set(
    reporters
      .filter(({ record }) => isEstablished(record, false))
      .map(({ platformId }) => platformId),
  )
  for (const report of reports) {
    if (proven.has(report.reporter.id)) {
      established.add(voterOf(report))
    }
  }
}
