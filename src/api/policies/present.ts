import type { Policy } from '../../domain/policy.ts'
import type { PolicyRow } from '../../store/store.ts'
import { time } from '../wire.ts'

export function presentPolicy({ name, policy, createdAt, updatedAt }: PolicyRow) {
  return { name, ...policy, createdAt: time(createdAt), updatedAt: time(updatedAt) }
}

export function presentApplied(name: string | null, policy: Policy) {
  return { name, ...policy }
}
