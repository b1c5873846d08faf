import type { EventData } from '../domain/event.ts'
import type { InspectedEvent } from './rule.ts'

/** Characters of a digest: 52 bits, so that chance makes no two of the few dozen kept alike. */
export const DIGEST_LENGTH = 10

/**
 * Keeps what was made of the latest event: it is asked for twice in a row, by a rule and for the
 * behaviour profile.
 */
export function ofLatest<T>(make: (event: InspectedEvent) => T): (event: InspectedEvent) => T {
  let latest: { readonly event: InspectedEvent; readonly made: T } | null = null
  return (event) => {
    if (latest?.event !== event) {
      latest = { event, made: make(event) }
    }
    return latest.made
  }
}

/** A short name for what an event says: equal for equal events, in any order of their fields. */
export const digestOf = ofLatest(({ reporter, type, occurredAt, externalId, data }) =>
  fingerprint([reporter.id, type, occurredAt, externalId ?? '', canonicalData(data)]),
)

/** The same without the moment and the name: equal for copies that were given another time. */
export const shapeOf = ofLatest(({ reporter, type, data }) =>
  fingerprint([reporter.id, type, canonicalData(data)]),
)

let latestData: { readonly data: EventData; readonly text: string } | null = null

/**
 * The fields in the order of their names, as JSON: `[["amount",149.9],["currency","EUR"]]`. The text of
 * the latest data is kept, since up to three digests are made of it.
 */
export function canonicalData(data: EventData): string {
  if (latestData?.data !== data) {
    latestData = { data, text: canonicalText(data) }
  }
  return latestData.text
}

/** Every field by its name, in the order of names: a loop over the names takes ten times as long. */
function canonicalText(data: EventData): string {
  const fields =
    field('amount', data.amount) +
    field('counterparty', data.counterparty) +
    field('credentialId', data.credentialId) +
    field('credentialType', data.credentialType) +
    field('currency', data.currency) +
    field('daysLate', data.daysLate) +
    field('difficulty', data.difficulty) +
    field('duration', data.duration) +
    field('errorCode', data.errorCode) +
    field('errorType', data.errorType) +
    field('responseTimeMs', data.responseTimeMs) +
    field('severity', data.severity) +
    field('success', data.success) +
    field('taskClass', data.taskClass) +
    field('uptimePercentage', data.uptimePercentage)
  return `[${fields.slice(1)}]`
}

/** After a comma. Names of fields need no escapes. */
function field(name: keyof EventData, value: EventData[keyof EventData]): string {
  return value === undefined ? '' : `,["${name}",${jsonOf(value)}]`
}

/** As JSON.stringify does it, which takes longer. */
function jsonOf(value: EventData[keyof EventData]): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/**
 * FNV-1a over UTF-16 units, run twice with different offsets for 52 bits in all. It need not resist
 * an attacker: to collide with an earlier event can only get one's own event held.
 */
export function fingerprint(parts: readonly (string | number)[]): string {
  const text = parts.join('\n')
  let first = 0x811c9dc5
  let second = 0x2b0d3f19
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x01000193)
  }
  return half(first) + half(second)
}

const HALF_LENGTH = DIGEST_LENGTH / 2
const HALF_RANGE = 36 ** HALF_LENGTH

function half(hash: number): string {
  // FNV's low bits are its weak ones: fold the high half in before the rest is cut off.
  const folded = (hash ^ (hash >>> 15)) >>> 0
  return (folded % HALF_RANGE).toString(36).padStart(HALF_LENGTH, '0')
}
