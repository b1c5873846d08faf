import { EVENT_TYPES, type EventData, type EventType } from '../../domain/event.ts'
import { addEndorsement, type Endorsement, findCollusionRing } from '../endorsements.ts'
import { type BehaviourProfile, dayOf, EMPTY_PROFILE, knownReporter } from '../profile.ts'
import { addReport, NO_REPORTS, type ReporterStats } from '../reporter-stats.ts'
import type { Attestation, InspectedEvent } from '../rule.ts'
import { inspect, type RuleSettings, type Verdict } from '../rules.ts'
import { updateProfile } from '../update-profile.ts'

/** An event of a made-up stream. What is left out is as plain as can be. */
export interface SimulatedEvent {
  readonly type?: EventType
  readonly data?: EventData
  /** The agent's name; its owner's is the same unless given. */
  readonly agent?: string
  readonly owner?: string
  /** The platform's name; null for the agent itself. */
  readonly by?: string | null
  /** Who runs the platform. */
  readonly byOwner?: string
  /** Time of receipt, and the time it is said to have happened. */
  readonly at: number
  readonly occurredAt?: number
  readonly externalId?: string
  readonly attestation?: Attestation
}

export interface RuleHarness {
  tell(told: SimulatedEvent): Verdict
  /** The share of a stream that is held, and the flags that held it. */
  tellAll(stream: readonly SimulatedEvent[]): {
    readonly held: number
    readonly flags: ReadonlySet<string>
  }
}

/** Noon of a day in 2026, so that streams of some hours stay within it. */
export const NOON = Date.UTC(2026, 5, 15, 12)

const WINDOW_MS = 30 * 86_400_000

/** Judges made-up streams as the service does, with nothing but the rules behind it. */
export function ruleHarness(settings?: RuleSettings): RuleHarness {
  const profile = new Map<string, BehaviourProfile>()
  const records = new Map<string, ReporterStats>()
  let endorsements: readonly Endorsement[] = []

  function tell(told: SimulatedEvent): Verdict {
    const { agent = 'agent', byOwner = null, by = 'platform' } = told
    const owner = told.owner ?? agent
    const before = profile.get(agent) ?? EMPTY_PROFILE
    const reporter = (by !== null && records.get(by)) || NO_REPORTS
    const ring =
      byOwner === null || byOwner === owner ? null : findCollusionRing(endorsements, byOwner, owner)
    const event: InspectedEvent = { ...eventOf(told, agent, owner), ring }
    const verdict = inspect({ event, profile: before, reporter }, settings)
    const held = verdict.flags.length > 0
    const after = updateProfile(before, event, held)
    profile.set(agent, after)
    if (by === null) {
      return verdict
    }
    const voice = knownReporter(after, by)
    const today = voice?.day === dayOf(event.at) ? voice.today : 1
    records.set(by, addReport(reporter, { ownerId: owner, today, isQuarantined: held }))
    if (byOwner !== null && byOwner !== owner) {
      const good = event.impact === 'positive' ? 1 : 0
      endorsements = addEndorsement(endorsements, {
        fromOwner: byOwner,
        toOwner: owner,
        good,
        bad: 1 - good,
      })
    }
    return verdict
  }

  return {
    tell,
    tellAll(stream) {
      const verdicts = stream.map(tell)
      const held = verdicts.filter(({ flags }) => flags.length > 0).length
      return { held: held / stream.length, flags: new Set(verdicts.flatMap(({ flags }) => flags)) }
    },
  }
}

function eventOf(
  told: SimulatedEvent,
  agent: string,
  ownerId: string,
): Omit<InspectedEvent, 'ring'> {
  const { type = 'task.completed', data = {}, by = 'platform', at, occurredAt } = told
  const reporter =
    by === null ? ({ kind: 'agent', id: agent } as const) : ({ kind: 'platform', id: by } as const)
  return {
    type,
    impact: EVENT_TYPES[type].impact,
    data,
    reporter,
    self: by === null || told.byOwner === ownerId,
    occurredAt: occurredAt ?? at,
    occurredAtGiven: occurredAt !== undefined,
    oldestAt: at - WINDOW_MS,
    externalId: told.externalId ?? null,
    attestation: told.attestation ?? 'none',
    attestationProblem: null,
    ownerId,
    at,
  }
}

/** `count` events of a kind, `stepMs` apart. */
export function times(
  count: number,
  stepMs: number,
  one: (at: number, index: number) => SimulatedEvent,
  from = NOON,
): readonly SimulatedEvent[] {
  return Array.from({ length: count }, (_, index) => one(from + index * stepMs, index))
}

/** The same hundredths in every run: a linear congruential generator. */
export function hundredths(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % 100
  }
}
