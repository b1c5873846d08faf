import { AsyncLocalStorage } from 'node:async_hooks'
import type { SpanContext } from '../../lib/span-context.ts'
import type { SamplerSettings } from '../../settings/tracing.ts'
import type { Exporter } from './exporter.ts'
import { isKept } from './sampler.ts'
import { newTraceId, nowNs, type Span, type SpanKind, startSpan } from './span.ts'

/** Creates spans, and returns the span that is open in the current call. */
export interface Tracer {
  /** The span within which the caller runs. */
  current(): Span | null
  /** Starts a span under the parent, by default the current one. */
  start(name: string, kind: SpanKind, options?: StartOptions): Span
  /** Runs work within a span, which the caller ends. */
  within<T>(span: Span, work: () => T): T
  end(span: Span): void
  /** Runs work within a span and ends it, as an error where the work failed. */
  run<T>(span: Span, work: () => Promise<T>): Promise<T>
}

export interface StartOptions {
  /** Null for the first span of a trace. */
  readonly parent?: SpanContext | null
  /** The span of another service that called this one. */
  readonly remoteParent?: SpanContext | null
  readonly attributes?: Span['attributes']
  readonly links?: readonly SpanContext[]
}

export function createTracer(settings: SamplerSettings, exporter: Pick<Exporter, 'add'>): Tracer {
  const open = new AsyncLocalStorage<Span>()
  const tracer: Tracer = {
    current: () => open.getStore() ?? null,
    start(name, kind, options = {}) {
      const { remoteParent = null, attributes, links } = options
      const { parent = remoteParent ?? tracer.current()?.context ?? null } = options
      const traceId = parent?.traceId ?? newTraceId()
      // Within this process a trace is kept or not as a whole.
      const isSampled =
        parent !== null && parent !== remoteParent
          ? parent.isSampled
          : isKept(settings, remoteParent, traceId)
      return startSpan({
        name,
        kind,
        parent,
        isSampled,
        traceId,
        ...(attributes && { attributes }),
        ...(links && { links }),
      })
    },
    within: (span, work) => open.run(span, work),
    end(span) {
      span.endNs = nowNs()
      if (span.context.isSampled) {
        exporter.add(span)
      }
    },
    async run(span, work) {
      try {
        return await open.run(span, work)
      } catch (error) {
        span.isError = true
        throw error
      } finally {
        tracer.end(span)
      }
    },
  }
  return tracer
}
