import type { ServiceTier } from '../domain/limits.ts'
import type { FindOptions, Page } from './types.ts'

/**
 * The operator suspends an account: none of its credentials works until it is active again. Of an erased
 * one only the id, the tier and the agents' scores are left.
 */
export type OwnerStatus = 'active' | 'suspended' | 'erased'

/** An account. Its e-mail is that of the member who opened it. */
export interface OwnerRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly tier: ServiceTier
  readonly status: OwnerStatus
  readonly createdAt: number
}

export interface OwnerStore {
  /** False when the e-mail is taken. */
  insert(owner: OwnerRow): Promise<boolean>
  find(id: string, options?: FindOptions): Promise<OwnerRow | null>
  /** Newest first. */
  list(before: string | null, limit: number): Promise<Page<OwnerRow>>
  /** Changes the given fields. */
  update(id: string, change: OwnerChange): Promise<OwnerRow | null>
}

export interface OwnerChange {
  readonly tier?: ServiceTier | undefined
  readonly status?: OwnerStatus | undefined
}
