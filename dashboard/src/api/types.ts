/** What the service returns, as the SDK generates it from openapi.json. Types alone: no code of the SDK. */
import type {
  Account,
  EventInput,
  EventRecord,
  EventType,
  IdentifierType,
  NotificationType,
  OwnerKeyScope,
  Role,
  ScoreExplanation,
  ScoreSeries,
} from '@standing/sdk'

export type {
  AcceptedTransfer,
  Account,
  ActiveSession,
  AgentProfile as Agent,
  AgentWithKey,
  AuditEntry,
  AuthOptions,
  BacktestResult as Backtest,
  Backups,
  Calibration,
  Classification as Tier,
  Credential,
  Decision,
  DecisionRequest,
  DeletedTestData,
  Dimension,
  DimensionScore,
  EventRecord as TrustEvent,
  EventType,
  Finding,
  FraudRuleWithFindings as Rule,
  Identifier,
  IdentifierType,
  ImportSummary,
  Invitation,
  InvitationWithLink,
  Jobs,
  Lookup as LookupAnswer,
  Member,
  Move,
  NamedOperator as Operator,
  NamedOperatorWithKey as OperatorWithKey,
  Owner,
  OwnerKey,
  OwnerKeyScope as Scope,
  OwnerKeyWithSecret,
  PastDecision,
  Platform,
  Policy,
  PolicyInput,
  Prospect as Rate,
  PublicPlatform,
  QuarantinedScore,
  Resistance,
  ReviewItem,
  Role,
  RotatedKey,
  RuleMode,
  Score,
  ScoreExplanation as Explanation,
  ScoreSeries,
  ServiceKey as SigningKey,
  Session as OwnerSession,
  Snapshot,
  TestPlatform,
  Tier as ServiceTier,
  Transfer,
  Verdict,
  Verification,
  Webhook,
  WebhookDelivery as Delivery,
  WebhookDeliveryDetails as DeliveryDetails,
} from '@standing/sdk'

/** What a person or an API key of an account may do. */
export type Permission = Account['permissions'][number]
export type SeriesPoint = ScoreSeries['data'][number]
export type WhatIfScore = ScoreExplanation['after'][number]
export type Reporter = EventRecord['reporter']

/** A page of a list, as the service returns it. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** All members of a union, in the order of a form. A list that lacks one of them does not compile. */
function allOf<T extends string>() {
  return <const L extends readonly T[]>(list: [T] extends [L[number]] ? L : never) => list
}

/** Every event type that can be reported. */
export const EVENT_TYPES = allOf<EventInput['type']>()([
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
])

/** Every event type that a log may have: those above, and those that the service itself records. */
export const LOGGED_TYPES = allOf<EventType>()([
  ...EVENT_TYPES,
  'agent.transferred',
  'agent.succeeded',
  'agent.limited',
  'reports.discarded',
  'child.work_failed',
  'child.payment_failed',
])

export const IDENTIFIER_TYPES = allOf<IdentifierType>()([
  'domain',
  'did',
  'a2a_card',
  'mcp_server',
  'web_bot_auth',
  'caip10',
  'erc8004',
  'oauth_client',
  'spiffe',
])

export const ROLES = allOf<Role>()(['admin', 'member', 'viewer'])

export const SCOPES = allOf<OwnerKeyScope>()(['read', 'report', 'manage'])

/** Every notification type that a webhook may subscribe to. */
export const NOTIFICATION_TYPES = allOf<NotificationType>()([
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
])
