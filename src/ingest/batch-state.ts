import { type MutableEvidence, ownedCopy } from '../domain/evidence-state.ts'
import {
  type HourCount,
  type MutableHour,
  type MutableReporterHour,
  NO_HOUR,
} from '../domain/limits.ts'
import { type Endorsement, hasEndorsement } from '../fraud/endorsements.ts'
import { copyOfProfile, type MutableProfile, type Writable } from '../fraud/profile.ts'
import {
  copyOfStats,
  type MutableReporterStats,
  NO_REPORTS,
  type ReporterStats,
} from '../fraud/reporter-stats.ts'
import {
  addOwnOutcome,
  addWorkOutcome,
  copyOfWork,
  type KnownWork,
  type MutableWorkStats,
  NO_WORK,
  teachesAll,
  type WorkKind,
  type WorkOutcome,
  type WorkStats,
} from '../fraud/work-stats.ts'
import type {
  AgentState,
  IngestResult,
  IngestView,
  KnownEvent,
  PlatformWrites,
} from '../store/store.ts'

/** A score that fell below what a living score credential claims. */
export interface ScoreDrop {
  readonly agentId: string
  readonly score: number
  readonly at: number
}

/** What follows from a batch of reports and is to be written, all of it or nothing. */
export interface EventWrites extends Omit<IngestResult, 'storedResponses'> {
  /** Score credentials of these agents that claim more are to be revoked. */
  readonly scoreDrops: readonly ScoreDrop[]
}

/** The kinds that events only add to. */
type AddedKind = Exclude<keyof EventWrites, 'agentStates' | keyof PlatformWrites>

/** Events with external names, by `externalKey`. */
export interface KnownEvents {
  get(key: string): KnownEvent | undefined
  set(key: string, known: KnownEvent): unknown
}

/** The state of an agent that a batch writes to: nothing else refers to it or to what it is made of. */
export type OwnedAgentState = Writable<AgentState> & {
  evidence: MutableEvidence
  profile: MutableProfile
  reporterHours: MutableReporterHour[]
}

/** The view that a batch began with, and what its events have changed so far. */
export interface BatchState extends Readonly<{ [K in AddedKind]: EventWrites[K][number][] }> {
  readonly view: IngestView
  readonly agentStates: Map<string, OwnedAgentState>
  readonly platformHours: Map<string, MutableHour>
  readonly reporters: Map<string, MutableReporterStats>
  readonly works: Map<string, MutableWorkStats>
  /** Platforms that became established in this batch are counted too. */
  establishedPlatforms: number
  readonly known: KnownEvents
  endorsements: readonly Endorsement[]
  newEndorsements: readonly Endorsement[]
}

export function newBatchState(view: IngestView): BatchState {
  return {
    view,
    agentStates: new Map(),
    platformHours: new Map(),
    reporters: new Map(),
    works: new Map(),
    establishedPlatforms: view.establishedPlatforms,
    known: new Map(),
    endorsements: view.endorsements,
    newEndorsements: [],
    events: [],
    snapshots: [],
    notifications: [],
    scoreDrops: [],
    delegated: [],
  }
}

export function agentStateIn(state: BatchState, agentId: string): AgentState | undefined {
  return state.agentStates.get(agentId) ?? state.view.agentStates.get(agentId)
}

/** The state of an agent to write to: a copy of what the view has, made once in a batch, where others refer to it. */
export function ownAgentState(
  { agentStates, view }: BatchState,
  before: AgentState,
): OwnedAgentState {
  const known = agentStates.get(before.agentId)
  if (known) {
    return known
  }
  const own = view.isOwned?.(before) ? (before as OwnedAgentState) : ownedState(before)
  agentStates.set(before.agentId, own)
  return own
}

