import type { Agent, AgentStatus, RecordedEvent } from '../domain/agent.ts'
import type { HourCount } from '../domain/limits.ts'
import type { Endorsement } from '../fraud/endorsements.ts'
import { isProven } from '../fraud/establishment.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type { WorkStats } from '../fraud/work-stats.ts'
import {
  type AgentState,
  externalKey,
  type IngestView,
  type KnownEvent,
  type NamedCredential,
} from '../store/store.ts'
import type { EventWrites } from './batch-state.ts'
import { decide, type Given } from './decide.ts'
import { registeredState } from './fold.ts'
import type { Report, ReportOutcome } from './report.ts'

/** Decides on reports as the service does, without a database. The time is an argument. */
export interface InMemoryIngest {
  /** Adds an agent. Its status and its owner are as given from then on. */
  register(agent: Pick<Agent, 'id' | 'ownerId'>, at: number, initialCeiling?: number): AgentState
  setStatus(agentId: string, status: AgentStatus): void
  /** Counts a platform that the operator verified as established. */
  verify(platformId: string): void
  /** Adds a living credential, or removes one with null. */
  setCredential(id: string, credential: NamedCredential | null): void
  report(report: Report, at: number): ReportOutcome
  agentState(agentId: string): AgentState | undefined
}

export type InMemoryIngestOptions = Omit<Given, 'now'>

export function createInMemoryIngest(options: InMemoryIngestOptions): InMemoryIngest {
  const agentStates = new Map<string, AgentState>()
  const platformHours = new Map<string, HourCount>()
  const reporters = new Map<string, ReporterStats>()
  const known = new Map<string, KnownEvent>()
  const works = new Map<string, WorkStats>()
  const credentials = new Map<string, NamedCredential>()
  const established = new Set<string>()
  const endorsements = new Map<string, Endorsement>()
  const empty = {
    storedResponses: new Map<string, never>(),
    lockedElsewhere: new Set<string>(),
    ownersWithSubscribers: new Set<string>(),
  }

  /** Whether the two owners' platforms reported on each other's agents. */
  function linksBetween(from: string | null, to: string | undefined): readonly Endorsement[] {
    if (from === null || to === undefined) {
      return []
    }
    const links = [
      { fromOwner: from, toOwner: to },
      { fromOwner: to, toOwner: from },
    ]
    return links.filter((link) => endorsements.has(linkKey(link)))
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
      if (isProven(record)) {
        established.add(platformId)
      }
    }
    for (const link of writes.endorsements) {
      endorsements.set(linkKey(link), link)
    }
    for (const { kind, stats } of writes.works) {
      works.set(kind, stats)
    }
    for (const { event, name, digest } of events) {
      if (name !== null && digest) {
        const { agentId, reporter } = event
        const key = externalKey({ reporterId: reporter.id, agentId, externalId: name })
        known.set(key, { event, digest })
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
    verify(platformId) {
      established.add(platformId)
    },
    setCredential(id, credential) {
      if (credential) {
        credentials.set(id, credential)
      } else {
        credentials.delete(id)
      }
    },
    report(report, at) {
      const subject = agentStates.get(report.agentId)?.ownerId
      const links = linksBetween(report.reporterOwnerId, subject)
      const view: IngestView = {
        agentStates,
        platformHours,
        reporters,
        works,
        credentials,
        known,
        establishedPlatforms: established.size,
        endorsements: links,
        ...empty,
      }
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

function linkKey({ fromOwner, toOwner }: Endorsement): string {
  return `${fromOwner} ${toOwner}`
}

/** The event of a report of one, where it was accepted. */
export function acceptedEvent(outcome: ReportOutcome): RecordedEvent | null {
  const [first] = 'events' in outcome ? outcome.events : []
  return first && 'event' in first ? first.event : null
}
