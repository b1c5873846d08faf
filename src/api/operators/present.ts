import type { OperatorRow } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentOperator(operator: OperatorRow) {
  const { id, name, createdAt, revokedAt, lastUsedAt } = operator
  return {
    id,
    name,
    status: revokedAt === null ? 'active' : 'revoked',
    createdAt: time(createdAt),
    revokedAt: timeOrNull(revokedAt),
    lastUsedAt: timeOrNull(lastUsedAt),
  }
}
