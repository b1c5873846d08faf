import { addTo, countedEvent } from '../domain/evidence.ts'
import { publishedAt } from '../domain/score.ts'
import { type Endorsement, linkKey } from '../fraud/endorsements.ts'
import type { Writable } from '../fraud/profile.ts'
import { WORK_KINDS_MAX, type WorkStats } from '../fraud/work-stats.ts'
import type { AgentState, IngestView, NamedCredential, NewDelegationTask } from '../store/store.ts'
import { type BatchState, type KnownEvents, newBatchState, ownedState } from './batch-state.ts'
import { decideReport, type Given } from './decide.ts'
import { createEstablishedPlatforms, type EstablishedPlatforms } from './established-platforms.ts'
import { type Fold, foldEvent } from './fold.ts'
import { LatestMap } from './latest-map.ts'
import { createLowScores, type LowScores } from './low-scores.ts'
import { contentDigest, type Report, type ReportOutcome, workKindsOf } from './report.ts'

/** One batch that never ends: each report is decided by what those before it have left. */
export interface InMemoryBatch {
  readonly agentStates: Pick<AgentStates, 'get' | 'set'>
  readonly lowScores: LowScores
  readonly platforms: EstablishedPlatforms
  /** Living credentials, by their ids. */
  readonly credentials: Map<string, NamedCredential>
  /** One report after the other, in the order of time. */
  decide(report: Report, at: number): ReportOutcome
  /** Takes a task that follows from the reports so far. */
  takeTask(): NewDelegationTask | undefined
}

export interface InMemoryOptions extends Omit<Given, 'now' | 'contentDigest' | 'fold'> {
  /** As in the service by default. */
  readonly contentDigest?: Given['contentDigest']
  /**
   * Leaves out the chain and the snapshots, and writes to the state of an agent instead of replacing it:
   * the same decisions and scores in a third of the time. The state of an agent then changes with its
   * next event.
   */
  readonly onlyScores?: boolean
  /** Where events with external names are kept; a Map by default. */
  readonly known?: KnownEvents
}

export function createInMemoryBatch(options: InMemoryOptions): InMemoryBatch {
  const { onlyScores = false, known = new Map() } = options
  const credentials = new Map<string, NamedCredential>()
  const endorsements = new Set<string>()
  const platforms = createEstablishedPlatforms()
  const lowScores = createLowScores()
  const stored = new Map<string, AgentState>()
  const state = emptyState(stored, credentials, known)
  const agentStates = onlyScores ? ownedStates(state.agentStates) : replacedStates(state, stored)
  const fold = onlyScores ? foldScores(lowScores) : foldEvent
  const given: Writable<Given> = { contentDigest, ...options, fold, now: 0 }

  /** Keeps what the next report is decided by, and drops the rest of what would be written. */
  function settle({ agentId, reporter, reporterOwnerId }: Report, scoreBefore?: number): void {
    for (const link of state.newEndorsements) {
      endorsements.add(linkKey(link))
    }
    agentStates.settle()
    const agentState = agentStates.get(agentId)
    if (agentState) {
      noteScores(lowScores, state, agentState, scoreBefore)
    }
    const stats = state.reporters.get(reporter.id)
    if (stats) {
      platforms.judge(reporter.id, stats, reporterOwnerId)
    }
    dropWrites(state)
  }

  return {
    agentStates,
    lowScores,
    platforms,
    credentials,
    decide(report, at) {
      given.now = at
      const before = agentStates.get(report.agentId)
      const scoreBefore = before?.score
      const isPlatform = report.reporter.kind === 'platform'
      state.endorsements = isPlatform
        ? linksBetween(endorsements, report.reporterOwnerId, before?.ownerId)
        : NO_LINKS
      state.establishedPlatforms = platforms.count()
      const outcome = decideReport(state, report, given)
      settle(report, scoreBefore)
      removeLeastUsed(state.works, report)
      return outcome
    },
    takeTask: () => state.delegated.pop(),
  }
}

const NO_LINKS: readonly Endorsement[] = []

