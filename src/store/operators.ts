import type { ById, Rows } from './rows.ts'
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

export type OperatorKey = ById & Partial<Pick<OperatorRow, 'revokedAt'>>

export interface OperatorStore extends Pick<Rows<OperatorRow, OperatorKey>, 'insert' | 'update'> {
  /** All, newest first, revoked ones included. */
  list(options?: FindOptions): Promise<readonly OperatorRow[]>
}
