import type { RecordedEvent } from '../domain/agent.ts'
import type { ChildReport } from '../domain/delegation.ts'
import type { TrustError } from '../domain/error.ts'
import { type EventData, type EventType, LOG_TYPES, type Reporter } from '../domain/event.ts'
import { isUuid } from '../domain/uuid.ts'
import { canonicalData } from '../fraud/digest.ts'
import type { Attestation } from '../fraud/rule.ts'
import { workKindOf } from '../fraud/work-stats.ts'
import type { ExternalName } from '../store/store.ts'
import { sha256 } from './digest.ts'

/** An event as it is reported, before anything is decided about it. */
export interface ReportedEvent {
  readonly type: EventType
  readonly data?: EventData | undefined
  /** Milliseconds since 1970; the time of receipt by default. */
  readonly occurredAt?: number | undefined
  readonly externalId?: string | null | undefined
}

/** The events of one request, from one reporter about one agent. */
export interface Report {
  readonly agentId: string
  readonly reporter: Reporter
  /** The owner who runs the reporting platform; null where no owner does. */
  readonly reporterOwnerId: string | null
  /** Whether the operator verified the reporting platform. */
  readonly reporterVerified: boolean
  readonly attestation: Attestation
  /** What is wrong with the signature, where it is not valid. */
  readonly attestationProblem?: string | null
  /** Names the events without an `externalId`, so that a repeat is seen: the id of the request's signature, or an
   *  import and its line. */
  readonly requestName?: string | null
  readonly events: readonly ReportedEvent[]
  /**
   * An event that the service records of its own actions, such as a revoked credential. It is
   * accepted in any status of the agent, and does not count in the hourly limits.
   */
  readonly isSystemEvent?: boolean
  /** Given for the report of a child, which the log of a parent has as that of the child weighed it. */
  readonly ofChild?: Pick<
    ChildReport,
    'voter' | 'share' | 'childVote' | 'reporterWeight' | 'hardness'
  >
  /** Given for a report of the past, which the operator imports. */
  readonly past?: Past
}

/** When a report of the past came, and when it is imported, in milliseconds since 1970. */
export interface Past {
  readonly at: number
  readonly importedAt: number
}

/** Whether the hourly limits are for the report: neither for what the service records nor for a past. */
export function isLimited({ isSystemEvent = false, past }: Report): boolean {
  return !isSystemEvent && !past
}

/** The outcome of one event. */
export type EventOutcome =
  | { readonly event: RecordedEvent; readonly isNew: boolean }
  | { readonly refusal: TrustError }

/** The outcome of a report: of each of its events in order, or why the whole report is refused. */
export type ReportOutcome =
  | { readonly events: readonly EventOutcome[] }
  | { readonly refusal: TrustError }

/** The names under which the events of a report may be recorded already. */
export function externalNamesOf(report: Report): readonly ExternalName[] {
  const { agentId, reporter } = report
  return report.events.flatMap((_, index) => {
    const externalId = externalNameOf(report, index)
    return externalId === null ? [] : [{ reporterId: reporter.id, agentId, externalId }]
  })
}

/** The kinds of work that the events of a report name, the platform's own and those shared by all. */
export function workKindsOf({ reporter, events }: Report): readonly string[] {
  return events.flatMap(({ type, data = {} }) => {
    const kind = LOG_TYPES[type].data === 'task' ? workKindOf(reporter.id, data) : null
    return kind === null ? [] : [kind.own, kind.shared]
  })
}

/** The credentials that the events of a report name, as far as they can be ids of credentials. */
export function credentialIdsOf({ events }: Report): readonly string[] {
  return events.flatMap(({ data }) => {
    const id = data?.credentialId
    return id !== undefined && isUuid(id) ? [id] : []
  })
}

/**
 * The name of an event on its reporter's side: its `externalId`, or else the name of the request and
 * the event's place in it. A signed request that is sent again adds nothing.
 */
export function externalNameOf({ events, requestName }: Report, index: number): string | null {
  return events[index]?.externalId ?? (requestName ? `${requestName} ${index}` : null)
}

/** Equal for events about an agent that say the same. No score depends on it. */
export type ContentDigest = (
  agentId: string,
  event: ReportedEvent,
  /** When it happened, where an event is known by the number of its line in a past: lines may say the same. */
  at: number | null,
) => Uint8Array

/** A digest of what an event says, to tell a repeated event from another one under the same name. */
export function contentDigest(
  agentId: string,
  event: ReportedEvent,
  at: number | null,
): Uint8Array {
  const content = [agentId, event.type, event.occurredAt ?? '', canonicalData(event.data ?? {})]
  return sha256([...content, ...(at === null ? [] : [at])].join('\n'))
}
