import { call } from './client.ts'
import type { AcceptedTransfer, AgentWithKey, Page, Transfer } from './types.ts'

export function listTransfers(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Transfer>> {
  return call('GET', '/v1/transfers', { query: { cursor }, signal })
}

export function offerAgent(agentId: string, to: string): Promise<Transfer> {
  const body = to.includes('@') ? { toOwnerEmail: to } : { toOwnerId: to }
  return call('POST', `/v1/agents/${agentId}/transfers`, { body })
}

export function acceptTransfer(id: string): Promise<AcceptedTransfer> {
  return call('POST', `/v1/transfers/${id}/accept`)
}

/** Refuses an offer that was received, or takes back one that was made. */
export function endTransfer(
  id: string,
  isReceived: boolean,
  keepalive: boolean,
): Promise<Transfer> {
  return isReceived
    ? call('POST', `/v1/transfers/${id}/decline`, { keepalive })
    : call('DELETE', `/v1/transfers/${id}`, { keepalive })
}

export function registerSuccessor(id: string, displayName: string): Promise<AgentWithKey> {
  return call('POST', `/v1/agents/${id}/successor`, { body: { displayName } })
}
