import type { Agent, AgentStatus, RecordedEvent, Trigger } from '../domain/agent.ts'
import type { Credential, CredentialStatus, Signature } from '../domain/credential.ts'
import type { Dimension } from '../domain/event.ts'
import type { Evidence } from '../domain/evidence.ts'
import type { HourCount, QuotaKind, QuotaWindow, ServiceTier } from '../domain/limits.ts'
import type { Notification, NotificationFilter } from '../domain/notification.ts'
import type { StatusPurpose } from '../domain/verifiable-credential.ts'
import type { Endorsement } from '../fraud/endorsements.ts'
import type { BehaviourProfile } from '../fraud/profile.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type { RuleMode } from '../fraud/rule.ts'

/**
 * What the service needs of a database, a noun at a time. Times are milliseconds since the epoch,
 * ids UUIDs. A method that finds nothing answers null; a database that cannot be reached throws
 * `StoreUnavailable`.
 */
export interface Store {
  readonly owners: OwnerStore
  readonly agents: AgentStore
  readonly keys: KeyStore
  readonly platforms: PlatformStore
  readonly reporters: ReporterStore
  readonly rules: RuleStore
  readonly events: EventStore
  readonly scores: ScoreStore
  readonly credentials: CredentialStore
  readonly signingKeys: SigningKeyStore
  readonly notifications: NotificationStore
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryLogStore
  readonly listeners: ListenerStore
  readonly audit: AuditStore
  readonly installation: InstallationStore
  readonly idempotency: IdempotencyStore
  readonly quotas: QuotaStore
  /** Runs `work` in one transaction: all of it is kept, or, when it throws, nothing. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  /** Runs `work` so that, when it throws, what it wrote is undone and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** The database cannot be reached, or cannot say whether a commit went through. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** The database is there, but a lock or an answer was not to be had in time. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy'
}

export interface Page<T> {
  readonly rows: readonly T[]
  /** Whether there is more behind the last row. */
  readonly more: boolean
}

export interface OwnerRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly tier: ServiceTier
  readonly tokenEpoch: number
  readonly createdAt: number
}

export interface OwnerStore {
  /** False when the e-mail is taken. */
  insert(owner: OwnerRow): Promise<boolean>
  find(id: string): Promise<OwnerRow | null>
  /** The owner, locked until the transaction ends. */
  lock(id: string): Promise<OwnerRow | null>
  findByEmail(email: string): Promise<OwnerRow | null>
  list(before: string | null, limit: number): Promise<Page<OwnerRow>>
  setTier(id: string, tier: ServiceTier): Promise<OwnerRow | null>
  /** Sets a password and ends every token given out so far. */
  setPassword(id: string, passwordHash: string): Promise<OwnerRow | null>
  /**
   * Where one of these names has failed to log in `max` times since: when the oldest of those was,
   * otherwise null.
   */
  loginFailures(names: readonly Uint8Array[], since: number, max: number): Promise<number | null>
  /** Lets nobody else count or note failures under these names until the transaction ends. */
  lockLoginFailures(names: readonly Uint8Array[]): Promise<void>
  /** Notes a failure under each name, and forgets those of more than a day ago. */
  addLoginFailure(names: readonly Uint8Array[], at: number): Promise<void>
}

