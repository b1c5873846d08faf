import type { ById, Groups, Rows } from './rows.ts'

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

/** Operators, the newest first. */
export type OperatorStore = Pick<Rows<OperatorRow, OperatorKey>, 'insert' | 'update'> &
  Pick<Groups<OperatorRow, Partial<Pick<OperatorRow, 'revokedAt'>>>, 'findAll'>
