import { EVENT_TYPES, type EventData, type EventType } from '../../core/events.ts'
import { dayOf, type Habits, NO_HABITS, voiceOf } from '../habits.ts'
import { remember } from '../remember.ts'
import { addReport, NO_RECORD, type ReporterRecord } from '../reporter.ts'
import type { Attestation, InspectedEvent } from '../rule.ts'
import { inspect, type RuleSettings, type Verdict } from '../rules.ts'
import { addVouch, ringOf, type Vouch } from '../vouch.ts'

/** An event of a made-up stream. What is left out is as plain as can be. */
export interface Told {
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

export interface Court {
  tell(told: Told): Verdict
  /** The share of a stream that is held, and the flags that held it. */
  tellAll(stream: readonly Told[]): { readonly held: number; readonly flags: ReadonlySet<string> }
}

/** Noon of a day in 2026, so that streams of some hours stay within it. */
export const NOON = Date.UTC(2026, 5, 15, 12)

const WINDOW_MS = 30 * 86_400_000

/** Judges made-up streams as the service does, with nothing but the rules behind it. */
export function court(settings?: RuleSettings): Court {
  const habits = new Map<string, Habits>()
  const records = new Map<string, ReporterRecord>()
  let vouches: readonly Vouch[] = []

  function tell(told: Told): Verdict {
    const { agent = 'agent', byOwner = null, by = 'platform' } = told
    const owner = told.owner ?? agent
    const before = habits.get(agent) ?? NO_HABITS
    const reporter = (by !== null && records.get(by)) || NO_RECORD
    const ring = byOwner === null || byOwner === owner ? null : ringOf(vouches, byOwner, owner)
    const event: InspectedEvent = { ...eventOf(told, agent, owner), ring }
    const verdict = inspect({ event, habits: before, reporter }, settings)
    const held = verdict.flags.length > 0
    const after = remember(before, event, held)
    habits.set(agent, after)
    if (by === null) return verdict
    const voice = voiceOf(after, by)
    const today = voice?.day === dayOf(event.at) ? voice.today : 1
    records.set(by, addReport(reporter, { ownerId: owner, today, held }))
    if (byOwner !== null && byOwner !== owner) {
      const good = event.impact === 'positive' ? 1 : 0
      vouches = addVouch(vouches, { fromOwner: byOwner, toOwner: owner, good, bad: 1 - good })
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

function eventOf(told: Told, agent: string, ownerId: string): Omit<InspectedEvent, 'ring'> {
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
  one: (at: number, index: number) => Told,
  from = NOON,
): readonly Told[] {
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
