import { call } from './client.ts'
import { type LoadPage, pagesAt } from './pages.ts'
import type { EventType, PublicPlatform, TrustEvent } from './types.ts'

export interface EventFilter {
  readonly type?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: number
}

export function listEvents(agentId: string, filter: EventFilter): LoadPage<TrustEvent> {
  return pagesAt(`/v1/agents/${agentId}/events`, { ...filter })
}

/** What the platform itself reported, about any agent. */
export function listReported(filter: {
  readonly type: string
  readonly quarantined: string
}): LoadPage<TrustEvent> {
  return pagesAt('/v1/events', filter)
}

/** What anyone may read of a platform. */
export function getPlatform(id: string, signal: AbortSignal): Promise<PublicPlatform> {
  return call('GET', `/v1/platforms/${id}`, { signal })
}

export function appeal(eventId: string, statement: string): Promise<TrustEvent> {
  return call('POST', `/v1/events/${eventId}/appeal`, { body: { statement } })
}

export function reportEvent(
  agentId: string,
  body: { readonly type: EventType; readonly data: Readonly<Record<string, unknown>> },
): Promise<TrustEvent> {
  return call('POST', `/v1/agents/${agentId}/events`, { body })
}
