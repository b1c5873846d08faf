import type { EventData, EventType, Reporter } from '../core/events.ts'
import type { Habits } from './habits.ts'

/** What a rule gets to see of an event. Times are milliseconds since the epoch. */
export interface InspectedEvent {
  readonly type: EventType
  readonly data: EventData
  readonly reporter: Reporter
  readonly self: boolean
  readonly occurredAt: number
  /** Whether the reporter said when it happened, or the time of receipt was taken. */
  readonly occurredAtGiven: boolean
  readonly externalId: string | null
  readonly attestation: Attestation
  /** The time of receipt. */
  readonly at: number
}

/** Whether the platform signed what it said, and whether the signature holds. */
export type Attestation = 'none' | 'valid' | 'invalid'

/**
 * One thing that makes an event suspect. A rule says; it does not do: the sentence is what the
 * owner reads as `quarantineReason`, null means that nothing is wrong.
 */
export interface Rule {
  readonly id: string
  /** One sentence for docs/fraud-rules.md. */
  readonly summary: string
  readonly inspect: (event: InspectedEvent, habits: Habits) => string | null
}
