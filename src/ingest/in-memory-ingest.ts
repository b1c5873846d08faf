import type { Agent, AgentStatus, RecordedEvent } from '../domain/agent.ts'
import { childCeiling, nextCeiling } from '../domain/delegation.ts'
import { addTo, countedEvent } from '../domain/evidence.ts'
import { carriedEvidence } from '../domain/handover.ts'
import { publishedAt } from '../domain/score.ts'
import { hasStarted, loweredStart } from '../domain/start.ts'
import { type Endorsement, linkKey } from '../fraud/endorsements.ts'
import { isProven } from '../fraud/establishment.ts'
import type { Writable } from '../fraud/profile.ts'
import { WORK_KINDS_MAX, type WorkStats } from '../fraud/work-stats.ts'
import type { AgentState, IngestView, NamedCredential, NewDelegationTask } from '../store/store.ts'
import { type BatchState, type KnownEvents, newBatchState, ownedState } from './batch-state.ts'
import { decideReport, type Given } from './decide.ts'
import { type Fold, foldEvent, registeredState } from './fold.ts'
import { LatestMap } from './latest-map.ts'
import { createLowScores, type LowScores } from './low-scores.ts'
import { asReport, limitReport, ownerReport, parentReport, startReport } from './own-report.ts'
import {
  contentDigest,
  type Report,
  type ReportedEvent,
  type ReportOutcome,
  workKindsOf,
} from './report.ts'

/** Decides on reports as the service does, without a database. The time is an argument. */
export interface InMemoryIngest {
  /**
   * Adds an agent. Its owner is as given from then on. By default it starts no higher than the worst
   * of its owner's agents in the last year, as in the service.
   */
  register(agent: NewAgent, at: number, initialCeiling?: number): AgentState
  setStatus(agentId: string, status: AgentStatus, at: number): void
  /** Passes an agent to another owner. */
  transfer(agentId: string, ownerId: string, at: number, ownPlatforms?: readonly string[]): void
  /** Replaces an agent by a new one of its owner that carries its record. */
  succeed(agentId: string, nextId: string, at: number): void
  /** Counts a platform that the operator verified, of an owner or of none, as established, or no longer. */
  verify(platformId: string, isVerified?: boolean, ownerId?: string | null): void
  /** Adds a living credential, or removes one with null. */
  setCredential(id: string, credential: NamedCredential | null): void
  /** One report after the other, in the order of time. */
  report(report: Report, at: number): ReportOutcome
  agentState(agentId: string): AgentState | undefined
}

/** With the agent that it acts for. */
type NewAgent = Pick<Agent, 'id' | 'ownerId'> & Partial<Pick<Agent, 'parentId'>>

