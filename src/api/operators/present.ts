import type { KeyRow, OperatorRow } from '../../store/store.ts'
import { presentKeys } from '../key-records.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentOperator(operator: OperatorRow, keys: readonly KeyRow[]) {
  const { id, name, createdAt, revokedAt, lastUsedAt } = operator
  return {
    id,
    name,
    status: revokedAt === null ? 'active' : 'revoked',
    createdAt: time(createdAt),
    revokedAt: timeOrNull(revokedAt),
    lastUsedAt: timeOrNull(lastUsedAt),
    apiKeys: presentKeys(keys),
  }
}
