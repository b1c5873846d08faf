import type { Scope } from '../domain/permission.ts'
import type { Page } from './types.ts'

/** A named API key of an account, without the key. */
export interface OwnerKeyRow {
  readonly id: string
  readonly ownerId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The member who created it. */
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface OwnerKeyStore {
  insert(key: OwnerKeyRow): Promise<void>
  /** Those that exist, in any order. */
  find(ids: readonly string[]): Promise<readonly OwnerKeyRow[]>
  /** Newest first. */
  list(ownerId: string, before: string | null, limit: number): Promise<Page<OwnerKeyRow>>
  /** How many are neither revoked nor expired. */
  countActive(ownerId: string, now: number): Promise<number>
  /** Null when it was revoked before. */
  revoke(id: string, at: number): Promise<OwnerKeyRow | null>
}
