import type { AgentStateStore } from './agent-states.ts'
import type { AgentStore } from './agents.ts'
import type { ArchiveStore } from './archive.ts'
import type { AuditStore } from './audit.ts'
import type { CheckpointStore } from './checkpoints.ts'
import type { CredentialStore } from './credentials.ts'
import type { DecisionStore } from './decisions.ts'
import type { DelegationTaskStore } from './delegation-tasks.ts'
import type { DeliveryStore } from './deliveries.ts'
import type { DiscardStore } from './discards.ts'
import type { ErasureStore } from './erasures.ts'
import type { EventStore } from './events.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { IdentifierStore } from './identifiers.ts'
import type { InstallationStore } from './installation.ts'
import type { InvitationStore } from './invitations.ts'
import type { KeyStore } from './keys.ts'
import type { ListenerStore } from './listeners.ts'
import type { LoginFailureStore } from './login-failures.ts'
import type { LoginSuccessStore } from './login-successes.ts'
import type { MailQueueStore } from './mail-queue.ts'
import type { MappingStore } from './mappings.ts'
import type { MemberStore } from './members.ts'
import type { NotificationStore } from './notifications.ts'
import type { OidcIdentityStore } from './oidc-identities.ts'
import type { OneTimeTokenStore } from './one-time-tokens.ts'
import type { OperatorStore } from './operators.ts'
import type { OwnerKeyStore } from './owner-keys.ts'
import type { OwnerStore } from './owners.ts'
import type { PlatformStore } from './platforms.ts'
import type { PolicyStore } from './policies.ts'
import type { QuarantinedEvidenceStore } from './quarantined-evidence.ts'
import type { QuotaStore } from './quotas.ts'
import type { ReporterStore } from './reporters.ts'
import type { ReviewStore } from './reviews.ts'
import type { RuleStore } from './rules.ts'
import type { SessionStore } from './sessions.ts'
import type { SigningKeyStore } from './signing-keys.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { StatsStore } from './stats.ts'
import type { TestDataStore } from './test-data.ts'
import type { TransferStore } from './transfers.ts'
import type { TurnStore } from './turns.ts'
import type { WatchStore } from './watches.ts'
import type { WebhookStore } from './webhooks.ts'

/**
 * What the service needs from a database, by noun. Times are milliseconds since the epoch, ids
 * UUIDs. A method that finds nothing returns null; a database that cannot be reached throws
 * `StoreUnavailable`.
 */
export interface Store {
  readonly owners: OwnerStore
  readonly members: MemberStore
  readonly oidcIdentities: OidcIdentityStore
  readonly sessions: SessionStore
  readonly ownerKeys: OwnerKeyStore
  readonly invitations: InvitationStore
  readonly operators: OperatorStore
  readonly oneTimeTokens: OneTimeTokenStore
  readonly mailQueue: MailQueueStore
  readonly loginFailures: LoginFailureStore
  readonly loginSuccesses: LoginSuccessStore
  readonly agents: AgentStore
  readonly identifiers: IdentifierStore
  readonly transfers: TransferStore
  readonly delegationTasks: DelegationTaskStore
  readonly keys: KeyStore
  readonly platforms: PlatformStore
  readonly policies: PolicyStore
  readonly decisions: DecisionStore
  readonly mappings: MappingStore
  readonly reporters: ReporterStore
  readonly rules: RuleStore
  readonly reviews: ReviewStore
  readonly events: EventStore
  readonly agentStates: AgentStateStore
  readonly snapshots: SnapshotStore
  readonly checkpoints: CheckpointStore
  readonly quarantinedEvidence: QuarantinedEvidenceStore
  readonly credentials: CredentialStore
  readonly signingKeys: SigningKeyStore
  readonly notifications: NotificationStore
  readonly listeners: ListenerStore
  readonly webhooks: WebhookStore
  readonly watches: WatchStore
  readonly deliveries: DeliveryStore
  readonly audit: AuditStore
  readonly erasures: ErasureStore
  readonly discards: DiscardStore
  readonly archive: ArchiveStore
  readonly testData: TestDataStore
  readonly installation: InstallationStore
  readonly idempotency: IdempotencyStore
  readonly quotas: QuotaStore
  readonly turns: TurnStore
  readonly stats: StatsStore
  /**
   * Runs `work` in one transaction: all of it is committed or, when it throws, nothing. Within a
   * transaction it runs to a savepoint: when it throws, what it wrote is undone and the outer one continues.
   */
  transaction<T>(work: (within: Store) => Promise<T>): Promise<T>
  /** Deletes a bounded part of what expired at that time or before. How many rows; 0 when none is left. */
  sweep(what: Sweepable, until: number): Promise<number>
}

