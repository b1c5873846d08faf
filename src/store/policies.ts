import type { Policy } from '../domain/policy.ts'
import type { Page } from './types.ts'

/** Whose policies: an owner's, which the owner's agents use too, or a platform's. */
export type PolicyHolder = string

export interface PolicyRow {
  readonly holder: PolicyHolder
  readonly name: string
  readonly policy: Policy
  readonly createdAt: number
  readonly updatedAt: number
}

export interface PolicyStore {
  find(holder: PolicyHolder, name: string): Promise<PolicyRow | null>
  /** In the order of their names. */
  list(holder: PolicyHolder, after: string | null, limit: number): Promise<Page<PolicyRow>>
  /** Whether it is new. */
  save(row: PolicyRow): Promise<boolean>
  /** Whether there was one. */
  delete(holder: PolicyHolder, name: string): Promise<boolean>
}
