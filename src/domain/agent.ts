import type { EventData, EventType, Reporter } from './event.ts'

export type AgentStatus = 'active' | 'suspended' | 'deactivated'

/** An agent as its owner knows it. Times are milliseconds since the epoch. */
export interface Agent {
  readonly id: string
  readonly ownerId: string
  readonly displayName: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: AgentStatus
  /** Whether anyone may see its profile; its owner decides. */
  readonly hasPublicProfile: boolean
  /** The agent that it replaced, and the one that replaced it. */
  readonly predecessorId: string | null
  readonly successorId: string | null
  /** The agent that it acts for: it scores no higher than that one. */
  readonly parentId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type ReviewDecision = 'released' | 'upheld'

/** How the review of a quarantined event stands, decision by decision. */
export interface Review {
  readonly status: 'pending' | 'appealed' | ReviewDecision
  readonly decisions: readonly {
    readonly decision: ReviewDecision
    readonly reason: string
    readonly decidedAt: number
  }[]
  readonly appeal: { readonly statement: string; readonly createdAt: number } | null
  /**
   * Since when a released event counts, and its number in the chain; null as long as its release is not
   * carried out.
   */
  readonly counted: { readonly since: number; readonly chainIndex: number } | null
}

export const PENDING_REVIEW: Review = {
  status: 'pending',
  decisions: [],
  appeal: null,
  counted: null,
}

/** What one rule found in an event; one in shadow mode only notes it. */
export interface EventFinding {
  readonly rule: string
  readonly severity: 'low' | 'medium' | 'high'
  readonly mode: 'quarantine' | 'shadow'
  readonly sentence: string
  readonly evidence: Readonly<Record<string, number | string>>
}

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
  /**
   * The owner who runs the reporting platform, whose platforms share one vote; null where the reporter votes
   * for itself, and for self-reports.
   */
  readonly voter: string | null
  /** How established the reporter was when the event was received: 1, ½ (provisional), or a tenth. */
  readonly reporterWeight: number
  /**
   * How much of it counts, 0 to 1: less for a platform that reviews found against, and for further
   * credentials of one issuer.
   */
  readonly share: number
  /** Logarithm of the odds by which such work was harder than usual when the event was received. */
  readonly hardness: number
  readonly externalId: string | null
  /** When the operator imported it with a past; null for an event that was received as it happened. */
  readonly importedAt: number | null
  readonly fraudFlags: readonly string[]
  readonly quarantineReason: string | null
  readonly isQuarantined: boolean
  /** What the anti-fraud rules found, for the reviewer. */
  readonly findings: readonly EventFinding[]
  readonly attestationVerified: boolean
  readonly review: Review | null
  /** Of the commitments to its free text; null where it has none, or where only they are left. */
  readonly salt: string | null
  /** The hash chain after this event; null while it does not count. */
  readonly chain: Uint8Array | null
}

/**
 * An event as it is read to fold it: without what only its readers see, which is half of the work of
 * reading it.
 */
export type LoggedEvent = Omit<
  RecordedEvent,
  'occurredAt' | 'fraudFlags' | 'findings' | 'quarantineReason' | 'attestationVerified'
>

/** The cause of a snapshot. A review corrects snapshots of events, and has none of its own. */
export type SnapshotTrigger = Trigger & { readonly kind: 'event' | 'model' }

/** What changed the score. */
export interface Trigger {
  /** `model`: the same events, folded again by the model that took over. */
  readonly kind: 'event' | 'review' | 'model'
  /** Of the event folded or reviewed, or the last that counted. */
  readonly id: string
  readonly type: EventType
}
