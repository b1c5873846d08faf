import type { EventData } from '../core/events.ts'
import type { InspectedEvent } from './rule.ts'

/** A short name for what an event says: equal for equal events, whatever the order of their fields. */
export function digestOf(event: InspectedEvent): string {
  return fingerprint(
    [
      event.reporter.id,
      event.type,
      event.occurredAt,
      event.externalId ?? '',
      canonicalData(event.data),
    ].join('\n'),
  )
}

export function canonicalData(data: EventData): string {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined)
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * FNV-1a over UTF-16 units, run twice with different offsets for 64 bits in all. It need not resist
 * an attacker: to collide with an earlier event can only get one's own event held.
 */
function fingerprint(text: string): string {
  return half(text, 0x811c9dc5) + half(text, 0x2b0d3f19)
}

function half(text: string, offset: number): string {
  let hash = offset
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
