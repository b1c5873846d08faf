import type { Agent } from '../../domain/agent.ts'
import { modeOf } from '../../domain/mode.ts'
import type { KeyRow } from '../../store/store.ts'
import { presentKeyFields } from '../key-records.ts'
import { time } from '../wire.ts'

export function presentAgent(agent: Agent, keys: readonly KeyRow[]) {
  const { id, ownerId, displayName, metadata, status, hasPublicProfile: publicProfile } = agent
  const { parentId, predecessorId, successorId } = agent
  return {
    id,
    ownerId,
    displayName,
    metadata,
    publicProfile,
    status,
    parentId,
    predecessorId,
    successorId,
    mode: modeOf(id),
    ...presentKeyFields(keys),
    createdAt: time(agent.createdAt),
    updatedAt: time(agent.updatedAt),
  }
}

export function presentPublicAgent({ id, displayName, status, parentId, createdAt }: Agent) {
  return { id, displayName, status, parentId, createdAt: time(createdAt) }
}

export function presentRotatedKey(rotated: {
  readonly apiKey: string
  readonly previousKeyExpiresAt: number
}) {
  const { apiKey, previousKeyExpiresAt } = rotated
  return { apiKey, previousKeyExpiresAt: time(previousKeyExpiresAt) }
}
