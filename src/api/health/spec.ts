import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'

const Healthy = z.object({ status: z.literal('ok') }).openapi('Health')

const Ready = z
  .object({
    status: z.enum(['ok', 'degraded']),
    reason: z.string().optional().openapi({
      description: 'What is wrong, such as `the disk is nearly full: writes are refused`.',
    }),
  })
  .openapi('Readiness', { example: { status: 'ok' } })

const MetricsText = z.string().openapi({
  example:
    '# HELP standing_requests_total Requests served, by operation and status\n' +
    '# TYPE standing_requests_total counter\n' +
    'standing_requests_total{operation="getScore",status="200"} 4711\n',
})

const MONITORING = {
  method: 'get',
  tag: 'Health',
  callers: ['anonymous'],
  isUnmetered: true,
} as const

export const HEALTH_SPECS = {
  getHealth: {
    ...MONITORING,
    path: '/healthz',
    summary: 'Check that the process is alive',
    description: 'No credential needed, no rate limit. Does not use the database.',
    responses: { 200: { description: 'The process is alive', schema: Healthy } },
  },
  getReadiness: {
    ...MONITORING,
    path: '/readyz',
    summary: 'Check that the service can serve requests',
    description:
      'No credential needed, no rate limit. `SERVICE_UNAVAILABLE` with `details.reason` when the ' +
      'database cannot be reached or written to, or the service is shutting down. `degraded` with a `reason` when it ' +
      'refuses writes, or when the stored state of an agent differs from its log.',
    responses: { 200: { description: 'The service is ready', schema: Ready } },
    errors: ['SERVICE_UNAVAILABLE'],
  },
  getMetrics: {
    ...MONITORING,
    path: '/metrics',
    summary: 'Get metrics in the Prometheus text format',
    description:
      'No credential needed, no rate limit. Covers requests, events, transactions, connections and ' +
      'the process.',
    responses: {
      200: { description: 'Prometheus text', schema: MetricsText, contentType: 'text/plain' },
    },
  },
} as const satisfies RouteSpecs
