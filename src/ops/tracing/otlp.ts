import type { SpanContext } from '../../lib/span-context.ts'
import type { Span, SpanKind } from './span.ts'

/** The numbers of OTLP for the kinds of spans. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }

const STATUS_ERROR = 2

/** Spans as the body of an OTLP/HTTP request in JSON. */
export function otlpBody(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
  version: string,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'standing', version }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

function spanOf(span: Span) {
  const { context, parentId, name, kind, startNs, endNs, attributes, links, isError } = span
  return {
    ...idsOf(context),
    ...(parentId !== null && { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(endNs),
    attributes: attributesOf(attributes),
    links: links.map(idsOf),
    status: isError ? { code: STATUS_ERROR } : {},
  }
}

function idsOf({ traceId, spanId, traceState }: SpanContext) {
  return { traceId, spanId, ...(traceState !== '' && { traceState }) }
}

function attributesOf(attributes: Readonly<Record<string, string | number | boolean>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))
}

function anyValueOf(value: string | number | boolean) {
  switch (typeof value) {
    case 'string':
      return { stringValue: value }
    case 'boolean':
      return { boolValue: value }
    case 'number':
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  }
}
