import type { Scope } from '../domain/permission.ts'
import type { ById, Listed, Many, Rows } from './rows.ts'

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

export type OwnerKeyKey = ById & Partial<Pick<OwnerKeyRow, 'revokedAt'>>

export interface OwnerKeyStore
  extends Pick<Rows<OwnerKeyRow, OwnerKeyKey>, 'insert' | 'find' | 'update'>,
    Many<OwnerKeyRow>,
    Listed<OwnerKeyRow, string> {
  /** How many are neither revoked nor expired. */
  countActive(ownerId: string, now: number): Promise<number>
}