/** Which of two owners' platforms reported on the other's agents. */
function linksBetween(
  endorsements: ReadonlySet<string>,
  from: string | null,
  to: string | undefined,
): readonly Endorsement[] {
  if (from === null || to === undefined) {
    return NO_LINKS
  }
  const links = [
    { fromOwner: from, toOwner: to },
    { fromOwner: to, toOwner: from },
  ]
  return links.filter((link) => endorsements.has(linkKey(link)))
}

/** Notes the scores that an agent has and had after a report. */
function noteScores(
  lowScores: LowScores,
  { snapshots }: BatchState,
  agentState: AgentState,
  scoreBefore: number | undefined,
): void {
  if (agentState.score !== scoreBefore) {
    lowScores.noteMove(agentState, scoreBefore)
  }
  for (const { score, createdAt } of snapshots) {
    lowScores.noteSnapshot(agentState.ownerId, score, createdAt)
  }
}

function dropWrites(state: BatchState): void {
  if (state.newEndorsements.length > 0) {
    state.newEndorsements = []
  }
  empty(state.events)
  empty(state.snapshots)
  empty(state.notifications)
  empty(state.scoreDrops)
}

/** Takes one by one what is there: to set the length would give up the room that the next one takes. */
function empty(list: unknown[]): void {
  while (list.length > 0) {
    list.pop()
  }
}

/** Where the states of agents are between two reports. */
interface AgentStates {
  get(agentId: string): AgentState | undefined
  set(agentState: AgentState): void
  /** After a report. */
  settle(): void
}

/** One batch that never ends writes to its own states for ever. */
function ownedStates(owned: BatchState['agentStates']): AgentStates {
  return {
    get: (agentId) => owned.get(agentId),
    set: (agentState) => void owned.set(agentState.agentId, ownedState(agentState)),
    settle: () => undefined,
  }
}

/** Every report is a batch: what it wrote replaces what was stored, and is written to no more. */
function replacedStates({ agentStates }: BatchState, stored: Map<string, AgentState>): AgentStates {
  return {
    get: (agentId) => stored.get(agentId),
    set: (agentState) => void stored.set(agentState.agentId, agentState),
    settle() {
      for (const [agentId, agentState] of agentStates) {
        stored.set(agentId, agentState)
      }
      agentStates.clear()
    },
  }
}

/** Folds without a chain. A score that moves is noted as the snapshot would be. */
function foldScores(lowScores: LowScores): Fold {
  return (own, event, { model }) => {
    addTo(model, own.evidence, countedEvent(event))
    const { score, isDisputed } = publishedAt(model, own.evidence, event.createdAt)
    if (score !== own.score || isDisputed !== own.isDisputed) {
      lowScores.noteSnapshot(own.ownerId, score, event.createdAt)
    }
    own.score = score
    own.isDisputed = isDisputed
    return null
  }
}

/** One batch that never ends: its view is what it has changed so far. */
function emptyState(
  agentStates: IngestView['agentStates'],
  credentials: IngestView['credentials'],
  known: KnownEvents,
): BatchState {
  const view: IngestView = {
    agentStates,
    platformHours: new Map(),
    reporters: new Map(),
    works: new Map(),
    credentials,
    known: new Map(),
    establishedPlatforms: 0,
    endorsements: NO_LINKS,
    storedResponses: new Map(),
    lockedElsewhere: new Set(),
    ownersWithSubscribers: new Set(),
  }
  // An event asks for the state of its agent five times.
  return { ...newBatchState(view), known, agentStates: new LatestMap() }
}

/** Here all platforms' kinds are counted together: as many as sixteen platforms may have. */
const IN_MEMORY_KINDS_MAX = 16 * WORK_KINDS_MAX

/** Where there are too many kinds of work, drops one that was seen least and that is not in use. */
function removeLeastUsed(works: Map<string, WorkStats>, report: Report): void {
  if (works.size <= IN_MEMORY_KINDS_MAX) {
    return
  }
  const used = workKindsOf(report)
  let least = { kind: '', seen: Infinity }
  for (const [kind, { seen }] of works) {
    if (seen < least.seen && !used.includes(kind)) {
      least = { kind, seen }
    }
    if (least.seen <= 1) {
      break
    }
  }
  works.delete(least.kind)
}
