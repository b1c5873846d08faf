import { call } from './client.ts'
import { type LoadPage, pagesAt } from './pages.ts'
import type { Identifier, IdentifierType } from './types.ts'

export function listIdentifiers(agentId: string): LoadPage<Identifier> {
  return pagesAt(`/v1/agents/${agentId}/identifiers`)
}

export function claimIdentifier(
  agentId: string,
  body: { readonly type: IdentifierType; readonly value: string },
): Promise<Identifier> {
  return call('POST', `/v1/agents/${agentId}/identifiers`, { body })
}

/** Without a signature, the service looks for the challenge where it should be published. */
export function verifyIdentifier(
  { agentId, id }: Identifier,
  signature: string | undefined,
): Promise<Identifier> {
  const body = signature === undefined ? {} : { signature }
  return call('POST', `/v1/agents/${agentId}/identifiers/${id}/verify`, { body })
}

export function deleteIdentifier({ agentId, id }: Identifier, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/agents/${agentId}/identifiers/${id}`, { keepalive })
}
