import type { AgentStatus } from '../domain/agent.ts'
import type { ServiceTier } from '../domain/limits.ts'
import type { Scope } from '../domain/permission.ts'
import type { OwnerStatus } from './owners.ts'
import type { PlatformRow } from './platforms.ts'
import type { Groups, Many, Rows } from './rows.ts'

export type KeyKind = 'agent' | 'owner' | 'platform' | 'operator'

export interface KeyRow {
  /** SHA-256 of the key. */
  readonly hash: Uint8Array
  readonly kind: KeyKind
  readonly principalId: string
  readonly createdAt: number
  readonly expiresAt: number | null
  /** At most a minute late; null for never. Not recorded of a key of an account, which has a row of its own. */
  readonly lastUsedAt: number | null
}

/** The holder of a key, with all that authentication needs. */
export type KeyHolder =
  | {
      readonly kind: 'agent'
      readonly agentId: string
      readonly ownerId: string
      readonly ownerStatus: OwnerStatus
      readonly tier: ServiceTier
      readonly status: AgentStatus
      readonly expiresAt: number | null
    }
  | {
      readonly kind: 'owner'
      readonly keyId: string
      readonly ownerId: string
      readonly ownerStatus: OwnerStatus
      readonly tier: ServiceTier
      readonly scopes: readonly Scope[]
      readonly expiresAt: number | null
    }
  | {
      readonly kind: 'platform'
      readonly platform: PlatformRow
      readonly expiresAt: number | null
    }
  | { readonly kind: 'operator'; readonly operatorId: string; readonly expiresAt: number | null }

/**
 * What has the time of its last use stored: a key of an agent, a platform or an operator, by its hash in base64; an
 * operator, by any key; a key of an account, and a session.
 */
export type UsedKind = 'key' | 'operator' | 'owner' | 'session'

/**
 * A key that is deleted ends at once, and no record of it and of its use is left. `findMany` gives the keys of each
 * holder, the newest first, with those that have ended and are not swept yet.
 */
export interface KeyStore
  extends Pick<Rows<KeyRow, Pick<KeyRow, 'hash'>>, 'insert' | 'save'>,
    Pick<Groups<KeyRow, Pick<KeyRow, 'principalId'>>, 'deleteAll'>,
    Many<readonly KeyRow[]> {
  /** The holder of each key, in the order of the hashes; null for a key that does not exist. */
  holders(hashes: readonly Uint8Array[]): Promise<readonly (KeyHolder | null)[]>
  /** Lets the holder's keys expire at `at`, except for those that expire sooner. */
  expire(principalId: string, at: number): Promise<void>
  /** Records the last use of each id; an earlier time than the stored one changes nothing. */
  recordUse(kind: UsedKind, uses: ReadonlyMap<string, number>): Promise<void>
}
