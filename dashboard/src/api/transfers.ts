import { call } from './client.ts'
import { pagesAt } from './pages.ts'
import type { AcceptedTransfer, AgentWithKey, Transfer } from './types.ts'

export const listTransfers = pagesAt<Transfer>('/v1/transfers')

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
