import type { Agent, AgentStatus, RecordedEvent } from '../domain/agent.ts'
import type { HourCount } from '../domain/limits.ts'
import { addEndorsement, type Endorsement } from '../fraud/endorsements.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import { type AgentState, externalKey, type IngestView, type KnownEvent } from '../store/store.ts'
import type { EventWrites } from './batch-state.ts'
import { decide, type Given } from './decide.ts'
import { registeredState } from './fold.ts'
import type { Report, ReportOutcome } from './report.ts'

/** Decides on reports as the service does, without a database. The time is an argument. */
export interface InMemoryIngest {
  /** Adds an agent. Its status and its owner are as given from then on. */
  register(agent: Pick<Agent, 'id' | 'ownerId'>, at: number, initialCeiling?: number): AgentState
  setStatus(agentId: string, status: AgentStatus): void
  report(report: Report, at: number): ReportOutcome
  agentState(agentId: string): AgentState | undefined
}

export type InMemoryIngestOptions = Omit<Given, 'now'>

export function createInMemoryIngest(options: InMemoryIngestOptions): InMemoryIngest {
  const agentStates = new Map<string, AgentState>()
  const platformHours = new Map<string, HourCount>()
  const reporters = new Map<string, ReporterStats>()
  const known = new Map<string, KnownEvent>()
  const endorsements = new Map<string, readonly Endorsement[]>()
  const empty = {
    storedResponses: new Map<string, never>(),
    lockedElsewhere: new Set<string>(),
    ownersWithSubscribers: new Set<string>(),
  }

  /** The links that a report of one owner's platform about another owner's agent may close a ring with. */
  function linksBetween(from: string | null, to: string | undefined): readonly Endorsement[] {
    const out = from === null ? [] : (endorsements.get(from) ?? [])
    if (to === undefined || from === to || !out.some(({ toOwner }) => toOwner === to)) {
      return out
    }
    const onward = endorsements.get(to) ?? []
    const back = onward.flatMap(({ toOwner }) => endorsements.get(toOwner) ?? [])
    return [...out, ...onward, ...back.filter(({ toOwner }) => toOwner === from)]
  }

  function write({ events, ...writes }: EventWrites): void {
    for (const state of writes.agentStates) {
      agentStates.set(state.agentId, state)
    }
    for (const { platformId, hour } of writes.platformHours) {
      platformHours.set(platformId, hour)
    }
    for (const { platformId, record } of writes.reporters) {
      reporters.set(platformId, record)
    }
    for (const link of writes.endorsements) {
      const { fromOwner } = link
      endorsements.set(fromOwner, addEndorsement(endorsements.get(fromOwner) ?? [], link))
    }
    for (const { event, name, digest } of events) {
      if (name !== null && digest) {
        known.set(externalKey({ reporterId: event.reporter.id, externalId: name }), {
          event,
          digest,
        })
      }
    }
  }

  return {
    register({ id, ownerId }, at, initialCeiling) {
      const agent = { id, ownerId, status: 'active', createdAt: at } as const
      const state = registeredState(options.model, agent, initialCeiling)
      agentStates.set(id, state)
      return state
    },
    setStatus(agentId, status) {
      const state = agentStates.get(agentId)
      if (state) {
        agentStates.set(agentId, { ...state, status })
      }
    },
    report(report, at) {
      const subject = agentStates.get(report.agentId)?.ownerId
      const links = linksBetween(report.reporterOwnerId, subject)
      const kept = { agentStates, platformHours, reporters, known, endorsements: links }
      const view: IngestView = { ...kept, ...empty }
      const { outcomes, writes } = decide(view, [report], { ...options, now: at })
      write(writes)
      const [outcome] = outcomes
      if (!outcome) {
        throw new Error('one report has one outcome')
      }
      return outcome
    },
    agentState: (agentId) => agentStates.get(agentId),
  }
}

/** The event of a report of one, where it was accepted. */
export function acceptedEvent(outcome: ReportOutcome): RecordedEvent | null {
  const [first] = 'events' in outcome ? outcome.events : []
  return first && 'event' in first ? first.event : null
}
