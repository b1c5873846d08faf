import { randomBytes } from 'node:crypto'
import type { SpanContext } from '../../lib/span-context.ts'

export type SpanKind = 'internal' | 'server' | 'client'
type Attributes = Readonly<Record<string, string | number | boolean>>

/** A piece of work, from its start. */
export interface Span {
  readonly context: SpanContext
  readonly parentId: string | null
  readonly kind: SpanKind
  readonly startNs: bigint
  readonly links: readonly SpanContext[]
  name: string
  attributes: Attributes
  isError: boolean
  endNs: bigint
}

export interface SpanOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly parent: SpanContext | null
  readonly isSampled: boolean
  readonly traceId?: string
  readonly attributes?: Attributes
  readonly links?: readonly SpanContext[]
}

const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The span of the caller that the header names; null where it is missing or not valid. */
export function parseTraceparent(
  header: string | null,
  traceState: string | null,
): SpanContext | null {
  const [, traceId = '', spanId = '', flags = '', rest] = FORM.exec(header ?? '') ?? []
  const isFirstVersion = header?.startsWith('00-')
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId) || (isFirstVersion && rest !== undefined)) {
    return null
  }
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, spanId, isSampled, traceState: traceState?.slice(0, TRACE_STATE_MAX) ?? '' }
}

/** As much as every implementation passes on. */
const TRACE_STATE_MAX = 512

export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function startSpan(options: SpanOptions): Span {
  const { name, kind, parent, isSampled, attributes = {}, links = [] } = options
  return {
    context: {
      traceId: parent?.traceId ?? options.traceId ?? newTraceId(),
      spanId: randomBytes(8).toString('hex'),
      isSampled,
      traceState: parent?.traceState ?? '',
    },
    parentId: parent?.spanId ?? null,
    name,
    kind,
    links,
    attributes,
    startNs: nowNs(),
    isError: false,
    endNs: 0n,
  }
}

/** Nanoseconds since the epoch, to the microsecond, by a clock that never goes back within a span. */
export function nowNs(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n
}
