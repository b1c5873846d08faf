import type { Schema } from '../schema.ts'
import type { ListQuery } from './accounts.ts'

export interface Platform extends Schema<'Platform'> {}
export type ReportCounts = Platform['reports']
/** A platform with its API key, which no other answer carries. */
export interface PlatformWithKey extends Schema<'PlatformWithKey'> {}
export interface PlatformInput extends Schema<'CreatePlatform'> {}
export interface PlatformPatch extends Schema<'UpdatePlatform'> {}
export interface DiscardInput extends Schema<'DiscardReports'> {}
/** That the reports of a platform no longer count, and how far this is carried out. */
export interface Discard extends Schema<'Discard'> {}
/** A named operator, without the key. */
export interface NamedOperator extends Schema<'Operator'> {}
/** A named operator with its `apiKey`, which no other answer carries. */
export interface NamedOperatorWithKey extends Schema<'OperatorWithKey'> {}
export interface ImportSummary extends Schema<'ImportSummary'> {}
/** An account as the operator sees it. */
export interface ManagedOwner extends Schema<'ManagedOwner'> {}
export interface OwnerPatch extends Schema<'UpdateOwner'> {}
/** Where a person sets a new password. */
export interface ResetLink extends Schema<'ResetLink'> {}
export interface AgentStatusChange extends Schema<'SetStatus'> {}

export interface ReviewInput extends Schema<'ReviewDecision'> {}
/** Which quarantined events: those of a rule, an agent, a reporter, received within a time. */
export type ReviewFilter = Omit<ReviewQuery, keyof ListQuery>
export type ReviewQuery = Schema<'listReviewsQuery'>
export interface BulkReviewInput extends Schema<'BulkReview'> {}
/** `more`: whether others await review by the same filter. */
export interface BulkReview extends Schema<'BulkReviewAnswer'> {}
/** An event, what the rules found in it, and what is known of its agent and its reporter. */
export interface ReviewItem extends Schema<'ReviewItem'> {}
export interface Finding extends Schema<'Finding'> {}

export interface FraudRule extends Schema<'FraudRule'> {}
/** With what the rule found lately. */
export interface FraudRuleWithFindings extends Schema<'FraudRuleWithFindings'> {}
export interface FraudRulePatch extends Schema<'UpdateFraudRule'> {}
export type RuleMode = FraudRule['mode']

/** Background jobs of the process that responds, and the work that waits everywhere. */
export interface Jobs extends Schema<'Jobs'> {}
export interface Backups extends Schema<'Backups'> {}
/** What scores said a month ago, and what happened since. */
export interface Calibration extends Schema<'Calibration'> {}
/** What platforms that lie would do to the scores of this installation. */
export interface Resistance extends Schema<'Resistance'> {}

export interface AuditEntry extends Schema<'AuditEntry'> {}

/** A key that the service signs credentials or receipts with. */
export interface ServiceKey extends Schema<'SigningKey'> {}
/** Whether credentials are issued: `halted` says since when not, and why. */
export interface Issuing extends Schema<'Issuing'> {}
export type SigningPurpose = ServiceKey['purpose']
