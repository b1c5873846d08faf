import type { EventData } from '../domain/event.ts'
import type { InspectedEvent } from './rule.ts'

/** Characters of a digest: 52 bits, so that chance makes no two of the few dozen kept alike. */
export const DIGEST_LENGTH = 10

/** Of the digits of a digest, those of the reporter, and with them those of the stated time. */
const REPORTER_LENGTH = 4
const MOMENT_LENGTH = 7

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

/**
 * A short name for what an event says: equal for equal events of one reporter, in any order of their fields. Its last
 * `MOMENT_LENGTH` digits are those of the reporter and the stated time.
 */
export const digestOf = ofLatest(({ reporter, type, occurredAt, externalId, data }) => {
  const said = hashOf([type, occurredAt, externalId ?? '', canonicalData(data)])
  // A name distinguishes an event from all others, so those at its time are not of a batch with it.
  const moment = hashBy(reporter.id, DIGEST_REPORTERS, MOMENTS, [occurredAt, externalId ?? ''])
  return textOf((said % (ALL / MOMENTS)) * MOMENTS + moment)
})

/** So many different events at one moment are a batch: a deal may end with a task and its payment. */
const BATCH_MIN = 3

/**
 * Whether the reporter of an event gives its time to different events, by digests that are run together: to another event
 * than this one, or to a batch before it.
 */
export function isOfBatch(digests: string, digest: string): boolean {
  if (countAtMoment(digests, digest) > 1) {
    return true
  }
  const reporter = digest.slice(-REPORTER_LENGTH)
  for (let i = 0; i < digests.length; i += DIGEST_LENGTH) {
    const isOwn = digests.startsWith(reporter, i + DIGEST_LENGTH - REPORTER_LENGTH)
    if (isOwn && countAtMoment(digests, digests.slice(i, i + DIGEST_LENGTH)) >= BATCH_MIN) {
      return true
    }
  }
  return false
}

/** How many digests, of which no two are the same, have the moment of one. */
function countAtMoment(digests: string, digest: string): number {
  const moment = digest.slice(-MOMENT_LENGTH)
  let count = 0
  for (let i = DIGEST_LENGTH - MOMENT_LENGTH; i < digests.length; i += DIGEST_LENGTH) {
    count += digests.startsWith(moment, i) ? 1 : 0
  }
  return count
}

/**
 * A fingerprint, as a number, of the figures and the counterparty: equal for good and bad events of one reporter, at any
 * time.
 */
export const shapeOf = ofLatest(({ reporter, data }) =>
  hashBy(reporter.id, SHAPE_REPORTERS, ALL, [
    data.amount ?? '',
    data.currency ?? '',
    data.counterparty ?? '',
    data.duration ?? '',
    data.responseTimeMs ?? '',
  ]),
)

let latestData: { readonly data: EventData; readonly text: string } | null = null

/**
 * The fields in the order of their names, as JSON: `[["amount",149.9],["currency","EUR"]]`. The text of
 * the latest data is kept, since up to two digests are made of it.
 */
export function canonicalData(data: EventData): string {
  if (latestData?.data !== data) {
    latestData = { data, text: canonicalText(data) }
  }
  return latestData.text
}

/** Every field by its name, in the order of names: a loop over the names takes ten times as long. */
function canonicalText(data: EventData): string {
  let fields = ''
  fields = withField(fields, 'amount', data.amount)
  fields = withField(fields, 'counterparty', data.counterparty)
  fields = withField(fields, 'credentialId', data.credentialId)
  fields = withField(fields, 'credentialType', data.credentialType)
  fields = withField(fields, 'currency', data.currency)
  fields = withField(fields, 'daysLate', data.daysLate)
  fields = withField(fields, 'difficulty', data.difficulty)
  fields = withField(fields, 'duration', data.duration)
  fields = withField(fields, 'errorCode', data.errorCode)
  fields = withField(fields, 'errorType', data.errorType)
  fields = withField(fields, 'responseTimeMs', data.responseTimeMs)
  fields = withField(fields, 'severity', data.severity)
  fields = withField(fields, 'success', data.success)
  fields = withField(fields, 'taskClass', data.taskClass)
  fields = withField(fields, 'uptimePercentage', data.uptimePercentage)
  return `[${fields}]`
}

/** Names of fields need no escapes. */
function withField(
  fields: string,
  name: keyof EventData,
  value: EventData[keyof EventData],
): string {
  if (value === undefined) {
    return fields
  }
  const field = `["${name}",${jsonOf(value)}]`
  return fields === '' ? field : `${fields},${field}`
}

/** As JSON.stringify does it, which takes longer. */
function jsonOf(value: EventData[keyof EventData]): string {
  if (typeof value !== 'string') {
    return String(value)
  }
  return isPlain(value) ? `"${value}"` : JSON.stringify(value)
}

const SPACE = 32
const QUOTE = 34
const BACKSLASH = 92
const TILDE = 126

/** Whether a text has no character that JSON escapes: printable ASCII but for two. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) {
      return false
    }
  }
  return true
}

/**
 * Where the next entry that starts with a text is, among entries of one length that are run together; −1 where no
 * entry does. To search by indexOf takes several times as long, since it stops at every character like the first.
 */
