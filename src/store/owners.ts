import type { ServiceTier } from '../domain/limits.ts'
import type { FindOptions, Page } from './types.ts'

export interface OwnerRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly tier: ServiceTier
  /** Tokens of an earlier epoch are refused. */
  readonly tokenEpoch: number
  readonly createdAt: number
}

export interface OwnerStore {
  /** False when the e-mail is taken. */
  insert(owner: OwnerRow): Promise<boolean>
  find(id: string, options?: FindOptions): Promise<OwnerRow | null>
  findByEmail(email: string): Promise<OwnerRow | null>
  /** Newest first. */
  list(before: string | null, limit: number): Promise<Page<OwnerRow>>
  /** A new password starts a new token epoch, which ends every token issued before. */
  update(id: string, change: OwnerChange): Promise<OwnerRow | null>
}

export type OwnerChange = { readonly tier: ServiceTier } | { readonly passwordHash: string }
