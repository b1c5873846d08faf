import type { LoggedEvent, RecordedEvent } from '../domain/agent.ts'
import type { DealType, EventData, EventType } from '../domain/event.ts'
import type { IngestEvents } from './ingest.ts'
import type { ById, Listed, Rows } from './rows.ts'
import type { Page } from './types.ts'

/** The events of an agent. */
export interface EventsOf {
  readonly agentId: string
  readonly type?: string | undefined
  readonly reporterId?: string | undefined
  /** Bounds on `occurredAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** How the batch writer groups reports. */
export interface Batching {
  /** Reports about agents of the same group are stored on the same server. */
  readonly groupOf: (agentId: string) => number
  /** The part of the group that is stored by itself once a batch failed with `NotTogether`. */
  readonly partOf: (agentId: string) => number
  /** How many batches of a group may be written at the same time now. */
  readonly atOnce: () => number
}

/**
 * What is removed from the events of an agent: texts and names, of those that were received before a time; or, of
 * all, findings and the texts of reviews too.
 */
export type Removal = { readonly what: 'texts'; readonly before: number } | { readonly what: 'all' }

/** A part of the events of an agent: up to which number, and how many of them were changed. */
export interface Rewritten {
  readonly last: number
  readonly count: number
}

export interface DailyCount {
  /** Days since the epoch. */
  readonly day: number
  readonly type: EventType
  readonly count: number
}

/** A report as its reporter looks back on it. */
export interface PastReport {
  readonly agentId: string
  readonly seq: number
  readonly type: EventType
  readonly data: EventData
  readonly createdAt: number
}

export interface ReporterQuery {
  /** Bounds on `createdAt`, both inclusive. */
  readonly from: number
  readonly to: number
  readonly types: readonly EventType[]
  readonly limit: number
}

/** Bounds on `createdAt`, both inclusive. */
export interface ReportedQuery {
  readonly from: number
  readonly to: number
  readonly type?: string | undefined
  readonly agentId?: string | undefined
  readonly isQuarantined?: boolean | undefined
  /** The last event of the page before. */
  readonly position: {
    readonly createdAt: number
    readonly agentId: string
    readonly seq: number
  } | null
  readonly limit: number
}

/** One that is archived is found with its agent or, if it was reviewed, by its id alone. */
export type EventKey = ById & Partial<Pick<RecordedEvent, 'agentId'>>

/** Events, listed by their numbers. */
export interface EventStore
  extends Pick<Rows<RecordedEvent, EventKey, never>, 'find'>,
    Listed<RecordedEvent, EventsOf, number> {
  readonly batching: Batching
  readonly ingest: IngestEvents
  /**
   * For the batches of one import: stores them in the order of the calls, and decides on one while those before
   * it are still being written. Where one fails, those after it fail too.
   */
  readonly ingestPast: () => IngestEvents
  /**
   * The events that count since an instant and numbered above `after`, by day (UTC) and type. Counted
   * in the database: a profile shows them, and needs none of them.
   */
  daily(agentId: string, since: number, after: number): Promise<readonly DailyCount[]>
  /** The events of the agent after one of them, in the order in which they were folded, and in parts. */
  log(agentId: string, after?: number): AsyncIterable<readonly LoggedEvent[]>
  /**
   * Within a transaction, which has the agent locked from then on: replaces the next events after a number that have
   * something to remove, archived ones too, by what `without` makes of them, and deletes the names that reporters gave
   * them. At most a part of them; null at the end. Where no text is old it reads one event that is not archived.
   */
  rewriteNext(
    agentId: string,
    after: number,
    removal: Removal,
    without: (event: RecordedEvent) => RecordedEvent,
  ): Promise<Rewritten | null>
  /** What a reporter reported about an agent after an event, without what is quarantined; newest first. */
  latestBy(
    reporterId: string,
    agentId: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<readonly PastReport[]>
  /**
   * What a reporter reported about any agent, without what is quarantined or archived; newest first. There
   * may be more where anything of the time is archived.
   */
  reportedBy(reporterId: string, query: ReporterQuery): Promise<Page<PastReport>>
  /** What a reporter reported about any agent, the quarantined events too; newest first. */
  listReported(reporterId: string, query: ReportedQuery): Promise<Page<RecordedEvent>>
  /** The types of an agent's next events of these types that count, by platforms of others; at most this many. */
  outcomesAfter(
    agentId: string,
    after: number,
    types: readonly DealType[],
    limit: number,
  ): Promise<readonly DealType[]>
}