export interface AgentStore {
  insert(agent: Agent, agentState: AgentState): Promise<void>
  find(id: string): Promise<Agent | null>
  list(ownerId: string, before: string | null, limit: number): Promise<Page<Agent>>
  countNotDeactivated(ownerId: string): Promise<number>
  /** Those of these agents that are the owner's. */
  ownedBy(ownerId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  update(
    id: string,
    patch: { displayName?: string | undefined; metadata?: Agent['metadata'] | undefined },
    now: number,
  ): Promise<Agent | null>
  /** Takes effect for events that are folded after it: it waits for those in flight. */
  setStatus(id: string, status: AgentStatus, now: number): Promise<void>
  /** The status it had at a time after its registration. */
  statusAt(id: string, at: number): Promise<AgentStatus>
  /** What this owner's deactivated agents were told last, each with the time it was deactivated. */
  deactivated(
    ownerId: string,
    since: number,
  ): Promise<readonly { evidence: Evidence; at: number }[]>
}

export type KeyKind = 'agent' | 'platform' | 'operator'

export interface KeyRow {
  /** SHA-256 of the key. */
  readonly hash: Uint8Array
  readonly kind: KeyKind
  readonly principalId: string
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** A key with what must be known of the one who holds it. */
export type KeyHolder =
  | {
      readonly kind: 'agent'
      readonly agentId: string
      readonly ownerId: string
      readonly tier: ServiceTier
      readonly status: AgentStatus
      readonly expiresAt: number | null
    }
  | {
      readonly kind: 'platform'
      readonly platform: PlatformRow
      readonly expiresAt: number | null
    }
  | { readonly kind: 'operator'; readonly operatorId: string; readonly expiresAt: number | null }

export interface KeyStore {
  insert(key: KeyRow): Promise<void>
  find(hash: Uint8Array): Promise<KeyHolder | null>
  /** Lets the holder's keys work until `at` at the latest. */
  expire(principalId: string, at: number): Promise<void>
  /** Forgets some of the keys that expired before; how many, and 0 once none is left. */
  sweep(before: number): Promise<number>
}

export interface PlatformRow {
  readonly id: string
  readonly name: string
  readonly tier: ServiceTier
  readonly status: 'active' | 'suspended'
  readonly publicKey: string | null
  /** The key before, accepted until it expires. */
  readonly previousKey: { readonly publicKey: string; readonly expiresAt: number } | null
  /** Whether reports without a signature are refused. */
  readonly requireAttestation: boolean
  readonly ownerId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface PlatformStore {
  insert(platform: PlatformRow): Promise<void>
  find(id: string): Promise<PlatformRow | null>
  list(before: string | null, limit: number): Promise<Page<PlatformRow>>
  update(platform: PlatformRow): Promise<void>
}

export interface ReporterStore {
  findMany(platformIds: readonly string[]): Promise<ReadonlyMap<string, ReporterStats>>
  /** The record, locked until the transaction ends. */
  lock(platformId: string): Promise<ReporterStats>
  save(platformId: string, record: ReporterStats): Promise<void>
}

/** What an operator set about a rule. */
export interface RuleRow {
  readonly rule: string
  readonly mode: RuleMode
  /** Null where the rule's own holds. */
  readonly threshold: number | null
  readonly updatedAt: number
}

export interface RuleStore {
  list(): Promise<readonly RuleRow[]>
  set(row: RuleRow): Promise<void>
}

/** Where an agent stands: all that is needed to judge, fold and grade its next event. */
export interface AgentState {
  readonly agentId: string
  readonly ownerId: string
  readonly status: AgentStatus
  readonly evidence: Evidence
  readonly profile: BehaviourProfile
  /** The score last told. */
  readonly score: number
  readonly snapshots: number
  readonly seq: number
  /** The last hash of the chain of its counted events. */
  readonly chain: Uint8Array
  readonly quarantinedCount: number
  readonly hourCount: HourCount
  /** The highest score that a living score credential claims; 0 where none does. */
  readonly credentialFloor: number
  /** The model that all of the evidence was folded by; empty where it was more than one. */
  readonly modelVersion: string
  readonly updatedAt: number
}

export interface Snapshot {
  readonly id: string
  readonly agentId: string
  readonly number: number
  /** The last event folded into it. */
  readonly seq: number
  readonly score: number
  readonly eventCount: number
  readonly breakdown: Readonly<Record<Dimension, unknown>>
  readonly trigger: Trigger
  readonly modelVersion: string
  readonly createdAt: number
  readonly correctedAt: number | null
}

export interface ScoreStore {
  find(agentId: string): Promise<AgentState | null>
  /** The standing, locked until the transaction ends. */
  lock(agentId: string): Promise<AgentState | null>
  /** The same, or null where somebody else has it locked. */
  lockIfFree(agentId: string): Promise<AgentState | null>
  findMany(agentIds: readonly string[]): Promise<ReadonlyMap<string, AgentState>>
  history(agentId: string, query: HistoryQuery): Promise<Page<Snapshot>>
  /** Saves a standing whose whole log was folded by the model in force. */
  save(agentState: AgentState): Promise<void>
  /** Agents whose evidence another model folded, by id, a part at a time. */
  outdated(after: string | null, limit: number): Promise<readonly string[]>
  snapshot(agentId: string, id: string): Promise<Snapshot | null>
  /** The ids of all agents, in their order, a part at a time. */
  agentIds(): AsyncIterable<readonly string[]>
  /** Replaces the snapshots numbered above `after`. */
  replaceSnapshots(agentId: string, after: number, by: readonly Snapshot[]): Promise<void>
  addSnapshots(snapshots: readonly Snapshot[]): Promise<void>
  /** Notes that a score credential claims at least this score. */
  raiseCredentialFloor(agentId: string, score: number): Promise<void>
  /** The standings for which score credentials claim something, by id, a part at a time. */
  withCredentialFloor(after: string | null, limit: number): Promise<readonly AgentState[]>
  /** The snapshots at or before the event numbered `seq`, the last of them; null before the first. */
  snapshotBefore(agentId: string, seq: number): Promise<Snapshot | null>
}

export interface HistoryQuery {
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only snapshots numbered below this. */
  readonly before: number | null
  readonly limit: number
}

export interface EventQuery {
  readonly type?: string | undefined
  readonly reporterId?: string | undefined
  /** Bounds on `occurredAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only events numbered below this. */
  readonly before: number | null
  readonly limit: number
}

/** What the events of one transaction touch. */
export interface IngestScope {
  readonly agentIds: readonly string[]
  readonly platformIds: readonly string[]
  readonly externalIds: readonly ExternalName[]
  /** Platforms whose record as a reporter is read and written. */
  readonly reporterIds: readonly string[]
  /** Owners whose platforms report. */
  readonly endorserIds: readonly string[]
  readonly idempotencyScopes: readonly Uint8Array[]
  /** Leaves agents that somebody else has locked to `busy`, rather than wait for them. */
  readonly skipsLocked?: boolean
}

export interface ExternalName {
  readonly reporterId: string
  readonly externalId: string
}

/** What stands in the database about them, locked where it will be written. */
export interface IngestView {
  readonly agentStates: ReadonlyMap<string, AgentState>
  /** Agents that were left out, as somebody else has them locked. */
  readonly lockedElsewhere: ReadonlySet<string>
  readonly platformHours: ReadonlyMap<string, HourCount>
  readonly reporters: ReadonlyMap<string, ReporterStats>
  /** Who speaks of whom, as far as a report of the owners in scope may close a ring. */
  readonly endorsements: readonly Endorsement[]
  /** Events that carry one of the external ids, by `externalKey`. */
  readonly known: ReadonlyMap<string, KnownEvent>
  /** Kept responses, by the scope in hex; `busy` where another request holds the key just now. */
  readonly storedResponses: ReadonlyMap<string, StoredResponse | 'busy'>
  /** Owners of these agents who have somebody told what happens to them. */
  readonly ownersWithSubscribers: ReadonlySet<string>
}

/** A recorded event that has an external id, and a digest of what it said. */
export interface KnownEvent {
  readonly event: RecordedEvent
  readonly digest: Uint8Array
}

/** An event with the name it goes by on its reporter's side, and what it said. */
export interface NamedEvent {
  readonly event: RecordedEvent
  readonly name: string | null
  readonly digest: Uint8Array | null
}

/** What is to be written, all of it or nothing. */
export interface IngestResult {
  readonly agentStates: readonly AgentState[]
  readonly platformHours: readonly { readonly platformId: string; readonly hour: HourCount }[]
  readonly reporters: readonly { readonly platformId: string; readonly record: ReporterStats }[]
  /** To be added to what is there. */
  readonly endorsements: readonly Endorsement[]
  readonly events: readonly NamedEvent[]
  readonly snapshots: readonly Snapshot[]
  readonly notifications: readonly Notification[]
  readonly storedResponses: readonly StoredResponse[]
}

export interface EventStore {
  /**
   * Locks, shows, writes what `decide` makes of it, lets `follow` do what comes of that, and commits.
   * `decide` is pure: it may run again.
   */
  ingest<R extends IngestResult>(
    scope: IngestScope,
    decide: (view: IngestView) => R,
    follow?: (within: Store, decided: R) => Promise<void>,
  ): Promise<R>
  find(id: string): Promise<RecordedEvent | null>
  list(agentId: string, query: EventQuery): Promise<Page<RecordedEvent>>
  /** Every event of the agent in the order folded, a part at a time. */
  log(agentId: string): AsyncIterable<readonly RecordedEvent[]>
  /** Held events without a last decision, oldest first. */
  awaitingReview(query: ReviewQuery): Promise<Page<RecordedEvent>>
  /** Events in which a rule found something, held or not, newest first. */
  found(query: ReviewQuery): Promise<Page<RecordedEvent>>
  setReview(event: RecordedEvent): Promise<void>
  /** Writes the chain of events anew, now that one before them counts. */
  setChain(events: readonly RecordedEvent[]): Promise<void>
}

export interface ReviewQuery {
  readonly rule?: string | undefined
  /** Only what no other rule holds. */
  readonly isOnlyRule?: boolean
  readonly agentId?: string | undefined
  readonly reporterId?: string | undefined
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The last event of the page before. */
  readonly position: ReviewPosition | null
  readonly limit: number
}

export interface ReviewPosition {
  readonly createdAt: number
  readonly id: string
}

export function externalKey(name: ExternalName): string {
  return `${name.reporterId} ${name.externalId}`
}

export interface CredentialStore {
  /** Throws, so that the transaction runs again, when its place in the status list was taken. */
  insert(credential: Credential): Promise<void>
  find(id: string): Promise<Credential | null>
  list(agentId: string, query: CredentialQuery): Promise<Page<Credential>>
  /** How many are neither revoked nor expired; counted no further than `max`. */
  countLiving(agentId: string, now: number, max: number): Promise<number>
  /** The status list that new credentials go to, and which of these places in it nobody has. */
  freeIndexes(indexes: readonly number[]): Promise<{ list: number; free: readonly number[] }>
  /** Revokes it; null when it was revoked before. */
  revoke(id: string, revocation: Revocation): Promise<Credential | null>
  /** Revokes what is left of an agent's credentials. */
  revokeAll(agentId: string, revocation: Revocation): Promise<readonly Credential[]>
  /** Revokes an agent's score credentials that claim more than this score. */
  revokeAbove(agentId: string, score: number, by: Revocation): Promise<readonly Credential[]>
  /** The bits that are set in a status list; null when there is no such list. */
  bits(list: number, purpose: StatusPurpose): Promise<readonly number[] | null>
  /** Living credentials signed by another key or as another issuer than this, locked, by id. */
  signedOtherwise(
    than: Pick<Signature, 'issuer' | 'kid'>,
    now: number,
    limit: number,
  ): Promise<readonly Credential[]>
  sign(signatures: readonly { readonly id: string; readonly signature: Signature }[]): Promise<void>
}

export interface Revocation {
  readonly at: number
  readonly reason: string | null
}

export interface CredentialQuery {
  readonly status?: CredentialStatus | undefined
  /** The time that `status` is meant at: the same for every page. */
  readonly asOf: number
  readonly before: string | null
  readonly limit: number
}

export interface SigningKeyRow {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  readonly purpose: string
  /** Ed25519, the `x` of its JWK. */
  readonly publicKey: string
  readonly sealedPrivate: Uint8Array
  readonly createdAt: number
  /** Since when it signs no more; what it signed still holds. */
  readonly retiredAt: number | null
  /** Since when nothing that it signed holds. */
  readonly revokedAt: number | null
}

export interface SigningKeyStore {
  /** Newest first. */
  list(purpose: string): Promise<readonly SigningKeyRow[]>
  /** False when there is one in force. */
  insert(key: SigningKeyRow): Promise<boolean>
  /** Ends the signing of the key in force. */
  retire(purpose: string, at: number): Promise<void>
  /** False when there is no such key, or it was revoked before. */
  revoke(kid: string, at: number): Promise<boolean>
}

export interface NotificationStore {
  /**
   * Writes what there is to tell, and queues it for those who asked to be told. Whoever tells of an
   * agent holds its standing, so that its notices are numbered in the order they are committed.
   */
  insert(notifications: readonly Notification[]): Promise<void>
}

/** How a subscription fares; `delivery/schedule.ts` says what moves it. */
export interface WebhookHealth {
  readonly status: 'active' | 'paused' | 'disabled'
  readonly consecutiveFailures: number
  readonly notBefore: number | null
  readonly changedAt: number | null
  readonly reason: 'failing' | 'gone' | null
}

export interface WebhookRow extends WebhookHealth {
  readonly id: string
  readonly ownerId: string
  readonly url: string
  readonly events: readonly NotificationFilter[]
  /** Null: every agent of the owner. */
  readonly agentIds: readonly string[] | null
  readonly description: string | null
  readonly sealedSecret: Uint8Array
  /** The secret before the last rotation, which signs too until then. */
  readonly sealedPrevious: Uint8Array | null
  readonly previousUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface WebhookStore {
  insert(webhook: WebhookRow): Promise<void>
  find(id: string): Promise<WebhookRow | null>
  /** The subscription, locked until the transaction ends. */
  lock(id: string): Promise<WebhookRow | null>
  list(ownerId: string, before: string | null, limit: number): Promise<Page<WebhookRow>>
  count(ownerId: string): Promise<number>
  update(webhook: WebhookRow): Promise<void>
  /** Nothing more is sent, and its secrets are gone at once. */
  delete(id: string, now: number): Promise<void>
  /** What waits for its next attempt may be tried now. */
  retryNow(id: string, now: number): Promise<void>
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One attempt as it is kept. */
export interface AttemptRecord {
  readonly at: number
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly responseStart: string
}

/** A notice on its way to a subscription. */
export interface DeliveryRow {
  /** The notice's, `evt_…`. */
  readonly id: string
  readonly number: number
  readonly webhookId: string
  readonly type: string
  readonly agentId: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly status: DeliveryStatus
  /** When it is tried next; null once it is no longer pending. */
  readonly nextAttemptAt: number | null
  readonly attempts: number
  /** The latest attempts, oldest first. */
  readonly log: readonly AttemptRecord[]
  readonly createdAt: number
  readonly finishedAt: number | null
}

export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined
  /** Only those numbered below this. */
  readonly before: number | null
  readonly limit: number
}

/** What was sent to a subscription, for its owner; that it is sent is the delivery's affair. */
export interface DeliveryLogStore {
  list(webhookId: string, query: DeliveryQuery): Promise<Page<DeliveryRow>>
  find(webhookId: string, id: string): Promise<DeliveryRow | null>
  /** Queues a notice for this subscription alone, whatever it asked for; answers its id. */
  insertFor(webhookId: string, notification: DirectNotification): Promise<string>
  /**
   * Queues one again, beside the order of its agent: it waits for no other and holds up none. One
   * that is pending keeps its place, and what is first there may be tried now.
   */
  redeliver(webhookId: string, number: number, now: number): Promise<void>
  /**
   * Queues again, in their order, what failed or was never queued of the notices this subscription
   * asks for, from `since` on; at most `limit`, and answers how many.
   */
  resend(webhook: WebhookRow, since: number, now: number, limit: number): Promise<number>
}

/** Somebody who follows an owner's notices as they come. */
export interface ListenerRow {
  readonly id: string
  readonly ownerId: string
  readonly events: readonly NotificationFilter[]
  readonly agentIds: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NotificationRow {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly position: NotificationPosition
}

/** Behind a notice: its transaction, its number, and when it was written. */
export type NotificationPosition = readonly [transaction: number, number: number, createdAt: number]

export interface ListenerStore {
  /** Adds one that hears what is committed from now on; of the owner's the newest `max` stay. */
  insert(listener: ListenerRow, max: number): Promise<void>
  find(id: string): Promise<ListenerRow | null>
  extend(id: string, expiresAt: number): Promise<void>
  /** What it was told after a position, or ever, oldest first; nothing is ever passed over. */
  notifications(
    listener: ListenerRow,
    after: NotificationPosition | null,
    limit: number,
  ): Promise<readonly NotificationRow[]>
}

export interface DirectNotification {
  readonly ownerId: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface AuditRow {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

/** An entry with its place in the chain. */
export interface ChainedRow extends AuditRow {
  /** 1, 2, 3… without a gap. */
  readonly number: number
  /** SHA-256 of the hash before and of the entry, in hex. */
  readonly hash: string
}

export interface AuditStore {
  /** Only within a transaction: entries are chained one behind the other. */
  insert(rows: readonly AuditRow[]): Promise<void>
  /** The chain from behind the entry numbered `after` on. */
  chain(after: number, limit: number): Promise<readonly ChainedRow[]>
  list(before: number | null, limit: number): Promise<Page<ChainedRow>>
}

export interface InstallationStore {
  get(name: string): Promise<string | null>
  /** Sets a value that was not there; false when it was. */
  claim(name: string, value: string): Promise<boolean>
}

/** Answers are kept for a day: longer than any client goes on repeating itself. */
export const STORED_RESPONSE_TTL_MS = 24 * 3_600_000

/** A response kept for a repeated request: `sealed` is encrypted, the rest are hashes. */
export interface StoredResponse {
  readonly scope: Uint8Array
  readonly fingerprint: Uint8Array
  readonly sealed: Uint8Array
  readonly expiresAt: number
}

export interface IdempotencyStore {
  /** Holds the key until the transaction ends: what is kept under it, or `busy` when it is held. */
  reserve(scope: Uint8Array, now: number): Promise<StoredResponse | 'busy' | null>
  store(response: StoredResponse): Promise<void>
  /** Forgets some of what has expired; how many, and 0 once none is left. */
  sweep(now: number): Promise<number>
}

/** What one account asks of its quota. */
export interface QuotaRequest {
  /** A keyed hash: the database does not learn addresses. */
  readonly account: Uint8Array
  readonly quota: number
  /** Where less than this is left, nothing is granted. */
  readonly need: number
  /** As much of this as is left is granted. */
  readonly want: number
}

export interface QuotaGrant {
  readonly account: Uint8Array
  readonly startedAt: number
  /** Units of the window that are given out, these included. */
  readonly used: number
  readonly granted: number
}

/** Counts units against the quotas of accounts, for all nodes together. */
export interface QuotaStore {
  /** Grants what each account (named once) asks, as far as its window has it: one statement. */
  reserve(
    kind: QuotaKind,
    window: QuotaWindow,
    asks: readonly QuotaRequest[],
  ): Promise<readonly QuotaGrant[]>
  /** Returns units that were granted and not used; those of a window that is over are gone. */
  release(
    kind: QuotaKind,
    units: readonly {
      readonly account: Uint8Array
      readonly startedAt: number
      readonly units: number
    }[],
  ): Promise<void>
  /** Forgets the windows that began before. */
  sweep(kind: QuotaKind, before: number): Promise<void>
}

/** Tells a node what other nodes have changed, so that it may remember what it read. */
export interface ChangeFeed {
  /** Whether changes are heard just now; while they are not, what is remembered soon is stale. */
  isConnected(): boolean
  subscribe(listener: ChangeListener): void
}

export interface ChangeListener {
  /** The rights of these (agents, platforms, owners) changed: a status, a tier, a key, a password. */
  callersChanged(ids: readonly string[]): void
  /** The standings of these agents changed. */
  scoresChanged(agentIds: readonly string[]): void
  /** Something may have changed unheard. */
  missed(): void
}
