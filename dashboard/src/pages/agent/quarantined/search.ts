import { listEvents } from '../../../api/events.ts'
import type { TrustEvent } from '../../../api/types.ts'

export interface Found {
  readonly events: readonly TrustEvent[]
  readonly searched: number
  /** Where to go on; null when the whole log was searched or all of them were found. */
  readonly cursor: string | null
}

const PAGE = 100
const PAGES_MAX = 5

/**
 * The events that wait for review or were found wrong. The service has no list of them for owners,
 * so the log is searched from its newest end until as many were found as there are.
 */
export async function searchQuarantined(
  agentId: string,
  count: number,
  known: Found | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const events = [...(known?.events ?? [])]
  let searched = known?.searched ?? 0
  let cursor = known?.cursor ?? undefined
  for (let pages = 0; pages < PAGES_MAX && events.length < count; pages++) {
    const page = await listEvents(agentId, { limit: PAGE })(cursor, signal)
    searched += page.data.length
    events.push(...page.data.filter(({ isQuarantined, review }) => isQuarantined || review))
    if (page.nextCursor === null) {
      return { events, searched, cursor: null }
    }
    cursor = page.nextCursor
  }
  return { events, searched, cursor: events.length < count ? (cursor ?? null) : null }
}
