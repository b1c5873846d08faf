import type { WatchRow } from '../../store/store.ts'
import { time } from '../wire.ts'

export function presentWatch({ agentId, createdAt }: WatchRow) {
  return { agentId, createdAt: time(createdAt) }
}
