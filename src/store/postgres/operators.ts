import type { OperatorKey, OperatorRow, OperatorStore } from '../operators.ts'
import { rowStore } from './row-store.ts'
import { locking } from './rows.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const OPERATORS = tableOf<OperatorRow>('operators', {
  id: 'id',
  name: 'name',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  lastUsedAt: 'last_used_at',
})

const rowsIn = rowStore<OperatorRow, OperatorKey>(OPERATORS, {
  unique: '(name) where revoked_at is null',
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function operatorStore(session: Session): OperatorStore {
  const { all } = readerOf(session.sql, OPERATORS)
  return {
    ...rowsIn(session),
    list: (options) =>
      all(`select ${OPERATORS.columns} from operators order by id desc ${locking(options)}`),
  }
}