/** Every field is listed, so that all states have one shape (V8 hidden class). */
export function ownedState(before: AgentState): OwnedAgentState {
  return {
    agentId: before.agentId,
    ownerId: before.ownerId,
    status: before.status,
    evidence: ownedCopy(before.evidence),
    profile: copyOfProfile(before.profile),
    score: before.score,
    isDisputed: before.isDisputed,
    wasLow: before.wasLow,
    snapshots: before.snapshots,
    seq: before.seq,
    chain: before.chain,
    quarantinedCount: before.quarantinedCount,
    correctedAt: before.correctedAt,
    reporterHours: before.reporterHours.map((hour) => ({ ...hour })),
    credentialFloor: before.credentialFloor,
    modelVersion: before.modelVersion,
    successorId: before.successorId,
    parentId: before.parentId,
    isParent: before.isParent,
    updatedAt: before.updatedAt,
  }
}

export function platformHourIn(state: BatchState, platformId: string): HourCount | undefined {
  return state.platformHours.get(platformId) ?? state.view.platformHours.get(platformId)
}

/** The hour of a platform to write to: a copy of what the view has, made once in a batch. */
export function ownPlatformHour(state: BatchState, platformId: string): MutableHour {
  const { platformHours } = state
  return (
    platformHours.get(platformId) ??
    put(platformHours, platformId, { ...(platformHourIn(state, platformId) ?? NO_HOUR) })
  )
}

export function reporterStatsIn(state: BatchState, reporterId: string): ReporterStats {
  return state.reporters.get(reporterId) ?? state.view.reporters.get(reporterId) ?? NO_REPORTS
}

/** The statistics of a reporter to write to: a copy of what the view has, made once in a batch. */
export function ownReporterStats(state: BatchState, reporterId: string): MutableReporterStats {
  const { reporters } = state
  return (
    reporters.get(reporterId) ??
    put(reporters, reporterId, copyOfStats(reporterStatsIn(state, reporterId)))
  )
}

export function knownWorkIn(state: BatchState, { own, shared }: WorkKind): KnownWork {
  return { own: workStatsIn(state, own), shared: workStatsIn(state, shared) }
}

function workStatsIn(state: BatchState, kind: string): WorkStats {
  return state.works.get(kind) ?? state.view.works.get(kind) ?? NO_WORK
}

/** The statistics of a kind to write to: a copy of what the view has, made once in a batch. */
function ownWorkStats(state: BatchState, kind: string): MutableWorkStats {
  const { works } = state
  return works.get(kind) ?? put(works, kind, copyOfWork(workStatsIn(state, kind)))
}

/** Sets and returns a value. */
function put<T>(values: Map<string, T>, key: string, value: T): T {
  values.set(key, value)
  return value
}

/** What is shared is read by every platform, and written no more than it has to be. */
export function learnOutcome(
  state: BatchState,
  kind: WorkKind,
  known: KnownWork,
  outcome: WorkOutcome,
): void {
  const isForAll = teachesAll(known, outcome)
  addOwnOutcome(ownWorkStats(state, kind.own), known.shared, outcome)
  if (isForAll) {
    addWorkOutcome(ownWorkStats(state, kind.shared), outcome)
  }
}

export function knownEventIn(state: BatchState, key: string): KnownEvent | undefined {
  return state.known.get(key) ?? state.view.known.get(key)
}

export function endorse(state: BatchState, endorsement: Endorsement): void {
  if (!hasEndorsement(state.endorsements, endorsement)) {
    state.endorsements = [...state.endorsements, endorsement]
    state.newEndorsements = [...state.newEndorsements, endorsement]
  }
}

export function writesOf(state: BatchState): EventWrites {
  return {
    agentStates: [...state.agentStates.values()],
    platformHours: [...state.platformHours].map(([platformId, hour]) => ({ platformId, hour })),
    reporters: [...state.reporters].map(([platformId, record]) => ({ platformId, record })),
    works: [...state.works].map(([kind, stats]) => ({ kind, stats })),
    endorsements: state.newEndorsements,
    events: state.events,
    snapshots: state.snapshots,
    notifications: state.notifications,
    scoreDrops: state.scoreDrops,
    delegated: state.delegated,
  }
}
