import type { QuotaKind, QuotaWindow } from '../domain/limits.ts'

/** A request for units of one account's quota. */
export interface QuotaRequest {
  /** A keyed hash: the database does not learn addresses. */
  readonly account: Uint8Array
  readonly quota: number
  /** Where less than this is left, nothing is granted. */
  readonly need: number
  /** As much of this as is left is granted. */
  readonly want: number
}

export interface QuotaGrant {
  readonly account: Uint8Array
  readonly startedAt: number
  /** Units of the window that are granted, these included. */
  readonly used: number
  readonly granted: number
}

export interface ReleasedUnits {
  readonly account: Uint8Array
  readonly startedAt: number
  readonly units: number
}

/** Counts units against the quotas of accounts, for all nodes together. */
export interface QuotaStore {
  /** Grants each account (named once) what it requests, as far as its window has it. */
  reserve(
    kind: QuotaKind,
    window: QuotaWindow,
    requests: readonly QuotaRequest[],
  ): Promise<readonly QuotaGrant[]>
  /** Returns units that were granted and not used. Those of an earlier window are lost. */
  release(kind: QuotaKind, units: readonly ReleasedUnits[]): Promise<void>
}
