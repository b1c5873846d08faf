import type { Dimension } from '../core/events.ts'
import type { Evidence } from '../core/evidence.ts'
import type { HourCount, QuotaKind, QuotaWindow, ServiceTier } from '../core/limits.ts'
import type { Notice } from '../core/notices.ts'
import type { Agent, AgentStatus, RecordedEvent, Trigger } from '../core/record.ts'
import type { Habits } from '../fraud/habits.ts'

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
  readonly events: EventStore
  readonly scores: ScoreStore
  readonly signingKeys: SigningKeyStore
  readonly notices: NoticeStore
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
  override readonly name = 'StoreUnavailable'
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
  insert(agent: Agent, standing: Standing): Promise<void>
  find(id: string): Promise<Agent | null>
  list(ownerId: string, before: string | null, limit: number): Promise<Page<Agent>>
  countNotDeactivated(ownerId: string): Promise<number>
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
}

export interface PlatformRow {
  readonly id: string
  readonly name: string
  readonly tier: ServiceTier
  readonly status: 'active' | 'suspended'
  readonly publicKey: string | null
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

/** Where an agent stands: all that is needed to judge, fold and grade its next event. */
export interface Standing {
  readonly agentId: string
  readonly ownerId: string
  readonly status: AgentStatus
  readonly evidence: Evidence
  readonly habits: Habits
  /** The score last told. */
  readonly score: number
  readonly snapshots: number
  readonly seq: number
  /** The last hash of the chain of its counted events. */
  readonly chain: Uint8Array
  readonly quarantined: number
  readonly hour: HourCount
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
  find(agentId: string): Promise<Standing | null>
  /** The standing, locked until the transaction ends. */
  lock(agentId: string): Promise<Standing | null>
  findMany(agentIds: readonly string[]): Promise<ReadonlyMap<string, Standing>>
  history(agentId: string, query: HistoryQuery): Promise<Page<Snapshot>>
  save(standing: Standing): Promise<void>
  snapshot(agentId: string, id: string): Promise<Snapshot | null>
  /** The ids of all agents, in their order, a part at a time. */
  agentIds(): AsyncIterable<readonly string[]>
  /** Replaces the snapshots numbered above `after`. */
  replaceSnapshots(agentId: string, after: number, by: readonly Snapshot[]): Promise<void>
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
  readonly keptScopes: readonly Uint8Array[]
}

export interface ExternalName {
  readonly reporterId: string
  readonly externalId: string
}

/** What stands in the database about them, locked where it will be written. */
export interface IngestView {
  readonly standings: ReadonlyMap<string, Standing>
  readonly platformHours: ReadonlyMap<string, HourCount>
  /** Events that carry one of the external ids, by `externalKey`. */
  readonly known: ReadonlyMap<
    string,
    { readonly event: RecordedEvent; readonly digest: Uint8Array }
  >
  /** Kept responses, by the scope in hex; `busy` where another request holds the key just now. */
  readonly kept: ReadonlyMap<string, KeptResponse | 'busy'>
}

/** What is to be written, all of it or nothing. */
export interface IngestResult {
  readonly standings: readonly Standing[]
  readonly platformHours: readonly { readonly platformId: string; readonly hour: HourCount }[]
  readonly events: readonly { readonly event: RecordedEvent; readonly digest: Uint8Array | null }[]
  readonly snapshots: readonly Snapshot[]
  readonly notices: readonly Notice[]
  readonly kept: readonly KeptResponse[]
}

export interface EventStore {
  /** Locks, shows, writes what `decide` makes of it, and commits. `decide` is pure: it may run again. */
  ingest<R extends IngestResult>(scope: IngestScope, decide: (view: IngestView) => R): Promise<R>
  find(id: string): Promise<RecordedEvent | null>
  list(agentId: string, query: EventQuery): Promise<Page<RecordedEvent>>
  /** Every event of the agent in the order folded, a part at a time. */
  log(agentId: string): AsyncIterable<readonly RecordedEvent[]>
  awaitingReview(after: ReviewPosition | null, limit: number): Promise<Page<RecordedEvent>>
  setReview(event: RecordedEvent): Promise<void>
  /** Writes the chain of events anew, now that one before them counts. */
  setChain(events: readonly RecordedEvent[]): Promise<void>
}

export interface ReviewPosition {
  readonly createdAt: number
  readonly id: string
}

export function externalKey(name: ExternalName): string {
  return `${name.reporterId} ${name.externalId}`
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
}

export interface SigningKeyStore {
  /** Newest first. */
  list(purpose: string): Promise<readonly SigningKeyRow[]>
  /** False when there is one in force. */
  insert(key: SigningKeyRow): Promise<boolean>
}

export interface NoticeStore {
  /** Writes what there is to tell, for those who asked to be told. */
  insert(notices: readonly Notice[]): Promise<void>
}

export interface AuditRow {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface AuditStore {
  insert(row: AuditRow): Promise<void>
  list(before: string | null, limit: number): Promise<Page<AuditRow>>
}

export interface InstallationStore {
  get(name: string): Promise<string | null>
  /** Sets a value that was not there; false when it was. */
  claim(name: string, value: string): Promise<boolean>
}

/** A response kept for a repeated request: `sealed` is encrypted, the rest are hashes. */
export interface KeptResponse {
  readonly scope: Uint8Array
  readonly fingerprint: Uint8Array
  readonly sealed: Uint8Array
  readonly expiresAt: number
}

export interface IdempotencyStore {
  /** Holds the key until the transaction ends: what is kept under it, or `busy` when it is held. */
  hold(scope: Uint8Array, now: number): Promise<KeptResponse | 'busy' | null>
  keep(response: KeptResponse): Promise<void>
  /** Forgets what has expired; how many. */
  sweep(now: number): Promise<number>
}

/** What one account asks of its quota. */
export interface QuotaAsk {
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
  take(
    kind: QuotaKind,
    window: QuotaWindow,
    asks: readonly QuotaAsk[],
  ): Promise<readonly QuotaGrant[]>
  /** Returns units that were granted and not used; those of a window that is over are gone. */
  giveBack(
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
  isHeard(): boolean
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
