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

/** Per owner: a few people at their machines. */
export const LISTENERS_MAX = 5

/** One that is saved listens from this transaction on. Of the others of its owner the newest `LISTENERS_MAX - 1` stay. */
export type ListenerStore = Pick<Rows<ListenerRow, ById>, 'find' | 'save'>