export function placeOfEntry(entries: string, start: string, length: number, from = 0): number {
  const first = start.charCodeAt(0)
  const second = start.charCodeAt(1)
  for (let i = from; i < entries.length; i += length) {
    if (
      entries.charCodeAt(i) === first &&
      entries.charCodeAt(i + 1) === second &&
      entries.startsWith(start, i)
    ) {
      return i
    }
  }
  return -1
}

/**
 * How many reporters the hashes distinguish. An account that registers agents until one has the digits of a platform
 * needs so many of them. The rest is for what is said: 31 bits of a digest, of which 48 are kept and each that is found
 * again quarantines an event, and 26 bits of a shape, of which eight are kept.
 */
const DIGEST_REPORTERS = 36 ** REPORTER_LENGTH
const SHAPE_REPORTERS = 36 ** 5
const ALL = 36 ** DIGEST_LENGTH
const MOMENTS = 36 ** MOMENT_LENGTH

/**
 * The hash of what a reporter said. The reporter has digits of its own, because a sender that chooses a text finds one
 * with the hash of another text within minutes: an agent would make the reports of a platform seem to be copies of its
 * own.
 */
function hashBy(
  reporterId: string,
  reporters: number,
  all: number,
  said: readonly (string | number)[],
): number {
  // The reporter's digits come last: a search (`placeOfEntry`) goes by the first ones.
  return (hashOf(said) % (all / reporters)) * reporters + (hashOf([reporterId]) % reporters)
}

/** The hash of texts, in ten digits of base 36. */
export function fingerprint(parts: readonly (string | number)[]): string {
  return textOf(hashOf(parts))
}

/**
 * FNV-1a over the UTF-16 units of the parts, joined by line feeds, run twice with different offsets for 52
 * bits in all. It does not resist an attacker. So it compares only ids of the service, what one reporter said
 * (`hashBy`), and names that anyone may repeat.
 */
function hashOf(parts: readonly (string | number)[]): number {
  let first = 0x811c9dc5
  let second = 0x2b0d3f19
  for (let part = 0; part < parts.length; part++) {
    if (part > 0) {
      first = Math.imul(first ^ LINE_FEED, FNV_PRIME)
      second = Math.imul(second ^ LINE_FEED, FNV_PRIME)
    }
    const value = parts[part] as string | number
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      for (let i = writeDigits(value) - 1; i >= 0; i--) {
        const unit = DIGITS[i] as number
        first = Math.imul(first ^ unit, FNV_PRIME)
        second = Math.imul(second ^ unit, FNV_PRIME)
      }
      continue
    }
    const text = String(value)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      first = Math.imul(first ^ unit, FNV_PRIME)
      second = Math.imul(second ^ unit, FNV_PRIME)
    }
  }
  return half(first) * HALF_RANGE + half(second)
}

/** Character codes of the digits of a whole number, the last one first: up to sixteen, for 53 bits. */
const DIGITS = new Uint8Array(16)

/** So many digits are an integer of 32 bits, which V8 divides by ten without a division. */
const INT_DIGITS = 9
const INT_RANGE = 1e9

/** Writes the digits of a whole number, and returns how many: the text of a time takes several times as long. */
function writeDigits(value: number): number {
  const high = Math.floor(value / INT_RANGE)
  let rest = (value - high * INT_RANGE) | 0
  let count = 0
  if (high > 0) {
    for (; count < INT_DIGITS; count++) {
      DIGITS[count] = ZERO + (rest % 10)
      rest = (rest / 10) | 0
    }
    rest = high | 0
  }
  do {
    DIGITS[count++] = ZERO + (rest % 10)
    rest = (rest / 10) | 0
  } while (rest > 0)
  return count
}

const FNV_PRIME = 0x01000193
const LINE_FEED = 10

const HALF_LENGTH = DIGEST_LENGTH / 2
const HALF_RANGE = 36 ** HALF_LENGTH

function half(hash: number): number {
  // FNV's low bits are its weak ones: fold the high half in before the rest is cut off.
  return ((hash ^ (hash >>> 15)) >>> 0) % HALF_RANGE
}

/** In base 36, ten digits: toString and padStart take several times as long. */
export function textOf(hash: number): string {
  // V8 divides integers of 32 bits by constants without a division.
  const first = (hash / HALF_RANGE) | 0
  const second = (hash - first * HALF_RANGE) | 0
  return String.fromCharCode(
    digitAt(first, 36 ** 4),
    digitAt(first, 36 ** 3),
    digitAt(first, 36 ** 2),
    digitAt(first, 36),
    digitAt(first, 1),
    digitAt(second, 36 ** 4),
    digitAt(second, 36 ** 3),
    digitAt(second, 36 ** 2),
    digitAt(second, 36),
    digitAt(second, 1),
  )
}

/** The number of such a text. */
export function hashOfText(text: string): number {
  return Number.parseInt(text, 36)
}

const ZERO = 48
const LETTER_A = 97

/** The character code of the digit in base 36 that counts so many. */
function digitAt(value: number, unit: number): number {
  const digit = ((value / unit) | 0) % 36
  return digit < 10 ? ZERO + digit : LETTER_A + digit - 10
}
