import { call } from './client.ts'
import type { Operator, OperatorWithKey, RotatedKey } from './types.ts'

export function listOperators(
  signal: AbortSignal,
): Promise<{ readonly data: readonly Operator[] }> {
  return call('GET', '/v1/operator/operators', { signal })
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
