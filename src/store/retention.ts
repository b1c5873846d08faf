import type { RecordedEvent } from '../domain/agent.ts'

/** Where a pruned log begins: its last removed entry. */
export interface AuditCheckpoint {
  readonly number: number
  readonly hash: string
}

export interface ThinningBounds {
  /** Of snapshots made before these times only the last of each day, or of each week, is kept. */
  readonly daysBefore: number
  readonly weeksBefore: number
  /** A score below this is kept from then on: it limits the owner's new agents. */
  readonly lowScore: number
  readonly lowSince: number
}

export interface Thinned {
  readonly removed: number
  /** The number to go on after; null at the end. */
  readonly next: number | null
}

/** What is removed by age. Every method removes a bounded part, and may run again. */
export interface RetentionStore {
  /**
   * Of the next old snapshots after a number, removes all but the last of each day or, of older ones, of
   * each week. What a review or a model made is kept.
   */
  thinSnapshots(agentId: string, after: number, bounds: ThinningBounds): Promise<Thinned>
  /** The stored events of an agent in which there is something to remove, in their order. */
  eventsWith(
    what: 'texts' | 'all',
    agentId: string,
    span: { readonly after: number; readonly before?: number; readonly limit: number },
  ): Promise<readonly RecordedEvent[]>
  /** Writes them without texts, and removes the names that reporters gave them. */
  saveWithoutTexts(events: readonly RecordedEvent[]): Promise<void>
  /**
   * Within a transaction: removes the oldest entries of the audit log before a time, but not the last
   * one. How many, and where the rest of the chain begins; null where none was removed.
   */
  auditBefore(
    before: number,
    limit: number,
  ): Promise<{ readonly removed: number; readonly checkpoint: AuditCheckpoint | null }>
}
