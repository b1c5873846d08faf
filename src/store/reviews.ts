import type { RecordedEvent } from '../domain/agent.ts'
import type { Mode } from '../domain/mode.ts'
import type { Page } from './types.ts'

export interface ReviewQuery {
  readonly mode: Mode
  readonly rule?: string | undefined
  /** Only events that no other rule quarantined. */
  readonly isOnlyRule?: boolean
  readonly agentId?: string | undefined
  readonly reporterId?: string | undefined
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The last event of the page before. */
  readonly position: { readonly createdAt: number; readonly id: string } | null
  readonly limit: number
}

/** The events in which rules found something, and what reviews decide on them. */
export interface ReviewStore {
  /** The numbers of the quarantined events without a final decision, in ascending order. */
  awaitingReview(agentId: string): Promise<readonly number[]>
  /**
   * `awaitingReview`: quarantined events without a final decision, oldest first. `withFindings`: events
   * in which a rule found something, quarantined or not, newest first.
   */
  list(which: 'awaitingReview' | 'withFindings', query: ReviewQuery): Promise<Page<RecordedEvent>>
  /** Writes the review of an event, whether it is quarantined, and its link of the chain. */
  save(event: RecordedEvent): Promise<void>
  /** Released events of an agent that do not count yet, in ascending order. */
  awaitingRelease(agentId: string): Promise<readonly RecordedEvent[]>
  /** Makes other reviews of these agents wait until the transaction ends; their reports do not. */
  lockReviewsOf(agentIds: readonly string[]): Promise<void>
}
