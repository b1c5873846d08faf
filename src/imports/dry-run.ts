import type { Endorsement } from '../fraud/endorsements.ts'
import { isProven } from '../fraud/establishment.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type { WorkStats } from '../fraud/work-stats.ts'
import type { EventWrites } from '../ingest/batch-state.ts'
import { decide } from '../ingest/decide.ts'
import { foldEvent } from '../ingest/fold.ts'
import { type Recorder, scopeOf } from '../ingest/record-reports.ts'
import {
  contentDigest,
  externalNamesOf,
  type Report,
  type ReportOutcome,
  workKindsOf,
} from '../ingest/report.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import {
  type AgentState,
  externalKey,
  type IngestResult,
  type IngestView,
  type KnownEvent,
  type Store,
} from '../store/store.ts'

/** Decides on reports over what the store has and what was decided before, and writes nothing. */
export interface DryRun {
  decide(store: Store, reports: readonly Report[]): Promise<Decided>
}

export interface Decided {
  readonly outcomes: readonly ReportOutcome[]
  readonly agentStates: readonly AgentState[]
}

/** Names that are remembered: a line that repeats one further back is counted twice in a dry run. */
const NAMES_MAX = 100_000

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
  storedResponses: [],
}

/** What earlier batches of a dry run would have written. */
interface Overlay {
  readonly agentStates: Map<string, AgentState>
  readonly reporters: Map<string, ReporterStats>
  readonly works: Map<string, WorkStats>
  readonly known: ReturnType<typeof createBoundedMap<string, KnownEvent>>
  endorsements: readonly Endorsement[]
  /** Platforms that the past would establish. */
  readonly established: Set<string>
}

export function createDryRun(recorder: Recorder): DryRun {
  const overlay: Overlay = {
    agentStates: new Map(),
    reporters: new Map(),
    works: new Map(),
    known: createBoundedMap(NAMES_MAX),
    endorsements: [],
    established: new Set(),
  }
  return {
    async decide(store, reports) {
      const { now, newId, model, policy, rules } = recorder
      const settings = await rules.current(store)
      const given = { now: now(), newId, model, policy, settings, contentDigest, fold: foldEvent }
      const { decided } = await store.events.ingest(scopeOf(reports, policy), (view) => ({
        ...NOTHING,
        decided: decide(laidOver(overlay, view, reports), reports, given),
      }))
      add(overlay, decided.writes)
      return { outcomes: decided.outcomes, agentStates: decided.writes.agentStates }
    },
  }
}

function laidOver(overlay: Overlay, view: IngestView, reports: readonly Report[]): IngestView {
  const stored = [...view.reporters].filter(([, stats]) => isProven(stats)).map(([id]) => id)
  const added = [...overlay.established].filter((id) => !stored.includes(id)).length
  return {
    ...view,
    agentStates: both(
      view.agentStates,
      overlay.agentStates,
      reports.map(({ agentId }) => agentId),
    ),
    reporters: new Map([...view.reporters, ...overlay.reporters]),
    works: both(view.works, overlay.works, reports.flatMap(workKindsOf)),
    known: both(view.known, overlay.known, reports.flatMap(externalNamesOf).map(externalKey)),
    endorsements: [...view.endorsements, ...overlay.endorsements],
    establishedPlatforms: view.establishedPlatforms + added,
  }
}

/** The stored values, and in their place those of the overlay under these keys. */
function both<V>(
  stored: ReadonlyMap<string, V>,
  overlay: { get(key: string): V | undefined },
  keys: readonly string[],
): ReadonlyMap<string, V> {
  const values = new Map(stored)
  for (const key of keys) {
    const value = overlay.get(key)
    if (value !== undefined) {
      values.set(key, value)
    }
  }
  return values
}

function add(overlay: Overlay, writes: EventWrites): void {
  for (const state of writes.agentStates) {
    overlay.agentStates.set(state.agentId, state)
  }
  for (const { platformId, record } of writes.reporters) {
    overlay.reporters.set(platformId, record)
    if (isProven(record)) {
      overlay.established.add(platformId)
    }
  }
  for (const { kind, stats } of writes.works) {
    overlay.works.set(kind, stats)
  }
  overlay.endorsements = [...overlay.endorsements, ...writes.endorsements]
  for (const { event, name, digest } of writes.events) {
    if (name !== null && digest) {
      const { agentId, reporter } = event
      const key = externalKey({ reporterId: reporter.id, agentId, externalId: name })
      overlay.known.set(key, { event, digest })
    }
  }
}
