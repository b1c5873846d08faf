import type { RecordedEvent } from '../domain/agent.ts'
import type { Mode } from '../domain/mode.ts'
import type { Listed } from './rows.ts'

/**
 * Of all agents of a mode. `awaitingReview`: quarantined events without a final decision, oldest first.
 * `withFindings`: events in which a rule found something, quarantined or not, newest first.
 */
export interface FlaggedEvents {
  readonly list: 'awaitingReview' | 'withFindings'
  readonly mode: Mode
  readonly rule?: string | undefined
  /** Only events that no other rule quarantined. */
  readonly isOnlyRule?: boolean
  readonly agentId?: string | undefined
  readonly reporterId?: string | undefined
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type FlaggedPlace = Pick<RecordedEvent, 'createdAt' | 'id'>

/** The events in which rules found something, and what reviews decide on them. */
export interface ReviewStore extends Listed<RecordedEvent, FlaggedEvents, FlaggedPlace> {
  /** The numbers of the quarantined events without a final decision, in ascending order. */
  awaitingReview(agentId: string): Promise<readonly number[]>
  /** Of these agents those with a quarantined event of the platform, or of one in the vote of its owner. */
  withQuarantinedOf(
    agentIds: readonly string[],
    by: { readonly platformId: string; readonly platformOwnerId: string | null },
  ): Promise<readonly string[]>
  /** Writes the review of an event, whether it is quarantined, and its link of the chain. */
  save(event: RecordedEvent): Promise<void>
  /** Released events of an agent that do not count yet, in ascending order. */
  awaitingRelease(agentId: string): Promise<readonly RecordedEvent[]>
  /** Makes other reviews of these agents wait until the transaction ends; their reports do not. */
  lockReviewsOf(agentIds: readonly string[]): Promise<void>
}
