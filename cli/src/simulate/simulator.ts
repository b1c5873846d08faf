/** Decides on the lines of a simulation with the engine of the service, on a virtual clock. */
import type { Model } from '../../../src/domain/model.ts'
import { type Score, scoreAt } from '../../../src/domain/score.ts'
import type { RuleSettings } from '../../../src/fraud/rules.ts'
import type { IngestLimits } from '../../../src/ingest/decide.ts'
import { createInMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import { isInWindow } from '../../../src/ingest/occurred-at.ts'
import type { ReportedEvent } from '../../../src/ingest/report.ts'
import { createKnownEvents, smallDigest } from './known-events.ts'
import type { AskLine, EventLine, IssueLine, Line } from './line.ts'
import { type Agent, createParticipants, type Participants } from './participants.ts'
import { countOutcome, countRefusal, type Fate, newTotals, type Totals } from './totals.ts'

/** What is tried: the model, the limits, and the settings of rules. */
export interface Settings extends IngestLimits {
  readonly model: Model
  readonly rules: RuleSettings
}

type Shown = 'score' | 'classification' | 'confidence' | 'interval' | 'disputed' | 'exposureLimit'

/** The answer to a line that asks. */
export interface Answer extends Pick<Score, Shown> {
  readonly at: string
  readonly agent: string
  /** Events about the agent since it was last asked about. */
  readonly accepted: number
  readonly quarantined: number
  readonly refused: number
}

export interface Simulator {
  /** The answer to a line that asks; null for others. Lines come in the order of time. @throws LineError */
  next(line: Line): Answer | null
  readonly totals: Totals
  readonly participants: Participants['counts']
}

export function createSimulator({ model, rules, ...limits }: Settings): Simulator {
  const ingest = createInMemoryIngest({
    // Nothing here goes by the id of an event.
    newId: () => '',
    // No answer is about one class of work.
    model: { ...model, classesMax: 0 },
    limits,
    settings: rules,
    contentDigest: smallDigest,
    onlyScores: true,
    known: createKnownEvents(),
  })
  const participants = createParticipants(ingest)
  const totals = newTotals()
  let now = 0

  function count(agent: Agent, fate: Fate): void {
    if (fate !== 'repeated') {
      agent[fate] += 1
    }
  }

  function report(agent: Agent, by: string, event: ReportedEvent, isSystemEvent: boolean): void {
    const { reporter, reporterOwnerId, reporterVerified } = participants.reporting(agent, by)
    const outcome = ingest.report(
      {
        agentId: agent.id,
        reporter,
        reporterOwnerId,
        reporterVerified,
        attestation: 'none',
        events: [event],
        isSystemEvent,
      },
      now,
    )
    count(agent, countOutcome(totals, outcome))
  }

  function reportEvent({ agent: name, by, event }: EventLine): void {
    const agent = participants.agent(name, now)
    if (isInWindow(event.occurredAt, { now, daysBack: limits.occurredAtDays })) {
      report(agent, by, event, false)
    } else {
      count(agent, countRefusal(totals, 'occurredAt too early or too late'))
    }
  }

  /** A platform reports the credential that it issued; what an owner issues the service records. */
  function issue({ agent: name, by, type }: IssueLine): void {
    const agent = participants.agent(name, now)
    const id = `${name}/${by}/${type}`
    if (!agent.isDeactivated) {
      agent.credentials = [...agent.credentials.filter((one) => one !== id), id]
      ingest.setCredential(id, { agentId: agent.id, type, expiresAt: null })
    }
    const data = { credentialId: id, credentialType: type }
    const isSystemEvent = by === 'owner' && !agent.isDeactivated
    report(agent, by, { type: 'credential.issued', data }, isSystemEvent)
  }

  function deactivate(name: string): void {
    const agent = participants.agent(name, now)
    if (!agent.isDeactivated && agent.parent !== null) {
      agent.parent.children -= 1
    }
    agent.isDeactivated = true
    ingest.setStatus(agent.id, 'deactivated', now)
    for (const id of agent.credentials) {
      ingest.setCredential(id, null)
    }
    agent.credentials = []
  }

  function answer({ agent: name, text: at }: AskLine): Answer {
    const agent = participants.agent(name, now)
    const state = ingest.agentState(agent.id)
    if (!state) {
      throw new Error(`${name} is not registered`)
    }
    const of = scoreAt(model, state.evidence, Math.max(now, state.updatedAt))
    const { score, classification, confidence, interval, disputed, exposureLimit } = of
    const { accepted, quarantined, refused } = agent
    agent.accepted = 0
    agent.quarantined = 0
    agent.refused = 0
    const shown = { score, classification, confidence, interval, disputed, exposureLimit }
    return { at, agent: name, ...shown, accepted, quarantined, refused }
  }

  return {
    totals,
    get participants() {
      return participants.counts
    },
    next(line) {
      now = line.at ?? now
      switch (line.kind) {
        case 'platform':
          participants.definePlatform(line)
          return null
        case 'agent':
          participants.defineAgent(line, now)
          return null
        case 'event':
          reportEvent(line)
          return null
        case 'issue':
          issue(line)
          return null
        case 'deactivate':
          deactivate(line.agent)
          return null
        case 'ask':
          return answer(line)
      }
    },
  }
}