/**
 * Stored responses, keys, sessions, invitations, one-time tokens and remembered agents by the time they expire,
 * sign-ins and decisions by the time they were made, quota windows by the time they started.
 */
export type Sweepable =
  | 'storedResponses'
  | 'reportResponses'
  | 'keys'
  | 'sessions'
  | 'invitations'
  | 'oneTimeTokens'
  | 'loginFailures'
  | 'loginSuccesses'
  | 'rememberedAgents'
  | 'decisions'
  | 'quotaRequests'
  | 'quotaLookups'

export type { Snapshot } from '../domain/snapshot.ts'
export type { AgentState } from './agent-states.ts'
export type { AuditRow, ChainedRow } from './audit.ts'
export type { Change, ChangeFeed } from './changes.ts'
export {
  type AttributedCheckpoint,
  CHECKPOINT_EVENTS,
  type Checkpoint,
  type CheckpointBound,
} from './checkpoints.ts'
export { DECISION_APIS, DECISIONS_MAX, type DecisionApi, type DecisionRow } from './decisions.ts'
export type { DelegationTask, NewDelegationTask } from './delegation-tasks.ts'
export type { DeliveryRow } from './deliveries.ts'
export { DISCARDS_READ, type Discard } from './discards.ts'
export type { Erasure } from './erasures.ts'
export type { PastReport } from './events.ts'
export type { StoredResponse } from './idempotency.ts'
export {
  type ExternalName,
  externalKey,
  type IngestEvents,
  type IngestResult,
  type IngestScope,
  type IngestView,
  type KnownEvent,
  type NamedCredential,
  type PlatformWrites,
} from './ingest.ts'
export type { InvitationRow } from './invitations.ts'
export type { KeyHolder, KeyKind, KeyRow, UsedKind } from './keys.ts'
export type { ListenerRow } from './listeners.ts'
export type { MailKind, MailRow } from './mail-queue.ts'
export type { MappingRow, SignatureScheme } from './mappings.ts'
export type { AccountMember, MemberRow } from './members.ts'
export type { NotificationPosition, NotificationRow, ReadNotifications } from './notifications.ts'
export type { TokenPurpose } from './one-time-tokens.ts'
export type { OperatorRow } from './operators.ts'
export type { OwnerKeyRow } from './owner-keys.ts'
export type { OwnerRow, OwnerStatus } from './owners.ts'
export type { PlatformRow } from './platforms.ts'
export type { PolicyRow } from './policies.ts'
export type { QuarantinedEvidence } from './quarantined-evidence.ts'
export type { QuotaGrant, QuotaRequest, QuotaStore } from './quotas.ts'
export type { FlaggedEvents, FlaggedPlace } from './reviews.ts'
export type { RuleChange, RuleFindings, RuleRow } from './rules.ts'
export type { MemberSession, SessionRow } from './sessions.ts'
export type { SigningKeyRow } from './signing-keys.ts'
export type { TransferParty } from './transfers.ts'
export {
  type FindOptions,
  NotTogether,
  type Page,
  StoreBusy,
  StoreFull,
  StoreOutdated,
  StoreUnavailable,
} from './types.ts'
export type { WatchPlace, WatchRow } from './watches.ts'
export type { WebhookFormat, WebhookRow } from './webhooks.ts'
