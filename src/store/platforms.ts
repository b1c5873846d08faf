import type { ServiceTier } from '../domain/limits.ts'
import type { Mode } from '../domain/mode.ts'
import type { ById, Counted, Groups, Listed, Rows } from './rows.ts'

export interface PlatformRow {
  readonly id: string
  readonly name: string
  readonly tier: ServiceTier
  readonly status: 'active' | 'suspended'
  /** Ed25519, base64url; null where the platform signs nothing. */
  readonly publicKey: string | null
  /** The key before, accepted until it expires. */
  readonly previousKey: { readonly publicKey: string; readonly expiresAt: number } | null
  /** Whether reports without a signature are refused. */
  readonly requireAttestation: boolean
  /** Whether the operator has verified it: then it is established from its first report on. */
  readonly verified: boolean
  /** The owner who runs it, if one does: its reports on that owner's agents are self-reports. */
  readonly ownerId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Those that this owner runs, in the order of their ids. */
export interface PlatformsOf {
  readonly ownerId: string
}

/**
 * Live ones that are not suspended; of them those that are verified, and those established by that or by record,
 * all of one owner as one.
 */
export interface PlatformCounts {
  readonly active: number
  readonly verified: number
  readonly established: number
}

export type PlatformStore = Pick<Rows<PlatformRow, ById>, 'insert' | 'find' | 'update'> &
  Pick<Groups<PlatformRow, PlatformsOf>, 'findAll'> &
  Counted<void, PlatformCounts> &
  Listed<PlatformRow, Mode>
