import type { RecordedEvent } from '../../domain/agent.ts'
import type { EventData, EventType } from '../../domain/event.ts'
import { MODEL } from '../../domain/model.ts'
import { type Score, scoreAt } from '../../domain/score.ts'
import type { Attestation } from '../../fraud/rule.ts'
import type { RuleSettings } from '../../fraud/rules.ts'
import type { AgentState } from '../../store/store.ts'
import { acceptedEvent, createInMemoryIngest } from '../in-memory-ingest.ts'
import type { Report } from '../report.ts'

/** An event of a simulated stream. What is left out is an ordinary success that a platform reports. */
export interface SimulatedEvent {
  readonly type?: EventType
  readonly data?: EventData
  /** The agent's id; its owner has the same id by default. */
  readonly agent?: string
  readonly owner?: string
  /** The platform's id; null for the agent itself. */
  readonly by?: string | null
  /** The owner who runs the platform. */
  readonly byOwner?: string
  /** Whether the operator verified the platform; by default it did. */
  readonly verified?: boolean
  /** Time of receipt, and the time at which it is said to have happened. */
  readonly at: number
  readonly occurredAt?: number
  readonly externalId?: string
  readonly attestation?: Attestation
}

/** Ingest in memory for streams of events: an agent is registered with its first event. */
export interface Simulation {
  report(event: SimulatedEvent): RecordedEvent
  /** Reports a whole stream: the share that is quarantined, and the rules that did it. */
  reportAll(stream: readonly SimulatedEvent[]): {
    readonly quarantined: number
    readonly flags: ReadonlySet<string>
  }
  score(agent: string, at: number): Score
  agentState(agent: string, at: number): AgentState
}

/** Without hourly limits, as streams of years are replayed. */
const LIMITS = {
  rateLimits: false,
  eventsPerAgentHour: 0,
  eventsPerPlatformHour: 0,
  occurredAtDays: 30,
}

/** By default with the rules as they come. */
export function createSimulation(settings: RuleSettings = new Map()): Simulation {
  let ids = 0
  const newId = () => `id-${++ids}`
  const ingest = createInMemoryIngest({ newId, model: MODEL, limits: LIMITS, settings })

  function stateOf(id: string, ownerId: string, at: number): AgentState {
    return ingest.agentState(id) ?? ingest.register({ id, ownerId }, at)
  }

  function report(event: SimulatedEvent): RecordedEvent {
    const { agent = 'agent', owner = agent, at } = event
    stateOf(agent, owner, at)
    if (event.by !== null && (event.verified ?? true)) {
      ingest.verify(event.by ?? 'platform', true, event.byOwner)
    }
    const accepted = acceptedEvent(ingest.report(reportOf(event, agent), at))
    if (!accepted) {
      throw new Error('an event was not accepted')
    }
    return accepted
  }

  return {
    report,
    reportAll(stream) {
      const events = stream.map(report)
      const quarantined = events.filter(({ isQuarantined }) => isQuarantined).length
      return {
        quarantined: quarantined / stream.length,
        flags: new Set(events.flatMap(({ fraudFlags }) => fraudFlags)),
      }
    },
    score: (agent, at) => scoreAt(MODEL, stateOf(agent, agent, at).evidence, at),
    agentState: (agent, at) => stateOf(agent, agent, at),
  }
}

function reportOf(event: SimulatedEvent, agentId: string): Report {
  const { type = 'task.completed', data = {}, by = 'platform', occurredAt, externalId } = event
  return {
    agentId,
    reporter: by === null ? { kind: 'agent', id: agentId } : { kind: 'platform', id: by },
    reporterOwnerId: event.byOwner ?? null,
    reporterVerified: by !== null && (event.verified ?? true),
    attestation: event.attestation ?? 'none',
    events: [{ type, data, occurredAt, externalId }],
  }
}
