import type { Schema } from '../schema.ts'

export type EventType = Schema<'EventType'>
export interface EventRecord extends Schema<'Event'> {}
export type Dimension = EventRecord['dimension']
/** By `type`, what `data` may have: a `task.failed` with an `amount` does not compile. */
export type EventInput = Schema<'EventInput'>
export interface TaskData extends Schema<'TaskData'> {}
export interface PaymentData extends Schema<'PaymentData'> {}
export interface UptimeData extends Schema<'UptimeData'> {}
export interface ErrorData extends Schema<'ErrorData'> {}
export interface CredentialData extends Schema<'CredentialData'> {}
/** What any caller with a credential may read of a platform. */
export interface PublicPlatform extends Schema<'PublicPlatform'> {}
/** What a platform reads of itself. */
export interface OwnPlatform extends Schema<'OwnPlatform'> {}
export type EventQuery = Schema<'listEventsQuery'>
/** `agentId` and `quarantined` are for platforms. */
export type OwnEventQuery = Schema<'listOwnEventsQuery'>

/** How far the review of a quarantined event is. */
export interface Review extends NonNullable<Schema<'Review'>> {}
export type ReviewDecision = Schema<'ReviewDecision'>['decision']

/** Why one event of a report was refused. `index` is its place among the events given, from 0. */
export type ReportError = Schema<'EventBatchAnswer'>['errors'][number]

/** What became of a report, event by event. */
export interface Report {
  readonly accepted: number
  readonly rejected: number
  /** Only where an event was refused. */
  readonly errors?: readonly ReportError[]
  /** In the order given; null where the event was refused. */
  readonly data: readonly (EventRecord | null)[]
}

/** A line of the export: the event as it is hashed and folded, then the chain after it. */
export interface ExportedEvent {
  readonly id: string
  /** Its number among all events of the agent. */
  readonly seq: number
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
  /** The reporter's id. */
  readonly reporter: string
  readonly self: boolean
  /** When it was received, in milliseconds since 1970. */
  readonly at: number
  /** SHA-256 in base64url. */
  readonly chain: string
  /** Its number in the chain, if it was quarantined and released. The others take the numbers that are left. */
  readonly chainIndex?: number
  /** When it was received or, if it was quarantined, released. Milliseconds since 1970. */
  readonly countedSince: number
}
