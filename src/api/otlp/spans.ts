/** The spans of a request by OTLP, from either of its encodings. */

import { invalidField } from '../../domain/error.ts'
import { fieldsOf, ProtobufError } from '../../lib/protobuf.ts'

export type AttributeValue = string | number | boolean | null

export interface Span {
  /** Where it is in the request. */
  readonly path: string
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  /** Nanoseconds since 1970; null where the span does not say. */
  readonly startNano: bigint | null
  readonly endNano: bigint | null
  /** Its own, and those of its resource. */
  readonly attributes: ReadonlyMap<string, AttributeValue>
  readonly isError: boolean
}

type Json = Readonly<Record<string, unknown>>

/** @throws VALIDATION_ERROR naming the field */
export function spansOfJson(body: unknown): readonly Span[] {
  return listIn(object(body, 'body'), 'resourceSpans', '').flatMap(([resourceSpans, path]) => {
    const resource = optional(resourceSpans, 'resource', path)
    const common = resource ? attributesOfJson(resource, `${path}.resource`) : []
    return listIn(resourceSpans, 'scopeSpans', path).flatMap(([scopeSpans, scopePath]) =>
      listIn(scopeSpans, 'spans', scopePath).map(([span, spanPath]) =>
        spanOfJson(span, spanPath, common),
      ),
    )
  })
}

type Attributes = readonly (readonly [string, AttributeValue])[]

function spanOfJson(span: Json, path: string, common: Attributes): Span {
  const status = optional(span, 'status', path)
  return {
    path,
    traceId: hexIn(span.traceId),
    spanId: hexIn(span.spanId),
    name: typeof span.name === 'string' ? span.name : '',
    startNano: nanoOf(span.startTimeUnixNano),
    endNano: nanoOf(span.endTimeUnixNano),
    attributes: new Map([...common, ...attributesOfJson(span, path)]),
    isError: status?.code === 2 || status?.code === 'STATUS_CODE_ERROR',
  }
}

function hexIn(value: unknown): string {
  return typeof value === 'string' && /^[0-9a-f]+$/i.test(value) ? value.toLowerCase() : ''
}

function nanoOf(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,20}$/.test(text) && text !== '0' ? BigInt(text) : null
}

function attributesOfJson(owner: Json, path: string): Attributes {
  return listIn(owner, 'attributes', path).flatMap(([{ key, value }]) => {
    if (typeof key !== 'string' || typeof value !== 'object' || value === null) {
      return []
    }
    const { stringValue, boolValue, intValue, doubleValue } = value as Json
    const found = stringValue ?? boolValue ?? doubleValue ?? intValue
    const isSimple = ['string', 'boolean', 'number'].includes(typeof found)
    return isSimple ? [[key, found as AttributeValue] as const] : []
  })
}

function object(value: unknown, path: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField(path, 'must be an object', 'invalid_type')
  }
  return value as Json
}

function optional(owner: Json, name: string, path: string): Json | null {
  const value = owner[name]
  return value === undefined || value === null ? null : object(value, `${path}.${name}`)
}

/** The objects of a list, each with its path. A list that is left out is empty. */
function listIn(owner: Json, name: string, path: string): readonly (readonly [Json, string])[] {
  const value = owner[name] ?? []
  const here = path === '' ? name : `${path}.${name}`
  if (!Array.isArray(value)) {
    throw invalidField(here, 'must be a list', 'invalid_type')
  }
  return value.map((one, i) => [object(one, `${here}.${i}`), `${here}.${i}`] as const)
}

/** @throws VALIDATION_ERROR for what is no message */
export function spansOfProtobuf(bytes: Uint8Array): readonly Span[] {
  try {
    return messagesIn(bytes, 1).flatMap((resourceSpans, i) => {
      const common = messagesIn(resourceSpans, 1).flatMap((resource) => keyValuesIn(resource, 1))
      return messagesIn(resourceSpans, 2).flatMap((scopeSpans, j) =>
        messagesIn(scopeSpans, 2).map((span, k) =>
          spanOfProtobuf(span, `resourceSpans.${i}.scopeSpans.${j}.spans.${k}`, common),
        ),
      )
    })
  } catch (error) {
    if (error instanceof ProtobufError) {
      throw invalidField('body', `is not an ExportTraceServiceRequest: it ${error.message}`)
    }
    throw error
  }
}

/** The numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function spanOfProtobuf(bytes: Uint8Array, path: string, common: Attributes): Span {
  const fields = new Map([...fieldsOf(bytes)].map(({ number, value }) => [number, value]))
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
    status instanceof Uint8Array &&
    [...fieldsOf(status)].some(({ number, value }) => number === 3 && value === 2n)
  return {
    path,
    traceId: hex(1),
    spanId: hex(2),
    name: text(5),
    startNano: nano(7),
    endNano: nano(8),
    attributes: new Map([...common, ...keyValuesIn(bytes, 9)]),
    isError,
  }
}

function messagesIn(bytes: Uint8Array, wanted: number): readonly Uint8Array[] {
  return [...fieldsOf(bytes)].flatMap(({ number, value }) =>
    number === wanted && value instanceof Uint8Array ? [value] : [],
  )
}

function keyValuesIn(bytes: Uint8Array, wanted: number): Attributes {
  return messagesIn(bytes, wanted).flatMap((keyValue) => {
    const fields = new Map([...fieldsOf(keyValue)].map(({ number, value }) => [number, value]))
    const value = fields.get(2)
    const found = value instanceof Uint8Array ? anyValue(value) : null
    return found === null ? [] : [[textOf(fields.get(1)), found] as const]
  })
}

function anyValue(bytes: Uint8Array): AttributeValue {
  for (const { number, value } of fieldsOf(bytes)) {
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

function textOf(value: bigint | Uint8Array | undefined): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : ''
}
