import type { Notification } from '../domain/notification.ts'
import type { ListenerRow } from './listeners.ts'
import type { Inserted } from './rows.ts'

export interface NotificationRow {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly position: NotificationPosition
}

/** The place of a notification: its transaction, its number, and when it was written. */
export type NotificationPosition = readonly [transaction: number, number: number, createdAt: number]

/** What was read for a listener. */
export interface ReadNotifications {
  readonly rows: readonly NotificationRow[]
  /** Where to read on: also behind those of the account that the listener does not ask for. Null before the first. */
  readonly position: NotificationPosition | null
}

/**
 * Of the notifications that are inserted those that have subscribers are written, with a delivery for each
 * subscription. The caller holds the lock of the agent's state, so that an agent's notifications are numbered in the
 * order of their commits.
 */
export interface NotificationStore extends Inserted<Notification> {
  /** Those for this listener after a position, or from its start, oldest first; none is left out. */
  listFor(
    listener: ListenerRow,
    after: NotificationPosition | null,
    limit: number,
  ): Promise<ReadNotifications>
}
