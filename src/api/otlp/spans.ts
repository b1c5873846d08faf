/** The spans of a request by OTLP, from either of its encodings. */

import { invalidField } from '../../domain/error.ts'
import { isJsonObject } from '../../lib/json-object.ts'
import { fieldsOf, ProtobufError } from '../../lib/protobuf.ts'

export type AttributeValue = string | number | boolean | null

export interface Span {
  /** Where it is in the request. */
  readonly path: string
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  /** Nanoseconds since 1970; null where the span has none. */
  readonly startNano: bigint | null
  readonly endNano: bigint | null
  /** Whether it has an end that is no time. */
  readonly isEndInvalid: boolean
  readonly attributes: ReadonlyMap<string, AttributeValue>
  /** Those of its resource, which the spans of a resource share. */
  readonly common: ReadonlyMap<string, AttributeValue>
  readonly isError: boolean
}

type Json = Readonly<Record<string, unknown>>

/**
 * The attributes of a span and of a resource that are read. SDKs keep 128 of a span by default; without
 * a bound, a small body could have more to do with each other than fit in memory.
 */
const ATTRIBUTES_MAX = 256

/** An attribute of a span or, if the span has none of this name, of its resource. */
export function attributeOf(
  { attributes, common }: Span,
  name: string,
): AttributeValue | undefined {
  return attributes.has(name) ? attributes.get(name) : common.get(name)
}

/**
 * The spans of a body, one after the other; null where one more step was taken without finding one, so that
 * the caller can do something else in between. @throws VALIDATION_ERROR naming the field
 */
export function* spansOfJson(body: unknown): Generator<Span | null> {
  for (const [resourceSpans, path] of listIn(object(body, 'body'), 'resourceSpans', '')) {
    const resource = optional(resourceSpans, 'resource', path)
    const common = resource ? attributesOfJson(resource, `${path}.resource`) : NO_ATTRIBUTES
    yield null
    for (const [scopeSpans, scopePath] of listIn(resourceSpans, 'scopeSpans', path)) {
      yield null
      for (const [span, spanPath] of listIn(scopeSpans, 'spans', scopePath)) {
        yield spanOfJson(span, spanPath, common)
      }
    }
  }
}

type Attributes = Span['attributes']

const NO_ATTRIBUTES: Attributes = new Map()

function spanOfJson(span: Json, path: string, common: Attributes): Span {
  const status = optional(span, 'status', path)
  const endNano = nanoOf(span.endTimeUnixNano)
  return {
    path,
    traceId: hexIn(span.traceId),
    spanId: hexIn(span.spanId),
    name: typeof span.name === 'string' ? span.name : '',
    startNano: nanoOf(span.startTimeUnixNano),
    endNano,
    isEndInvalid: endNano === null && !isUnset(span.endTimeUnixNano),
    attributes: attributesOfJson(span, path),
    common,
    isError: status?.code === 2 || status?.code === 'STATUS_CODE_ERROR',
  }
}

function hexIn(value: unknown): string {
  return typeof value === 'string' && /^[0-9a-f]+$/i.test(value) ? value.toLowerCase() : ''
}

/** Of a number beyond 2^53 about the last three digits are lost: less than a microsecond. */
function nanoOf(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,20}$/.test(text) && text !== '0' ? BigInt(text) : null
}

/** Zero is the default of Protocol Buffers: the same as none. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === 0 || value === '0'
}

function attributesOfJson(owner: Json, path: string): Attributes {
  const attributes = new Map<string, AttributeValue>()
  let left = ATTRIBUTES_MAX
  for (const [{ key, value }] of listIn(owner, 'attributes', path)) {
    if (left-- === 0) {
      break
    }
    const found = typeof value === 'object' && value !== null ? anyValueOfJson(value as Json) : null
    if (typeof key === 'string' && found !== null) {
      attributes.set(key, found)
    }
  }
  return attributes
}

function anyValueOfJson({ stringValue, boolValue, intValue, doubleValue }: Json): AttributeValue {
  const found = stringValue ?? boolValue ?? doubleValue ?? intValue
  const isSimple = ['string', 'boolean', 'number'].includes(typeof found)
  return isSimple ? (found as AttributeValue) : null
}

function object(value: unknown, path: string): Json {
  if (!isJsonObject(value)) {
    throw invalidField(path, 'must be an object', 'invalid_type')
  }
  return value
}

function optional(owner: Json, name: string, path: string): Json | null {
  const value = owner[name]
  return value === undefined || value === null ? null : object(value, `${path}.${name}`)
}

/** The objects of a list, each with its path. A list that is left out is empty. */
function* listIn(owner: Json, name: string, path: string): Generator<readonly [Json, string]> {
  const value = owner[name] ?? []
  const here = path === '' ? name : `${path}.${name}`
  if (!Array.isArray(value)) {
    throw invalidField(here, 'must be a list', 'invalid_type')
  }
  for (const [i, one] of value.entries()) {
    yield [object(one, `${here}.${i}`), `${here}.${i}`]
  }
}

