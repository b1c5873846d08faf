import { call } from './client.ts'
import { type LoadPage, pagesAt } from './pages.ts'
import type { Credential, Tier, Verification } from './types.ts'

export function listCredentials(agentId: string): LoadPage<Credential> {
  return pagesAt('/v1/credentials', { agentId })
}

export function issueCredential(body: {
  readonly agentId: string
  readonly type: string
  readonly claims: unknown
  readonly expiresAt: string | null
}): Promise<Credential> {
  return call('POST', '/v1/credentials', { body })
}

/** The service itself says that the score is at least of a tier. */
export function issueScoreCredential(agentId: string, atLeast: Tier): Promise<Credential> {
  return call('POST', `/v1/agents/${agentId}/score/credential`, { body: { atLeast } })
}

export function revokeCredential(id: string, keepalive: boolean): Promise<Credential> {
  return call('DELETE', `/v1/credentials/${id}`, { keepalive })
}

export function verifyCredential(id: string): Promise<Verification> {
  return call('POST', `/v1/credentials/${id}/verify`)
}
