/** What a span says of an agent, by the semantic conventions for generative AI. */

import type { KnownFields } from '../../domain/apply-mapping.ts'
import { TIME_MAX } from '../../domain/time.ts'
import type { ReportedEvent } from '../../ingest/report.ts'
import { type AttributeValue, attributeOf, type Span } from './spans.ts'

/** A report about an agent; null for a span of other work. */
export interface SpanReport {
  /** The id of an agent, or a name that it has proven. */
  readonly agent: string
  readonly event: ReportedEvent
}

export type SpanOutcome = SpanReport | { readonly problem: string } | null

const OPERATION = 'gen_ai.operation.name'
const AGENT = 'gen_ai.agent.id'
const INVOKE = 'invoke_agent'

/** As long as the longest text of an event; longer ones are cut. */
const TEXT_CHARS_MAX = 200

/** What a span reports by the conventions. `mapped` is the event where a mapping made one. */
export function outcomeOf(span: Span, mapped: ReportedEvent | null = null): SpanOutcome {
  if (!mapped && !isInvocation(span)) {
    return null
  }
  const agent = textOf(attributeOf(span, AGENT))
  if (agent === '') {
    return { problem: `${span.path}.attributes: ${AGENT} is missing` }
  }
  const end = endOf(span)
  return typeof end === 'string' ? { problem: end } : { agent, event: mapped ?? eventOf(span, end) }
}

/** The end of a span that has ids, in nanoseconds since 1970; a text says why it can be no event. */
export function endOf(span: Span): bigint | string {
  const { path, endNano, isEndInvalid } = span
  const badId = badIdOf(span)
  if (badId) {
    const { field, bytes } = badId
    const form = `${bytes} bytes, in JSON ${2 * bytes} hexadecimal digits (not Base64)`
    return `${path}.${field}: must be ${form}, not all zero`
  }
  return endNano ?? `${path}.endTimeUnixNano: ${isEndInvalid ? NOT_A_TIME : 'is missing'}`
}

/** The ids of a span, with their bytes (opentelemetry/proto/trace/v1/trace.proto). */
const IDS = [
  { field: 'traceId', bytes: 16 },
  { field: 'spanId', bytes: 8 },
] as const

/** The first id of a span that is not valid; zeros alone mean that there is none. */
function badIdOf(span: Span): (typeof IDS)[number] | undefined {
  return IDS.find(
    ({ field, bytes }) => span[field].length !== 2 * bytes || /^0*$/.test(span[field]),
  )
}

const NOT_A_TIME = 'is not a valid time: it must be the nanoseconds since 1970, a whole number'

/** A span as a mapping reads it. */
export function payloadOf({ name, traceId, spanId, attributes, common, isError }: Span): object {
  const status = isError ? 'error' : 'ok'
  const all = Object.fromEntries([...common, ...attributes])
  return { name, traceId, spanId, status, attributes: all }
}

/** Values that a mapping may leave out for a span; null for a span that has no valid ids or no end. */
export function knownOf(span: Span): KnownFields | null {
  const end = endOf(span)
  if (typeof end === 'string') {
    return null
  }
  const { type, data, occurredAt = 0, externalId } = eventOf(span, end)
  const isTime = Math.abs(occurredAt) <= TIME_MAX
  const time = isTime ? { occurredAt: new Date(occurredAt).toISOString() } : {}
  return { type, data, ...time, externalId: externalId ?? undefined, hasAgent: true }
}

function isInvocation(span: Span): boolean {
  const { name } = span
  const operation = attributeOf(span, OPERATION)
  return operation === undefined
    ? name === INVOKE || name.startsWith(`${INVOKE} `)
    : operation === INVOKE
}

function eventOf(span: Span, endNano: bigint): ReportedEvent {
  const errorCode = textOf(attributeOf(span, 'error.type')).slice(0, TEXT_CHARS_MAX)
  const duration = durationMs(span.startNano, endNano)
  return {
    type: typeOf(span, errorCode),
    data: {
      ...(duration === null ? {} : { duration }),
      ...(errorCode === '' ? {} : { errorCode }),
    },
    occurredAt: Number(endNano / 1_000_000n),
    externalId: `otlp:${span.traceId}:${span.spanId}`,
  }
}

function typeOf({ isError }: Span, errorCode: string) {
  if (!isError && errorCode === '') {
    return 'task.completed'
  }
  return TIMEOUT.test(errorCode) ? 'task.timeout' : 'task.failed'
}

/** `timeout`, `TimeoutError`, `request_timed_out`, `DEADLINE_EXCEEDED`, and the status 504. */
const TIMEOUT = /time[d_-]*out|deadline[_-]?exceeded|^504$/i

/** Clocks may be set back within a span: then nothing is known of its length. */
function durationMs(startNano: bigint | null, endNano: bigint): number | null {
  return startNano === null || endNano < startNano ? null : Number(endNano - startNano) / 1e6
}

function textOf(value: AttributeValue | undefined): string {
  return value === undefined || value === null ? '' : String(value)
}
