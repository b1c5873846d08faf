import type { Policy } from '../domain/policy.ts'
import type { Listed, Rows } from './rows.ts'

/** Whose policies: an owner's, which the owner's agents use too, or a platform's. */
export type PolicyHolder = string

export interface PolicyRow {
  readonly holder: PolicyHolder
  readonly name: string
  readonly policy: Policy
  readonly createdAt: number
  readonly updatedAt: number
}

export type PolicyKey = Pick<PolicyRow, 'holder' | 'name'>

/** Policies, listed in the order of their names. */
export type PolicyStore = Pick<Rows<PolicyRow, PolicyKey>, 'save' | 'find' | 'delete'> &
  Listed<PolicyRow, PolicyHolder>
