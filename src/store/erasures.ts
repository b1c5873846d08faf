import type { Rows, Waiting } from './rows.ts'

export type ErasureKind = 'owner' | 'agent'

/** An erasure that was requested. Its work is done in parts, by any node. */
export interface Erasure {
  /** The owner or the agent. */
  readonly subjectId: string
  readonly kind: ErasureKind
  readonly ownerId: string
  /** Ids that audit entries name: the owner's people, keys, invitations and webhooks. */
  readonly relatedIds: readonly string[]
  readonly createdAt: number
  /** Null while there is work left. */
  readonly finishedAt: number | null
}

/** Erasures, and the removal of personal data, table by table. Every method may run again after a crash. */
export interface ErasureStore
  extends Pick<Rows<Erasure, Pick<Erasure, 'subjectId'>>, 'insert' | 'find' | 'update'>,
    Waiting<Erasure> {
  /**
   * Ends and removes what belongs to the account itself: people, sign-ins, keys, invitations, webhooks, watches,
   * policies, mails, and the e-mail and name of the owner; of a test account its test platforms too. Returns the ids
   * that audit entries may name.
   */
  eraseAccount(ownerId: string, now: number): Promise<readonly string[]>
  /** An agent of the owner that is not erased yet; it is not locked. */
  nextAgent(ownerId: string): Promise<string | null>
  /** Removes name, metadata, profile, keys, identifiers, and the claims of credentials, which stay revoked. */
  eraseAgent(agentId: string, now: number): Promise<void>
  /**
   * Removes at most `limit` notifications for an account, or about an agent for any account, with their deliveries,
   * unsent ones too. How many; 0 when none is left.
   */
  eraseNotifications(of: NotificationsOf, limit: number): Promise<number>
  /**
   * Removes details and client addresses from audit entries numbered above `after` that are by or about
   * these ids or agents. The number to go on after; null at the end of the log.
   */
  eraseAudit(about: ErasedNames, after: number, limit: number): Promise<number | null>
}

export type NotificationsOf = { readonly ownerId: string } | { readonly agentId: string }

export interface ErasedNames {
  readonly ids: readonly string[]
  /** Entries about their events and credentials are erased too. */
  readonly agentIds: readonly string[]
}
