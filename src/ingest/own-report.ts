import type { ChildReport } from '../domain/delegation.ts'
import type { Report, ReportedEvent } from './report.ts'

/** A report of the service itself in the name of one whom it concerns. */
export type OwnReport = Pick<
  Report,
  'agentId' | 'reporter' | 'reporterOwnerId' | 'events' | 'ofChild'
>

/** As it is decided on. */
export function asReport(own: OwnReport): Report {
  return { ...own, reporterVerified: false, attestation: 'none', isSystemEvent: true }
}

/** What the service did for an owner, who is the reporter of it. */
export interface OwnEvent {
  readonly agentId: string
  readonly ownerId: string
  readonly event: ReportedEvent
}

export function ownerReport({ agentId, ownerId, event }: OwnEvent): OwnReport {
  const reporter = { kind: 'owner', id: ownerId } as const
  return { agentId, reporter, reporterOwnerId: ownerId, events: [event] }
}

export interface Limit {
  readonly agentId: string
  readonly parentId: string
  readonly ceiling: number
}

/** The ceiling of a child. The parent is the reporter: it is by its score that the child's moves. */
export function limitReport({ agentId, parentId, ceiling }: Limit): OwnReport {
  const reporter = { kind: 'agent', id: parentId } as const
  const event = { type: 'agent.limited', data: { parentId, ceiling } } as const
  return { agentId, reporter, reporterOwnerId: null, events: [event] }
}

export interface StartLimit extends Pick<OwnEvent, 'agentId' | 'ownerId'> {
  readonly ceiling: number
}

/** The ceiling of an agent that has not started, by a worse agent of its owner. */
export function startReport({ agentId, ownerId, ceiling }: StartLimit): OwnReport {
  return ownerReport({ agentId, ownerId, event: { type: 'agent.limited', data: { ceiling } } })
}

export interface DiscardedReports {
  readonly agentId: string
  readonly platformId: string
  /** In whose vote they counted; null where the platform votes for itself. */
  readonly platformOwnerId: string | null
}

/** The reports of a platform that the operator discards. */
export function discardReport({
  agentId,
  platformId,
  platformOwnerId,
}: DiscardedReports): OwnReport {
  const reporter = { kind: 'system', id: platformId } as const
  const data = { platformId, ...(platformOwnerId !== null && { platformOwnerId }) }
  return {
    agentId,
    reporter,
    reporterOwnerId: null,
    events: [{ type: 'reports.discarded', data }],
  }
}

/** A bad report of a child, for the log of an agent above it. */
export function parentReport(agentId: string, ofChild: ChildReport): OwnReport {
  const { type, data, reporter } = ofChild
  return { agentId, reporter, reporterOwnerId: null, events: [{ type, data }], ofChild }
}
