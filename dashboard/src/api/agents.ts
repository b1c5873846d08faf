import { call } from './client.ts'
import { PAGE_MAX } from './limits.ts'
import { pagesAt } from './pages.ts'
import type { Agent, AgentWithKey, Page, RotatedKey } from './types.ts'

export const listAgents = pagesAt<Agent>('/v1/agents', { limit: PAGE_MAX })

/** Those that act for an agent: a hundred at most, which are one page. */
export function listActors(parentId: string, signal: AbortSignal): Promise<Page<Agent>> {
  return call('GET', '/v1/agents', { query: { parentId, limit: PAGE_MAX }, signal })
}

export function getAgent(id: string, signal: AbortSignal): Promise<Agent> {
  return call('GET', `/v1/agents/${id}`, { signal })
}

export function registerAgent(displayName: string, parentId?: string): Promise<AgentWithKey> {
  return call('POST', '/v1/agents', { body: { displayName, parentId } })
}

export function updateAgent(
  id: string,
  body: {
    readonly displayName?: string
    readonly metadata?: unknown
    readonly publicProfile?: boolean
  },
): Promise<Agent> {
  return call('PATCH', `/v1/agents/${id}`, { body })
}

export function deactivateAgent(id: string): Promise<Agent> {
  return call('DELETE', `/v1/agents/${id}`)
}

export function rotateAgentKey(id: string, overlapSeconds: number): Promise<RotatedKey> {
  return call('POST', `/v1/agents/${id}/rotate-key`, { body: { overlapSeconds } })
}
