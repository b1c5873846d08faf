import type { Inserted, Listed } from './rows.ts'

export interface AuditRow {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

/** An entry with its place in the chain. */
export interface ChainedRow extends AuditRow {
  /** 1, 2, 3… without a gap. */
  readonly number: number
  /** SHA-256, in hex, of the hash before it and of the entry. */
  readonly hash: string
  /** SHA-256, in hex, of the salt, the actor's id and the details, which an erasure removes. */
  readonly commitment: string
  /** Null where the entry was erased: only the commitment is left. */
  readonly salt: string | null
}

/** The oldest entries were removed, up to this one. */
export interface AuditCheckpoint {
  readonly number: number
  readonly hash: string
}

/** Entries, listed by their numbers. They are inserted in a transaction: each names the hash of the one before it. */
export interface AuditStore
  extends Inserted<AuditRow>,
    Listed<ChainedRow, 'newestFirst' | 'oldestFirst', number> {
  /**
   * Only within a transaction: removes the oldest entries before a time, but not the last one. How many, and
   * where the rest of the chain begins; null where none was removed.
   */
  prune(
    before: number,
    limit: number,
  ): Promise<{ readonly removed: number; readonly checkpoint: AuditCheckpoint | null }>
}
