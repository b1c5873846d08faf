import { call } from './client.ts'
import type { Operator, OperatorWithKey, Page, RotatedKey } from './types.ts'

export function listOperators(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Operator>> {
  return call('GET', '/v1/operator/operators', { query: { cursor }, signal })
}

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
