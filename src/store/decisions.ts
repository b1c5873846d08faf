import type { Verdict } from '../domain/policy.ts'
import type { Inserted, Listed } from './rows.ts'

/** Where a decision was asked for: `POST /v1/decisions`, AuthZEN, or the gate of a proxy. */
export const DECISION_APIS = ['api', 'authzen', 'gate'] as const
export type DecisionApi = (typeof DECISION_APIS)[number]

/** A decision that a platform asked for. */
export interface DecisionRow {
  readonly id: string
  readonly platformId: string
  readonly createdAt: number
  readonly via: DecisionApi
  readonly agentId: string | null
  /** The id or name that was asked about, where it led to no agent. */
  readonly identifier: string | null
  readonly action: string | null
  readonly verdict: Verdict
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
  readonly score: number | null
  /** Under which name the policy was stored; null for one that was not. */
  readonly policy: string | null
}

/** How many of a platform's decisions are kept: enough to look back over, and few rows to write. */
export const DECISIONS_MAX = 1_000

/** Decisions by the platforms that asked for them. With those that are inserted, each has at most `DECISIONS_MAX`. */
export type DecisionStore = Inserted<DecisionRow> & Listed<DecisionRow, string>
