import type { Agent, AgentStatus, RecordedEvent } from '../domain/agent.ts'
import { childCeiling } from '../domain/delegation.ts'
import { carriedEvidence } from '../domain/handover.ts'
import type { AgentState, NamedCredential, NewDelegationTask } from '../store/store.ts'
import { registeredState } from './fold.ts'
import { createInMemoryBatch, type InMemoryOptions } from './in-memory-batch.ts'
import { createInMemoryLimits } from './in-memory-limits.ts'
import { asReport, limitReport, type OwnReport, ownerReport, parentReport } from './own-report.ts'
import type { Report, ReportOutcome } from './report.ts'

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

export function createInMemoryIngest(options: InMemoryOptions): InMemoryIngest {
  const batch = createInMemoryBatch(options)
  const { agentStates, lowScores, credentials } = batch
  const limits = createInMemoryLimits(stateOf, record)

  function stateOf(agentId: string): AgentState {
    const agentState = agentStates.get(agentId)
    if (!agentState) {
      throw new Error(`no agent ${agentId}`)
    }
    return agentState
  }

  function report(report: Report, at: number): ReportOutcome {
    const outcome = batch.decide(report, at)
    for (let task = batch.takeTask(); task; task = batch.takeTask()) {
      carryOut(task, at)
    }
    return outcome
  }

  /** What the service itself records of an agent. */
  function record(own: OwnReport, at: number): void {
    report(asReport(own), at)
  }

  /** The service does this in the background, within a second. */
  function carryOut(task: NewDelegationTask, at: number): void {
    if (!task.report) {
      limits.limitChildren(task.agentId, at)
      limits.limitStarts(task.agentId, at)
      return
    }
    let parentId = agentStates.get(task.agentId)?.parentId ?? null
    while (parentId !== null) {
      record(parentReport(parentId, task.report), at)
      parentId = agentStates.get(parentId)?.parentId ?? null
    }
  }

  /** Adds a new agent below its parent, which limits it from then on. */
  function addBelow(parentId: string, childId: string, at: number): void {
    const parent = { ...stateOf(parentId), isParent: true }
    agentStates.set(parent)
    limits.addChild(parentId, childId)
    const ceiling = childCeiling(parent.score, parent.status)
    record(limitReport({ agentId: childId, parentId, ceiling }), at)
  }

  /** The new agent takes the place of the other one among parents and children. */
  function replaceAmongRelatives(agentId: string, nextId: string, parentId: string | null): void {
    if (parentId !== null) {
      limits.addChild(parentId, nextId)
    }
    for (const childId of limits.moveChildren(agentId, nextId)) {
      agentStates.set({ ...stateOf(childId), parentId: nextId })
    }
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
      limits.addAgent(ownerId, id)
      lowScores.note(agentState)
      if (parentId !== null) {
        addBelow(parentId, id, at)
      }
      return stateOf(id)
    },
    setStatus(agentId, status, at) {
      const before = agentStates.get(agentId)
      if (before) {
        const agentState = { ...before, status, updatedAt: Math.max(at, before.updatedAt) }
        agentStates.set(agentState)
        lowScores.note(agentState)
        limits.limitChildren(agentId, at)
      }
    },
    transfer(agentId, ownerId, at, ownPlatforms) {
      const data = { ownerScore: lowScores.initialCeiling(ownerId, at), ownPlatforms }
      agentStates.set({ ...stateOf(agentId), ownerId, parentId: null })
      limits.addAgent(ownerId, agentId)
      record(ownerReport({ agentId, ownerId, event: { type: 'agent.transferred', data } }), at)
    },
    succeed(agentId, nextId, at) {
      const left = stateOf(agentId)
      const { ownerId, evidence, profile, parentId, isParent } = left
      agentStates.set({ ...left, status: 'deactivated', updatedAt: at })
      const agent = { id: nextId, ownerId, status: 'active', createdAt: at, parentId } as const
      agentStates.set({ ...registeredState(options.model, agent), profile, isParent })
      limits.addAgent(ownerId, nextId)
      replaceAmongRelatives(agentId, nextId, parentId)
      const data = { predecessorId: agentId, predecessorEvidence: carriedEvidence(evidence) }
      const event = { type: 'agent.succeeded', data } as const
      record(ownerReport({ agentId: nextId, ownerId, event }), at)
      limits.limitChildren(nextId, at)
    },
    verify: batch.platforms.verify,
    setCredential(id, credential) {
      if (credential) {
        credentials.set(id, credential)
      } else {
        credentials.delete(id)
      }
    },
    report,
    agentState: (agentId) => agentStates.get(agentId),
  }
}

/** The event of a report of one, where it was accepted. */
export function acceptedEvent(outcome: ReportOutcome): RecordedEvent | null {
  const [first] = 'events' in outcome ? outcome.events : []
  return first && 'event' in first ? first.event : null
}
