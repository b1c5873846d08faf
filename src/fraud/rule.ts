import type { EventFinding } from '../domain/agent.ts'
import type { EventData, EventType, Impact, Reporter } from '../domain/event.ts'
import type { BehaviourProfile } from './profile.ts'
import type { ReporterStats } from './reporter-stats.ts'

/** What a rule gets to see of an event. Times are milliseconds since the epoch. */
export interface InspectedEvent {
  readonly type: EventType
  readonly impact: Impact
  readonly data: EventData
  readonly reporter: Reporter
  readonly self: boolean
  readonly occurredAt: number
  /** Whether the reporter said when it happened, or the time of receipt was taken. */
  readonly occurredAtGiven: boolean
  /** The earliest `occurredAt` that is taken at all. */
  readonly oldestAt: number
  readonly externalId: string | null
  readonly attestation: Attestation
  /** What is wrong with the signature, where it does not hold. */
  readonly attestationProblem: string | null
  /** The living credential that a credential event names; null where it names none. */
  readonly credential: { readonly type: string } | null
  /** Whether a credential event must name one: each but those that the service records itself. */
  readonly needsCredential: boolean
  /** Who says what a platform's credential event says: its owner, the platform, or '' for those that share a vote. */
  readonly issuer: string
  /** The owner of the agent it is about. */
  readonly ownerId: string
  /** The time of receipt. */
  readonly at: number
}

/** Whether the platform signed what it said, and whether the signature holds. */
export type Attestation = 'none' | 'valid' | 'invalid'

/** All that an event is judged by. */
export interface RuleInput {
  readonly event: InspectedEvent
  readonly profile: BehaviourProfile
  /** Of the platform that reports; that of an unknown platform for any other reporter. */
  readonly reporter: ReporterStats
}

/** What a rule found: the sentence is what the owner reads, the figures what the reviewer reads. */
export type Finding = Pick<EventFinding, 'sentence' | 'evidence'>

/** `quarantine` keeps the event from counting until it is reviewed; `shadow` only records a finding. */
export type RuleMode = 'quarantine' | 'shadow' | 'off'

export type Severity = EventFinding['severity']

/** The figure of a rule that an operator may set, in the words of its documentation. */
export interface Threshold {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly unit: string
  readonly reason: string
}

/** One thing that makes an event suspicious. A rule reports; it does not act. */
export interface Rule {
  readonly id: string
  /** One sentence for docs/fraud-rules.md. */
  readonly summary: string
  readonly severity: Severity
  /** The default; an operator may set another one. */
  readonly mode: RuleMode
  readonly threshold: Threshold | null
  readonly inspect: (seen: RuleInput, threshold: number) => Finding | null
}
