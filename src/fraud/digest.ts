import type { EventData } from '../domain/event.ts'
import type { InspectedEvent } from './rule.ts'

/** Characters of a digest: 52 bits, so that chance makes no two of the few dozen kept alike. */
export const DIGEST_LENGTH = 10

/** A short name for what an event says: equal for equal events, whatever the order of their fields. */
export function digestOf(event: InspectedEvent): string {
  const { reporter, type, occurredAt, externalId, data } = event
  return fingerprint([reporter.id, type, occurredAt, externalId ?? '', canonicalData(data)])
}

/** The same without the moment and the name: equal for copies that were given another time. */
export function shapeOf({ reporter, type, data }: InspectedEvent): string {
  return fingerprint([reporter.id, type, canonicalData(data)])
}

export function canonicalData(data: EventData): string {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined)
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * FNV-1a over UTF-16 units, run twice with different offsets for 52 bits in all. It need not resist
 * an attacker: to collide with an earlier event can only get one's own event held.
 */
export function fingerprint(parts: readonly (string | number)[]): string {
  const text = parts.join('\n')
  return half(text, 0x811c9dc5) + half(text, 0x2b0d3f19)
}

const HALF_LENGTH = DIGEST_LENGTH / 2
const HALF_RANGE = 36 ** HALF_LENGTH

function half(text: string, offset: number): string {
  let hash = offset
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  // FNV's low bits are its weak ones: fold the high half in before the rest is cut off.
  hash ^= hash >>> 15
  return ((hash >>> 0) % HALF_RANGE).toString(36).padStart(HALF_LENGTH, '0')
}
