import { unavailable } from '../../domain/error.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'

export interface HealthOptions {
  /** Why the service cannot serve just now; null when it can. */
  readonly notReady: () => Promise<string | null>
  readonly metrics: {
    readonly contentType: string
    text(): Promise<string>
  }
}

const METRICS_TYPE = 'text/plain'

const Healthy = z.object({ status: z.literal('ok') }).openapi('Health')

const MetricsText = z.string().openapi({
  example:
    '# HELP standing_requests_total Requests answered, by operation and status\n' +
    '# TYPE standing_requests_total counter\n' +
    'standing_requests_total{operation="getScore",status="200"} 4711\n',
})

/** For whatever watches the service. */
export function healthRoutes({ notReady, metrics }: HealthOptions): readonly Route[] {
  const common = {
    method: 'get',
    tag: 'Health',
    callers: ['anonymous'],
    isUncounted: true,
  } as const

  const health = route({
    ...common,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the process lives',
    description: 'Asks nothing of the database: an answer is all there is to know.',
    answers: { 200: { description: 'It does', schema: Healthy } },
    handle: async () => ok({ status: 'ok' }, NOT_STORED),
  })

  const readiness = route({
    ...common,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether the service can serve',
    description: 'Where it cannot, `details.reason` says why: its database is away, or it drains.',
    answers: { 200: { description: 'It can', schema: Healthy } },
    errors: ['SERVICE_UNAVAILABLE'],
    async handle() {
      const reason = await notReady()
      if (reason !== null) {
        throw unavailable(`not ready: ${reason}`, { reason })
      }
      return ok({ status: 'ok' }, NOT_STORED)
    },
  })

  const figures = route({
    ...common,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics as Prometheus reads them',
    description: 'Requests, events, transactions, connections, the process itself.',
    answers: {
      200: { description: 'Prometheus text', schema: MetricsText, contentType: METRICS_TYPE },
    },
    handle: async () =>
      ok(await metrics.text(), { 'content-type': metrics.contentType, ...NOT_STORED }),
  })

  return [health, readiness, figures]
}

/** What was so a moment ago says nothing of now. */
const NOT_STORED = { 'cache-control': 'no-store' }
