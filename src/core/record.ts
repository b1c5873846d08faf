import type { EventData, EventType, Reporter, Severity } from './events.ts'

export type { Severity }

export type AgentStatus = 'active' | 'suspended' | 'deactivated'

/** An agent as its owner knows it. Times are milliseconds since the epoch. */
export interface Agent {
  readonly id: string
  readonly ownerId: string
  readonly displayName: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: AgentStatus
  readonly createdAt: number
  readonly updatedAt: number
}

export type ReviewDecision = 'released' | 'upheld'

/** How the review of a held event stands, decision by decision. */
export interface Review {
  readonly status: 'pending' | 'appealed' | ReviewDecision
  readonly decisions: readonly {
    readonly decision: ReviewDecision
    readonly reason: string
    readonly decidedAt: number
  }[]
  readonly appeal: { readonly statement: string; readonly createdAt: number } | null
}

export const PENDING_REVIEW: Review = { status: 'pending', decisions: [], appeal: null }

/** An event as it was taken in. `seq` is its place in the order its agent's events were folded in. */
export interface RecordedEvent {
  readonly id: string
  readonly agentId: string
  readonly seq: number
  readonly type: EventType
  readonly data: EventData
  readonly occurredAt: number
  readonly createdAt: number
  readonly reporter: Reporter
  readonly self: boolean
  readonly externalId: string | null
  readonly fraudFlags: readonly string[]
  readonly quarantineReason: string | null
  readonly isQuarantined: boolean
  readonly attestationVerified: boolean
  readonly review: Review | null
  /** The hash chain after this event; null while it does not count. */
  readonly chain: Uint8Array | null
}

/** What moved the score. */
export interface Trigger {
  readonly kind: 'event' | 'review'
  /** Of the event folded or reviewed. */
  readonly id: string
  readonly type: EventType
}