export interface InMemoryIngestOptions extends Omit<Given, 'now' | 'contentDigest' | 'fold'> {
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

export function createInMemoryIngest(options: InMemoryIngestOptions): InMemoryIngest {
  const credentials = new Map<string, NamedCredential>()
  const endorsements = new Set<string>()
  const platforms = createEstablished()
  const lowScores = createLowScores()
  const stored = new Map<string, AgentState>()
  const state = emptyState(stored, credentials, options.known ?? new Map())
  const { reporters } = state
  const agentStates = options.onlyScores
    ? ownedStates(state.agentStates)
    : replacedStates(state, stored)
  const children = new Map<string, readonly string[]>()
  /** The agents of each owner that had not started when they were last looked at. */
  const unstarted = new Map<string, string[]>()
  const fold = options.onlyScores ? foldScores(lowScores) : foldEvent
  const given: Writable<Given> = { contentDigest, ...options, fold, now: 0 }

  /** Which of two owners' platforms reported on the other's agents. */
  function linksBetween(from: string | null, to: string | undefined): readonly Endorsement[] {
    if (from === null || to === undefined) {
      return NO_LINKS
    }
    const links = [
      { fromOwner: from, toOwner: to },
      { fromOwner: to, toOwner: from },
    ]
    return links.filter((link) => endorsements.has(linkKey(link)))
  }

  /** Keeps what the next report is decided by, and drops the rest of what would be written. */
  function settle(report: Report, scoreBefore: number | undefined): void {
    const { agentId, reporter, reporterOwnerId } = report
    for (const link of state.newEndorsements) {
      endorsements.add(linkKey(link))
    }
    agentStates.settle()
    const agentState = agentStates.get(agentId)
    if (agentState && agentState.score !== scoreBefore) {
      lowScores.noteMove(agentState, scoreBefore)
    }
    if (agentState) {
      for (const { score, createdAt } of state.snapshots) {
        lowScores.noteSnapshot(agentState.ownerId, score, createdAt)
      }
    }
    const stats = reporters.get(reporter.id)
    if (stats) {
      platforms.prove(reporter.id, isProven(stats), reporterOwnerId)
    }
    if (state.newEndorsements.length > 0) {
      state.newEndorsements = []
    }
    empty(state.events)
    empty(state.snapshots)
    empty(state.notifications)
    empty(state.scoreDrops)
  }

  function own(ownerId: string, agentId: string): void {
    const ids = unstarted.get(ownerId)
    if (ids) {
      ids.push(agentId)
    } else {
      unstarted.set(ownerId, [agentId])
    }
  }

  function stateOf(agentId: string): AgentState {
    const agentState = agentStates.get(agentId)
    if (!agentState) {
      throw new Error(`no agent ${agentId}`)
    }
    return agentState
  }

  function decideOn(report: Report, at: number): ReportOutcome {
    given.now = at
    const before = agentStates.get(report.agentId)
    const scoreBefore = before?.score
    const isPlatform = report.reporter.kind === 'platform'
    state.endorsements = isPlatform
      ? linksBetween(report.reporterOwnerId, before?.ownerId)
      : NO_LINKS
    state.establishedPlatforms = platforms.count()
    const outcome = decideReport(state, report, given)
    settle(report, scoreBefore)
    removeLeastUsed(state.works, report)
    while (state.delegated.length > 0) {
      carryOut(state.delegated.pop(), at)
    }
    return outcome
  }

  /** The service does this in the background, within a second. */
  function carryOut(task: NewDelegationTask | undefined, at: number): void {
    if (task?.report) {
      let parentId = agentStates.get(task.agentId)?.parentId ?? null
      while (parentId !== null) {
        decideOn(asReport(parentReport(parentId, task.report)), at)
        parentId = agentStates.get(parentId)?.parentId ?? null
      }
    } else if (task) {
      limitChildren(task.agentId, at)
      limitStarts(task.agentId, at)
    }
  }

  function limitStarts(agentId: string, at: number): void {
    const { ownerId, score, evidence: known } = stateOf(agentId)
    if (!hasStarted(known)) {
      return
    }
    const ids = (unstarted.get(ownerId) ?? []).filter((id) => {
      const { ownerId: its, evidence } = stateOf(id)
      return its === ownerId && !hasStarted(evidence)
    })
    unstarted.set(ownerId, ids)
    for (const id of ids) {
      const { evidence, status } = stateOf(id)
      const ceiling = status === 'deactivated' ? null : loweredStart(evidence, score)
      if (ceiling !== null) {
        decideOn(asReport(startReport({ agentId: id, ownerId, ceiling })), at)
      }
    }
  }

  function limitChildren(parentId: string, at: number): void {
    const { score, status } = stateOf(parentId)
    for (const childId of children.get(parentId) ?? []) {
      const child = stateOf(childId)
      const { parentCeiling } = child.evidence
      const ceiling = nextCeiling(parentCeiling, score, status)
      if (
        child.parentId === parentId &&
        child.status !== 'deactivated' &&
        ceiling !== parentCeiling
      ) {
        decideOn(asReport(limitReport({ agentId: childId, parentId, ceiling })), at)
      }
    }
  }

  /** What the service itself records of an agent and its owner. */
  function record(agentId: string, ownerId: string, event: ReportedEvent, at: number): void {
    decideOn(asReport(ownerReport({ agentId, ownerId, event })), at)
  }

  return {
    register(
      { id, ownerId, parentId = null },
      at,
      initialCeiling = lowScores.initialCeiling(ownerId, at),
    ) {
      const agent = { id, ownerId, status: 'active', createdAt: at, parentId } as const
      const agentState = registeredState(options.model, agent, initialCeiling, {
        isChained: !options.onlyScores,
      })
      agentStates.set(agentState)
      own(ownerId, id)
      lowScores.note(agentState)
      if (parentId !== null) {
        const parent = { ...stateOf(parentId), isParent: true }
        agentStates.set(parent)
        children.set(parentId, [...(children.get(parentId) ?? []), id])
        const ceiling = childCeiling(parent.score, parent.status)
        decideOn(asReport(limitReport({ agentId: id, parentId, ceiling })), at)
      }
      return stateOf(id)
    },
    setStatus(agentId, status, at) {
      const before = agentStates.get(agentId)
      if (before) {
        const agentState = { ...before, status, updatedAt: Math.max(at, before.updatedAt) }
        agentStates.set(agentState)
        lowScores.note(agentState)
        limitChildren(agentId, at)
      }
    },
    transfer(agentId, ownerId, at, ownPlatforms) {
      const before = stateOf(agentId)
      const ownerScore = lowScores.initialCeiling(ownerId, at)
      agentStates.set({ ...before, ownerId, parentId: null })
      own(ownerId, agentId)
      record(
        agentId,
        ownerId,
        { type: 'agent.transferred', data: { ownerScore, ownPlatforms } },
        at,
      )
    },
    succeed(agentId, nextId, at) {
      const left = stateOf(agentId)
      const { ownerId, evidence, profile, parentId, isParent } = left
      agentStates.set({ ...left, status: 'deactivated', updatedAt: at })
      const agent = { id: nextId, ownerId, status: 'active', createdAt: at, parentId } as const
      agentStates.set({ ...registeredState(options.model, agent), profile, isParent })
      own(ownerId, nextId)
      if (parentId !== null) {
        children.set(parentId, [...(children.get(parentId) ?? []), nextId])
      }
      const passed = children.get(agentId) ?? []
      children.set(nextId, passed)
      for (const childId of passed) {
        agentStates.set({ ...stateOf(childId), parentId: nextId })
      }
      const data = { predecessorId: agentId, predecessorEvidence: carriedEvidence(evidence) }
      record(nextId, ownerId, { type: 'agent.succeeded', data }, at)
      limitChildren(nextId, at)
    },
    verify: platforms.verify,
    setCredential(id, credential) {
      if (credential) {
        credentials.set(id, credential)
      } else {
        credentials.delete(id)
      }
    },
    report: decideOn,
    agentState: (agentId) => agentStates.get(agentId),
  }
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

const NO_LINKS: readonly Endorsement[] = []

/** Here all platforms' kinds are counted together: as many as sixteen platforms may have. */
const IN_MEMORY_KINDS_MAX = 16 * WORK_KINDS_MAX

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

/** The platforms that are established, by the operator or by their record; all of one owner count as one. */
function createEstablished() {
  const verified = new Map<string, string>()
  const proven = new Map<string, string>()
  let count = 0
  const set = (voters: Map<string, string>, id: string, isIn: boolean, owner: string | null) => {
    if (voters.has(id) !== isIn) {
      isIn ? voters.set(id, owner ?? id) : voters.delete(id)
      count = new Set([...verified.values(), ...proven.values()]).size
    }
  }
  return {
    verify: (id: string, isVerified = true, owner: string | null = null) =>
      set(verified, id, isVerified, owner),
    prove: (id: string, isProven: boolean, owner: string | null) =>
      set(proven, id, isProven, owner),
    count: () => count,
  }
}

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

/** The event of a report of one, where it was accepted. */
export function acceptedEvent(outcome: ReportOutcome): RecordedEvent | null {
  const [first] = 'events' in outcome ? outcome.events : []
  return first && 'event' in first ? first.event : null
}
