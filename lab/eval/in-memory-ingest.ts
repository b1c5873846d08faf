import type { RecordedEvent } from '../../src/domain/agent.ts'
import { MODEL } from '../../src/domain/model.ts'
import { type Score, scoreAt } from '../../src/domain/score.ts'
import { addEndorsement, type Endorsement } from '../../src/fraud/endorsements.ts'
import type { ReporterStats } from '../../src/fraud/reporter-stats.ts'
import type { RuleSettings } from '../../src/fraud/rules.ts'
import type { SimulatedEvent } from '../../src/fraud/testing/harness.ts'
import { decide } from '../../src/ingest/decide.ts'
import { registeredState } from '../../src/ingest/fold.ts'
import type { Report } from '../../src/ingest/report.ts'
import type { AgentState } from '../../src/store/store.ts'

/** The service's own way of taking events in, without its database: agents, platforms, a clock. */
export interface Town {
  report(told: SimulatedEvent): RecordedEvent
  score(agent: string, at: number): Score
  agentState(agent: string, at: number): AgentState
}

/** Wide enough for streams of years; a replay through the API widens its setting likewise. */
const POLICY = {
  eventsPerAgentHour: 0,
  eventsPerPlatformHour: 0,
  occurredAtDays: 30,
  rateLimits: false,
  webhookAllow: [],
}

export function createTown(settings: RuleSettings): Town {
  const agentStates = new Map<string, AgentState>()
  const reporters = new Map<string, ReporterStats>()
  let endorsements: readonly Endorsement[] = []
  let ids = 0

  function standingOf(agentId: string, ownerId: string, at: number): AgentState {
    const known = agentStates.get(agentId)
    if (known) {
      return known
    }
    const agentState = registeredState(MODEL, {
      id: agentId,
      ownerId,
      status: 'active',
      createdAt: at,
    })
    agentStates.set(agentId, agentState)
    return agentState
  }

  return {
    report(told) {
      const { agent = 'agent', at, by = 'platform' } = told
      const agentState = standingOf(agent, told.owner ?? agent, at)
      const record = by === null ? undefined : reporters.get(by)
      const view = {
        agentStates: new Map([[agent, agentState]]),
        platformHours: new Map(),
        reporters: new Map(by !== null && record ? [[by, record]] : []),
        endorsements,
        known: new Map(),
        storedResponses: new Map(),
        lockedElsewhere: new Set<string>(),
        ownersWithSubscribers: new Set<string>(),
      }
      const newId = () => `id-${++ids}`
      const given = { now: at, newId, model: MODEL, policy: POLICY, settings }
      const { outcomes, writes } = decide(view, [reportOf(told, agent)], given)
      for (const one of writes.agentStates) {
        agentStates.set(one.agentId, one)
      }
      for (const one of writes.reporters) {
        reporters.set(one.platformId, one.record)
      }
      for (const one of writes.endorsements) {
        endorsements = addEndorsement(endorsements, one)
      }
      const [outcome] = outcomes
      const [first] = outcome && 'events' in outcome ? outcome.events : []
      if (!first || !('event' in first)) {
        throw new Error('an event was not accepted')
      }
      return first.event
    },
    score: (agent, at) => scoreAt(MODEL, standingOf(agent, agent, at).evidence, at),
    agentState: (agent, at) => standingOf(agent, agent, at),
  }
}

function reportOf(told: SimulatedEvent, agentId: string): Report {
  const { type = 'task.completed', data = {}, by = 'platform', occurredAt, externalId } = told
  return {
    agentId,
    reporter: by === null ? { kind: 'agent', id: agentId } : { kind: 'platform', id: by },
    reporterOwnerId: told.byOwner ?? null,
    attestation: told.attestation ?? 'none',
    events: [{ type, data, occurredAt, externalId }],
  }
}
