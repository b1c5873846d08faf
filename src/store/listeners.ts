import type { NotificationFilter } from '../domain/notification.ts'
import type { ById, Rows } from './rows.ts'

/** A client that streams an owner's notifications. */
export interface ListenerRow {
  readonly id: string
  readonly ownerId: string
  readonly events: readonly NotificationFilter[]
  /** Null: every agent of the owner. */
  readonly agentIds: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface ListenerStore extends Pick<Rows<ListenerRow, ById>, 'find'> {
  /**
   * Adds one, from this transaction on, or sets when it expires. Of the owner's listeners the newest
   * `max` are kept.
   */
  save(listener: ListenerRow, max: number): Promise<void>
}
