/** What the service returns, as the SDK generates it from openapi.json. Types alone: no code of the SDK. */
import type {
  AgentProfile,
  BacktestResult,
  EventRecord,
  EventType,
  FraudRuleWithFindings,
  IdentifierType as IdentifierTypeName,
  Lookup,
  NamedOperator,
  NotificationType,
  OwnerKeyScope,
  Prospect,
  Role as RoleName,
  ScoreExplanation,
  Score as ScoreRecord,
  ScoreSeries as ScoreSeriesRecord,
  ServiceKey,
  Tier as ServiceTierName,
  Session,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from '@standing/sdk'

export type {
  AcceptedTransfer,
  ActiveSession,
  AgentWithKey,
  AuditEntry,
  AuthOptions,
  Backups,
  Calibration,
  Classification as Tier,
  Credential,
  Decision,
  DecisionRequest,
  DeletedTestData,
  Dimension,
  DimensionScore,
  EventType,
  Finding,
  Identifier,
  IdentifierType,
  ImportSummary,
  Invitation,
  InvitationWithLink,
  Jobs,
  Member,
  Move,
  NamedOperatorWithKey as OperatorWithKey,
  Owner,
  OwnerKey,
  OwnerKeyWithSecret,
  PastDecision,
  Platform,
  Policy,
  PolicyInput,
  QuarantinedScore,
  Resistance,
  ReviewItem,
  Role,
  RotatedKey,
  RuleMode,
  Snapshot,
  TestPlatform,
  Transfer,
  Verdict,
  Verification,
  Webhook,
} from '@standing/sdk'

export type Agent = AgentProfile
export type OwnerSession = Session
export type ServiceTier = ServiceTierName
export type Score = ScoreRecord
export type Rate = Prospect
export type ScoreSeries = ScoreSeriesRecord
export type SeriesPoint = ScoreSeries['data'][number]
export type Explanation = ScoreExplanation
export type WhatIfScore = ScoreExplanation['after'][number]
export type TrustEvent = EventRecord
export type Reporter = EventRecord['reporter']
export type Rule = FraudRuleWithFindings
export type Delivery = WebhookDelivery
export type DeliveryDetails = WebhookDeliveryDetails
export type Backtest = BacktestResult
export type LookupAnswer = Lookup
export type SigningKey = ServiceKey
export type Scope = OwnerKeyScope
export type Operator = NamedOperator

/** A page of a list, as the service returns it. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** Every event type that can be reported, in the order in which a form offers them. */
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

/** Every event type that a log may have: those above, and those that the service itself records. */
export const LOGGED_TYPES = [
  ...EVENT_TYPES,
  'agent.transferred',
  'agent.succeeded',
  'agent.limited',
  'child.work_failed',
  'child.payment_failed',
] as const satisfies readonly EventType[]

/** Every type of identifier, in the order in which a form offers them. */
export const IDENTIFIER_TYPES = [
  'domain',
  'did',
  'a2a_card',
  'mcp_server',
  'web_bot_auth',
  'caip10',
  'erc8004',
  'oauth_client',
  'spiffe',
] as const satisfies readonly IdentifierTypeName[]

export const ROLES = ['admin', 'member', 'viewer'] as const satisfies readonly RoleName[]

export const SCOPES = ['read', 'report', 'manage'] as const satisfies readonly Scope[]

/** Every notification type that a webhook may subscribe to. */
export const NOTIFICATION_TYPES = [
  'score.changed',
  'score.tier_changed',
  'event.ingested',
  'event.quarantined',
  'event.reviewed',
  'credential.issued',
  'credential.revoked',
  'agent.status_changed',
  'agent.transferred',
  'identifier.verified',
  'identifier.failing',
  'identifier.lapsed',
] as const satisfies readonly NotificationType[]
