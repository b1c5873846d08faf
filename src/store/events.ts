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

/** Events numbered above one, and received before a time. */
/** Events by their numbers. */
export interface EventSpan {
  readonly after: number
  /** The last one; all by default. */
  readonly last?: number
  readonly limit: number
}

/** Events whose texts are old: those behind `after`, up to `last`. */
export interface AgedTexts {
  readonly after: number
  readonly last: number
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
  /** The stored events of an agent in which there is something to remove, in their order. */
  listWith(
    what: 'texts' | 'all',
    agentId: string,
    span: EventSpan,
  ): Promise<readonly RecordedEvent[]>
  /**
   * The next stored events of an agent from before a time whose texts are not marked as removed, so many at most;
   * null for none. Reads none that is marked and, where none is old, one event.
   */
  agedTexts(agentId: string, before: number, limit: number): Promise<AgedTexts | null>
  /** Marks the texts of an agent's events as removed, up to one of them. */
  markTextsRemoved(agentId: string, last: number): Promise<void>
  /** Saves events whose texts the caller has removed, and deletes the names that reporters gave them. */
  saveWithoutTexts(events: readonly RecordedEvent[]): Promise<void>
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
