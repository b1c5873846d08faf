import type { Attempt } from '../../delivery/attempt.ts'
import type { Served, TraceHeaders } from '../../http/edge.ts'
import type { Log } from '../../lib/log.ts'
import type { SpanContext } from '../../lib/span-context.ts'
import type { TracingSettings } from '../../settings/tracing.ts'
import type { DeliveryJob } from '../../store/delivery-job.ts'
import type { Metrics } from '../metrics.ts'
import { loggedPath } from '../request-log.ts'
import { createExporter } from './exporter.ts'
import { parseTraceparent } from './span.ts'
import { type TracedPool, traceStatements } from './statements.ts'
import { createTracer, type Tracer } from './tracer.ts'

/** Traces requests, transactions of events, statements and webhook attempts. */
export interface Tracing {
  /** Serves a request within a span, under the caller's if it names one. */
  request(headers: TraceHeaders, serve: () => Promise<void>): Promise<void>
  /** To be called when a request was served, within its span. */
  served(served: Served): void
  /** The id of the trace in which the caller runs. */
  traceId(): string | null
  /** The span in which a report was made, for the transaction that stores it. */
  current(): SpanContext | null
  /** Stores the reports that were made in these spans. */
  flush<T>(reports: readonly SpanContext[], work: () => Promise<T>): Promise<T>
  /** Makes one attempt to deliver a webhook. */
  attempt(job: DeliveryJob, post: () => Promise<Attempt>): Promise<Attempt>
  /** Traces the statements on this pool from now on. */
  watchPool(pool: TracedPool): void
  watch(metrics: Metrics): void
  close(): Promise<void>
}

/** More links than this say no more. */
const LINKS_MAX = 32

export function startTracing(settings: TracingSettings, version: string, log: Log): Tracing {
  const { ignored } = settings
  if (ignored !== null) {
    log.warn(`traces are sent as http/json: ${ignored} is ignored`)
  }
  const exporter = createExporter({
    settings,
    version,
    onFailed: (err) =>
      log.warn({ err }, 'traces cannot be sent and are dropped; the service continues'),
  })
  const tracer = createTracer(settings.sampler, exporter)
  return {
    request({ traceparent, traceState }, serve) {
      const remoteParent = parseTraceparent(traceparent, traceState)
      return tracer.within(
        tracer.start('request', 'server', { remoteParent, parent: remoteParent }),
        serve,
      )
    },
    served: (served) => endRequest(tracer, served),
    traceId: () => tracer.current()?.context.traceId ?? null,
    current: () => tracer.current()?.context ?? null,
    flush([first, ...others], work) {
      const span = tracer.start('flush events', 'internal', {
        parent: first ?? null,
        links: others.slice(0, LINKS_MAX),
        attributes: { 'standing.reports': others.length + Number(first !== undefined) },
      })
      return tracer.run(span, work)
    },
    attempt: (job, post) => traceAttempt(tracer, job, post),
    watchPool: (pool) => traceStatements(tracer, pool),
    watch({ counters }) {
      counters(
        'standing_spans_total',
        'Spans of traces, by what became of them',
        'outcome',
        exporter.counts,
      )
    },
    close: exporter.close,
  }
}

/** Ends the span of a request, if there is one. */
function endRequest(tracer: Tracer, served: Served): void {
  const span = tracer.current()
  if (span === null) {
    return
  }
  const { request, endpoint, status, requestId, refusal } = served
  span.name = endpoint.path === '' ? request.method : `${request.method} ${endpoint.path}`
  span.attributes = {
    'http.request.method': request.method,
    ...(endpoint.path !== '' && { 'http.route': endpoint.path, 'url.path': loggedPath(served) }),
    'http.response.status_code': status,
    'standing.operation': endpoint.name,
    'standing.request_id': requestId,
    ...(refusal && { 'error.type': refusal.code }),
  }
  // A refusal is the caller's own fault: only what the service did not do is an error of this span.
  span.isError = status >= 500
  tracer.end(span)
}

/** Makes an attempt within a span, which starts a trace. */
function traceAttempt(
  tracer: Tracer,
  { type, notificationId, subscriptionId, attempts }: DeliveryJob,
  post: () => Promise<Attempt>,
): Promise<Attempt> {
  const span = tracer.start(`deliver ${type}`, 'client', {
    parent: null,
    // The address is often a secret itself.
    attributes: {
      'standing.notification_id': notificationId,
      'standing.webhook_id': subscriptionId,
      'standing.attempt': attempts + 1,
    },
  })
  return tracer.run(span, async () => {
    const attempt = await post()
    const { outcome, status } = attempt
    span.attributes = {
      ...span.attributes,
      'standing.outcome': outcome,
      ...(status !== null && { 'http.response.status_code': status }),
    }
    span.isError = outcome !== 'delivered'
    return attempt
  })
}
