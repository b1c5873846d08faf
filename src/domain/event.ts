/**
 * The types of events about an agent, and what each says about it.
 * Source: the event types of the interface; dimension and impact are its own words.
 */
export type Dimension = 'reliability' | 'financial' | 'identity'
/** `neutral`: what may raise a score as well as lower it. No type that callers report is neutral. */
export type Impact = 'positive' | 'negative' | 'neutral'

export const DIMENSIONS: readonly Dimension[] = ['reliability', 'financial', 'identity']
export const IMPACTS: readonly Impact[] = ['positive', 'negative', 'neutral']

export const EVENT_TYPES = {
  'task.completed': { dimension: 'reliability', impact: 'positive', data: 'task' },
  'task.failed': { dimension: 'reliability', impact: 'negative', data: 'task' },
  'task.timeout': { dimension: 'reliability', impact: 'negative', data: 'task' },
  'payment.completed': { dimension: 'financial', impact: 'positive', data: 'payment' },
  'payment.failed': { dimension: 'financial', impact: 'negative', data: 'payment' },
  'payment.late': { dimension: 'financial', impact: 'negative', data: 'payment' },
  'payment.disputed': { dimension: 'financial', impact: 'negative', data: 'payment' },
  'uptime.report': { dimension: 'reliability', impact: 'positive', data: 'uptime' },
  'error.reported': { dimension: 'reliability', impact: 'negative', data: 'error' },
  'credential.issued': { dimension: 'identity', impact: 'positive', data: 'credential' },
  'credential.revoked': { dimension: 'identity', impact: 'negative', data: 'credential' },
} as const satisfies Record<string, { dimension: Dimension; impact: Impact; data: string }>

/** What the service itself records when an agent changes hands, when its parent's score moves, or when the operator
 *  discards what a platform reported. Callers cannot report these. */
const HANDOVER_TYPES = {
  'agent.transferred': { dimension: 'identity', impact: 'negative', data: 'handover' },
  'agent.succeeded': { dimension: 'identity', impact: 'positive', data: 'handover' },
  'agent.limited': { dimension: 'identity', impact: 'negative', data: 'handover' },
  'reports.discarded': { dimension: 'identity', impact: 'neutral', data: 'handover' },
} as const satisfies Record<string, { dimension: Dimension; impact: Impact; data: string }>

/** What the service records of a parent when a platform reports something bad of its child. */
const CHILD_TYPES = {
  'child.work_failed': { dimension: 'reliability', impact: 'negative', data: 'child' },
  'child.payment_failed': { dimension: 'financial', impact: 'negative', data: 'child' },
} as const satisfies Record<string, { dimension: Dimension; impact: Impact; data: string }>

/** The types that only the service records. */
export const OWN_TYPES = { ...HANDOVER_TYPES, ...CHILD_TYPES } as const

/** Every type that an event log may have. */
export const LOG_TYPES = { ...EVENT_TYPES, ...OWN_TYPES } as const

/** The types that callers report. */
export type ReportedType = keyof typeof EVENT_TYPES
export const REPORTED_TYPES = Object.keys(EVENT_TYPES) as readonly ReportedType[]
export type HandoverType = keyof typeof HANDOVER_TYPES
export type ChildType = keyof typeof CHILD_TYPES
export type OwnType = keyof typeof OWN_TYPES
export type EventType = keyof typeof LOG_TYPES
export const LOGGED_TYPES = Object.keys(LOG_TYPES) as readonly EventType[]

export function isHandover(type: EventType): type is HandoverType {
  return LOG_TYPES[type].data === 'handover'
}

/** Whether callers report the type; the others are recorded by the service alone. */
export function isReported(type: EventType): type is ReportedType {
  return REPORTED.has(type)
}

const REPORTED: ReadonlySet<string> = new Set(REPORTED_TYPES)

/** The types of deals: the end of a task or of a payment. Uptime, errors and credentials are none. */
export type DealType = Extract<ReportedType, `task.${string}` | `payment.${string}`>
export const DEAL_TYPES = REPORTED_TYPES.filter(isDealType)

function isDealType(type: EventType): type is DealType {
  const { data } = LOG_TYPES[type]
  return data === 'task' || data === 'payment'
}

/** Whether it is about a payment. */
export function isPayment(type: EventType): boolean {
  return LOG_TYPES[type].data === 'payment'
}

/** Whether the agent itself sent the event. The service records some in the name of another agent, its parent. */
export function isSelfReported({
  type,
  reporter,
}: {
  readonly type: EventType
  readonly reporter: Pick<Reporter, 'kind'>
}): boolean {
  return reporter.kind === 'agent' && isReported(type)
}

export type Severity = 'low' | 'medium' | 'high' | 'critical'

/** The data that callers report, in one shape; the schemas of the API say which fields a type may have. */
export interface ReportedData {
  /** Milliseconds. */
  readonly duration?: number | undefined
  readonly success?: boolean | undefined
  readonly errorCode?: string | undefined
  readonly amount?: number | undefined
  /** ISO 4217. */
  readonly currency?: string | undefined
  readonly daysLate?: number | undefined
  /** Percent, 0 to 100. */
  readonly uptimePercentage?: number | undefined
  readonly responseTimeMs?: number | undefined
  readonly errorType?: string | undefined
  readonly severity?: Severity | undefined
  readonly credentialId?: string | undefined
  readonly credentialType?: string | undefined
  /** 1 easy to 3 hard, as the reporter sees it; what it counts for is learnt from outcomes. */
  readonly difficulty?: 1 | 2 | 3 | undefined
  /** The reporter's name for this kind of work, 1 to 64 characters. */
  readonly taskClass?: string | undefined
  /** The other party of a task or payment; stored as a keyed hash. */
  readonly counterparty?: string | undefined
}

/** What the service records of a change of hands. */
interface HandoverData {
  /** Of a transfer: its id, the score of the new owner's worst agent where it is a limit, and the
   *  platforms that the new owner runs. */
  readonly transferId?: string | undefined
  readonly ownerScore?: number | undefined
  readonly ownPlatforms?: readonly string[] | undefined
  /** Of a successor: the agent before it, and the evidence that it left, in hexadecimal. */
  readonly predecessorId?: string | undefined
  readonly predecessorEvidence?: string | undefined
  /** Of a limit: the agent's parent, and the most that the agent may score by it; without a parent, by a
   *  worse agent of its owner. */
  readonly parentId?: string | undefined
  readonly ceiling?: number | undefined
  /** Of discarded reports: their platform, and the owner in whose vote they counted, if one runs it. */
  readonly platformId?: string | undefined
  readonly platformOwnerId?: string | undefined
}

/** What the service records of a parent. */
interface ChildData {
  /** The child that was reported, and the event of the child. */
  readonly childId?: string | undefined
  readonly childEventId?: string | undefined
  readonly childEventType?: ReportedType | undefined
  /** The observation that the child's event is, below zero. */
  readonly observation?: number | undefined
}

/** The data of every type in one shape. */
export interface EventData extends ReportedData, HandoverData, ChildData {}

export type ReporterKind = 'agent' | 'platform' | 'owner' | 'system'

/** The reporter of an event. `id` is the agent's, platform's or owner's; of the system, that of the platform whose
 *  reports it discards. */
export interface Reporter {
  readonly kind: ReporterKind
  readonly id: string
}
