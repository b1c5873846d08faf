import type { RecordedEvent } from '../domain/agent.ts'
import type { HourCount } from '../domain/limits.ts'
import type { Notification } from '../domain/notification.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { Endorsement } from '../fraud/endorsements.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type { WorkStats } from '../fraud/work-stats.ts'
import type { AgentState } from './agent-states.ts'
import type { NewDelegationTask } from './delegation-tasks.ts'
import type { ReportKey, ReportResponse, StoredResponse } from './idempotency.ts'
import type { Store } from './store.ts'

/**
 * Stores events in one transaction: locks and reads what they touch, writes what `decide` makes of
 * it, lets `follow` do the rest, and commits. `decide` is pure: it may run again.
 *
 * @throws NotTogether where the agents are in several parts (see `Batching`) and nothing was written
 */
export type IngestEvents = <R extends IngestResult>(
  scope: IngestScope,
  decide: (view: IngestView) => R,
  follow?: Follow<R>,
) => Promise<R>

/** What is done in the transaction besides writing the result. */
export interface Follow<R> {
  isNeeded(decided: R): boolean
  run(within: Store, decided: R): Promise<void>
}

/** What the events of one transaction touch. */
export interface IngestScope {
  readonly agentIds: readonly string[]
  /** Platforms whose events of the hour are counted. */
  readonly platformIds: readonly string[]
  readonly externalIds: readonly ExternalName[]
  /** Platforms whose statistics as reporters are read and written. */
  readonly reporterIds: readonly string[]
  /** Whether one of them is not verified: only its weight depends on how many platforms are established. */
  readonly needsEstablished: boolean
  /** Owners whose platforms report, and on which agents. */
  readonly endorsers: readonly { readonly ownerId: string; readonly agentId: string }[]
  /** Kinds of work whose statistics are read and written. */
  readonly workKinds: readonly string[]
  /** Credentials that the events name. */
  readonly credentialIds: readonly string[]
  /** The Idempotency-Keys of the reports. */
  readonly reportKeys: readonly ReportKey[]
  /** Leaves agents that another transaction has locked to `lockedElsewhere`, and does not wait. */
  readonly skipsLocked?: boolean
}

export interface ExternalName {
  readonly reporterId: string
  readonly agentId: string
  readonly externalId: string
}

/** The key of an external name in `IngestView.known`. */
export function externalKey({ reporterId, agentId, externalId }: ExternalName): string {
  return `${reporterId} ${agentId} ${externalId}`
}

/** What the store has about the scope, locked where it will be written. */
export interface IngestView {
  /** Whether an earlier decision created this state and nothing else uses it: it is then changed in place. */
  readonly isOwned?: (state: AgentState) => boolean
  readonly agentStates: ReadonlyMap<string, AgentState>
  /** Agents that another transaction has locked. */
  readonly lockedElsewhere: ReadonlySet<string>
  readonly platformHours: ReadonlyMap<string, HourCount>
  readonly reporters: ReadonlyMap<string, ReporterStats>
  /** Established platforms of the installation, counted up to `ESTABLISHED.installationMin`; 0 where the scope does not
   *  need them. */
  readonly establishedPlatforms: number
  readonly works: ReadonlyMap<string, WorkStats>
  /** Those of the credentials that are not revoked. */
  readonly credentials: ReadonlyMap<string, NamedCredential>
  /** Which of `endorsers` and of the agents' owners reported on each other's agents. */
  readonly endorsements: readonly Endorsement[]
  /** Events that have one of the external names, by `externalKey`. */
  readonly known: ReadonlyMap<string, KnownEvent>
  /** By the scope in hex; `busy` where another request uses the key at this moment. */
  readonly storedResponses: ReadonlyMap<string, StoredResponse | 'busy'>
  /** The owners of these agents who have a webhook or a listener. */
  readonly ownersWithSubscribers: ReadonlySet<string>
}

/** The fields of a credential that an event naming it is checked against. */
export interface NamedCredential {
  readonly agentId: string
  readonly type: string
  /** Null where it does not expire. */
  readonly expiresAt: number | null
}

/** A recorded event that has an external name, and a digest of its content. */
export interface KnownEvent {
  readonly event: RecordedEvent
  readonly digest: Uint8Array
}

/** An event with its external name and a digest of its content. */
export interface NamedEvent {
  readonly event: RecordedEvent
  readonly name: string | null
  readonly digest: Uint8Array | null
}

/** What is written, all of it or nothing. On a cluster, agents, platforms and other accounts lie on different servers. */
export interface IngestResult extends AgentWrites, PlatformWrites, FollowUpWrites {}

/** What lies with the agents. */
export interface AgentWrites {
  readonly agentStates: readonly AgentState[]
  readonly events: readonly NamedEvent[]
  readonly snapshots: readonly Snapshot[]
  readonly storedResponses: readonly ReportResponse[]
}

/** What is counted and learnt of platforms. */
export interface PlatformWrites {
  readonly platformHours: readonly { readonly platformId: string; readonly hour: HourCount }[]
  readonly reporters: readonly { readonly platformId: string; readonly record: ReporterStats }[]
  readonly works: readonly { readonly kind: string; readonly stats: WorkStats }[]
  /** To be added to those stored. */
  readonly endorsements: readonly Endorsement[]
}

/** What is sent and done because of it after the commit. */
export interface FollowUpWrites {
  readonly notifications: readonly Notification[]
  /** Tasks for the parents, children and other agents in reserve of these agents. */
  readonly delegated: readonly NewDelegationTask[]
}
