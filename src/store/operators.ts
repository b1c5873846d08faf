import type { FindOptions } from './types.ts'

/** A named operator, without the key. */
export interface OperatorRow {
  readonly id: string
  /** Unique among those that are not revoked. */
  readonly name: string
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface OperatorStore {
  /** False when an active operator has the name. */
  insert(operator: OperatorRow): Promise<boolean>
  /** All, newest first, revoked ones included. */
  list(options?: FindOptions): Promise<readonly OperatorRow[]>
  /** False where the operator has been revoked already. */
  revoke(id: string, at: number): Promise<boolean>
}
