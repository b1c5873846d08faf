import type { RecordedEvent } from '../src/core/record.ts'
import { type Score, scoreAt } from '../src/core/score.ts'
import type { ReporterRecord } from '../src/fraud/reporter.ts'
import type { RuleSettings } from '../src/fraud/rules.ts'
import type { Told } from '../src/fraud/testing/court.ts'
import { addVouch, type Vouch } from '../src/fraud/vouch.ts'
import { newStanding } from '../src/resources/agents/agents.ts'
import { judge } from '../src/resources/events/judge.ts'
import type { Outcome, Submission } from '../src/resources/events/submission.ts'
import type { Standing } from '../src/store/store.ts'

/** The service's own way of taking events in, without its database: agents, platforms, a clock. */
export interface Town {
  report(told: Told): RecordedEvent
  score(agent: string, at: number): Score
  standing(agent: string, at: number): Standing
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
  const standings = new Map<string, Standing>()
  const reporters = new Map<string, ReporterRecord>()
  let vouches: readonly Vouch[] = []
  let ids = 0

  function standingOf(agentId: string, ownerId: string, at: number): Standing {
    const known = standings.get(agentId)
    if (known) return known
    const standing = newStanding({
      id: agentId,
      ownerId,
      displayName: agentId,
      metadata: {},
      status: 'active',
      createdAt: at,
      updatedAt: at,
    })
    standings.set(agentId, standing)
    return standing
  }

  return {
    report(told) {
      const { agent = 'agent', at, by = 'platform' } = told
      const standing = standingOf(agent, told.owner ?? agent, at)
      let outcomes: readonly Outcome[] = []
      const submission: Submission = {
        ...submissionOf(told, agent),
        answer: (all) => {
          outcomes = all
          return { status: 200, body: null }
        },
      }
      const record = by === null ? undefined : reporters.get(by)
      const view = {
        standings: new Map([[agent, standing]]),
        platformHours: new Map(),
        reporters: new Map(by !== null && record ? [[by, record]] : []),
        vouches,
        known: new Map(),
        kept: new Map(),
        busy: new Set<string>(),
        heard: new Set<string>(),
      }
      const newId = () => `id-${++ids}`
      const judged = judge([submission], view, { now: at, newId, policy: POLICY, settings })
      for (const one of judged.standings) standings.set(one.agentId, one)
      for (const one of judged.reporters) reporters.set(one.platformId, one.record)
      for (const one of judged.vouches) vouches = addVouch(vouches, one)
      const [outcome] = outcomes
      if (!outcome || !('event' in outcome)) throw new Error('an event was not taken in')
      return outcome.event
    },
    score: (agent, at) => scoreAt(standingOf(agent, agent, at).evidence, at),
    standing: (agent, at) => standingOf(agent, agent, at),
  }
}

function submissionOf(told: Told, agentId: string): Omit<Submission, 'answer'> {
  const { type = 'task.completed', data = {}, by = 'platform', occurredAt, externalId } = told
  const event = { type, data, occurredAt, externalId } as Submission['events'][number]
  return {
    agentId,
    reporter: by === null ? { kind: 'agent', id: agentId } : { kind: 'platform', id: by },
    reporterOwnerId: told.byOwner ?? null,
    attestation: told.attestation ?? 'none',
    events: [event],
    keeping: null,
  }
}
