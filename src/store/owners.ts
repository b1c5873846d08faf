import type { ServiceTier } from '../domain/limits.ts'
import type { Mode } from '../domain/mode.ts'
import type { ById, Listed, Rows } from './rows.ts'

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

/** Accounts. No two have the same e-mail. */
export type OwnerStore = Pick<Rows<OwnerRow, ById>, 'insert' | 'find' | 'update'> &
  Listed<OwnerRow, Mode>
