/** What the service returns, as the SDK generates it from openapi.json. Types alone: no code of the SDK. */
import type {
  AgentProfile,
  EventRecord,
  EventType,
  FraudRule,
  NotificationType,
  Prospect,
  ScoreExplanation,
  Score as ScoreRecord,
  ServiceKey,
  Tier as ServiceTierName,
  Session,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from '@standing/sdk'

export type {
  AgentWithKey,
  AuditEntry,
  Classification as Tier,
  Credential,
  Dimension,
  DimensionScore,
  EventType,
  Finding,
  Move,
  Owner,
  Platform,
  QuarantinedScore,
  ReviewItem,
  RotatedKey,
  RuleMode,
  Snapshot,
  Verification,
  Webhook,
} from '@standing/sdk'

export type Agent = AgentProfile
export type OwnerSession = Session
export type ServiceTier = ServiceTierName
export type Score = ScoreRecord
export type Rate = Prospect
export type Explanation = ScoreExplanation
export type Supposed = ScoreExplanation['after'][number]
export type TrustEvent = EventRecord
export type Reporter = EventRecord['reporter']
export type Rule = FraudRule
export type Delivery = WebhookDelivery
export type DeliveryDetails = WebhookDeliveryDetails
export type SigningKey = ServiceKey

/** A page of a list, as the service returns it. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** Every event type, in the order in which a form offers them. */
export const EVENT_TYPES = [
  'task.completed',
  'task.failed',
  'task.timeout',
  'payment.completed',
  'payment.failed',
  'payment.late',
  'payment.disputed',
  'uptime.report',
  'error.reported',
  'credential.issued',
  'credential.revoked',
] as const satisfies readonly EventType[]

/** Every notification type that a webhook may subscribe to. */
export const NOTICE_TYPES = [
  'score.changed',
  'score.tier_changed',
  'event.ingested',
  'event.quarantined',
  'event.reviewed',
  'credential.issued',
  'credential.revoked',
  'agent.status_changed',
] as const satisfies readonly NotificationType[]