/** As `spansOfJson`. @throws VALIDATION_ERROR for what is no message */
export function* spansOfProtobuf(bytes: Uint8Array): Generator<Span | null> {
  try {
    for (const [i, resourceSpans] of messagesIn(bytes, 1)) {
      const common = resourceAttributesIn(resourceSpans)
      yield null
      for (const [j, scopeSpans] of messagesIn(resourceSpans, 2)) {
        yield null
        for (const [k, span] of messagesIn(scopeSpans, 2)) {
          const path = `resourceSpans.${i}.scopeSpans.${j}.spans.${k}`
          yield spanOfProtobuf(span, path, common)
        }
      }
    }
  } catch (error) {
    if (error instanceof ProtobufError) {
      throw invalidField('body', `is not an ExportTraceServiceRequest: it ${error.message}`)
    }
    throw error
  }
}

function resourceAttributesIn(resourceSpans: Uint8Array): Attributes {
  const [, resource] = messagesIn(resourceSpans, 1, 1).next().value ?? []
  return resource ? keyValuesIn(resource, 1) : NO_ATTRIBUTES
}

/** More than twice the spans that a request may have: the largest lists of messages are of those. */
const FIELDS_MAX = 20_000

/** A name with its value, and a status, have two or three fields. */
const SMALL_FIELDS_MAX = 16

/** The numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function spanOfProtobuf(bytes: Uint8Array, path: string, common: Attributes): Span {
  const fields = singlesOf(bytes, [1, 2, 5, 7, 8, 15], FIELDS_MAX)
  const text = (number: number) => textOf(fields.get(number))
  const hex = (number: number) => {
    const value = fields.get(number)
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : ''
  }
  const nano = (number: number) => {
    const value = fields.get(number)
    return typeof value === 'bigint' && value > 0n ? value : null
  }
  const status = fields.get(15)
  const isError =
    status instanceof Uint8Array && singlesOf(status, [3], SMALL_FIELDS_MAX).get(3) === 2n
  return {
    path,
    traceId: hex(1),
    spanId: hex(2),
    name: text(5),
    startNano: nano(7),
    endNano: nano(8),
    isEndInvalid: false,
    attributes: keyValuesIn(bytes, 9),
    common,
    isError,
  }
}

/** The fields that a message has once. Of a repeated one the last counts, as everywhere in Protocol Buffers. */
function singlesOf(bytes: Uint8Array, numbers: readonly number[], walkMax: number) {
  const fields = fieldsOf(bytes, { numbers, max: walkMax, walkMax })
  return new Map([...fields].map(({ number, value }) => [number, value]))
}

/** The messages in a repeated field, with their index. */
function* messagesIn(
  bytes: Uint8Array,
  wanted: number,
  max = Number.POSITIVE_INFINITY,
): Generator<readonly [number, Uint8Array]> {
  let i = 0
  for (const { value } of fieldsOf(bytes, { numbers: [wanted], max, walkMax: FIELDS_MAX })) {
    if (value instanceof Uint8Array) {
      yield [i++, value]
    }
  }
}

function keyValuesIn(bytes: Uint8Array, wanted: number): Attributes {
  const attributes = new Map<string, AttributeValue>()
  for (const [, keyValue] of messagesIn(bytes, wanted, ATTRIBUTES_MAX)) {
    const fields = singlesOf(keyValue, [1, 2], SMALL_FIELDS_MAX)
    const value = fields.get(2)
    const found = value instanceof Uint8Array ? anyValue(value) : null
    if (found !== null) {
      attributes.set(textOf(fields.get(1)), found)
    }
  }
  return attributes
}

function anyValue(bytes: Uint8Array): AttributeValue {
  const filter = { numbers: [1, 2, 3, 4], max: 1, walkMax: SMALL_FIELDS_MAX }
  for (const { number, value } of fieldsOf(bytes, filter)) {
    if (number === 1) {
      return textOf(value)
    }
    if (number === 2) {
      return value !== 0n
    }
    if (number === 3 && typeof value === 'bigint') {
      return Number(BigInt.asIntN(64, value))
    }
    if (number === 4 && typeof value === 'bigint') {
      return new Float64Array(new BigUint64Array([value]).buffer)[0] ?? null
    }
  }
  return null
}

/** Text in PostgreSQL cannot contain NUL; it is replaced, as bytes that are no UTF-8 are. */
function textOf(value: bigint | Uint8Array | undefined): string {
  return value instanceof Uint8Array
    ? new TextDecoder().decode(value).replaceAll('\0', '\ufffd')
    : ''
}
