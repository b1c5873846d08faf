import type { OperatorKey, OperatorRow } from '../operators.ts'
import { rowStore } from './row-store.ts'
import { tableOf } from './table.ts'

const OPERATORS = tableOf<OperatorRow>('operators', {
  id: 'id',
  name: 'name',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  lastUsedAt: 'last_used_at',
})

export const operatorStore = rowStore<OperatorRow, OperatorKey>(OPERATORS, {
  expectsDuplicates: true,
  order: 'id desc',
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})
