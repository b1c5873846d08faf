import type { Scope } from '../domain/permission.ts'
import type { ById, Counted, Listed, Many, Rows } from './rows.ts'

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

/** The keys of an account that are neither revoked nor, at this time, expired. */
export interface KeysOf {
  readonly ownerId: string
  readonly at: number
}

export type OwnerKeyStore = Pick<Rows<OwnerKeyRow, OwnerKeyKey>, 'insert' | 'find' | 'update'> &
  Many<OwnerKeyRow> &
  Counted<KeysOf> &
  Listed<OwnerKeyRow, string>
