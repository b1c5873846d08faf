/** What identifies a span of a trace, as `traceparent` carries it between services (W3C Trace Context). */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  readonly traceState: string
}
