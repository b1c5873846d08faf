import { call } from './client.ts'
import { pagesAt } from './pages.ts'
import type { Operator, OperatorWithKey, RotatedKey } from './types.ts'

export const listOperators = pagesAt<Operator>('/v1/operator/operators')

export function createOperator(name: string): Promise<OperatorWithKey> {
  return call('POST', '/v1/operator/operators', { body: { name } })
}

export function rotateOperatorKey(name: string, overlapSeconds: number): Promise<RotatedKey> {
  const path = `/v1/operator/operators/${encodeURIComponent(name)}/rotate-key`
  return call('POST', path, { body: { overlapSeconds } })
}

export function revokeOperator(name: string): Promise<Operator> {
  return call('DELETE', `/v1/operator/operators/${encodeURIComponent(name)}`)
}
