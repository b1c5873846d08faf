import { expect, test } from 'vitest'
import { figuresOf, operationsOf, parseMetrics } from '../src/pages/operator/health/metrics.ts'

const TEXT = `# HELP standing_requests_total Requests served, by operation and status
# TYPE standing_requests_total counter
standing_requests_total{operation="getScore",status="200"} 30
standing_requests_total{operation="getScore",status="404"} 10
standing_requests_total{operation="listAgents",status="200"} 50
# HELP standing_request_seconds Time from a request to its answer, by operation
standing_request_seconds_bucket{operation="getScore",le="0.5"} 40
standing_request_seconds_sum{operation="getScore"} 0.8
standing_request_seconds_count{operation="getScore"} 40
# HELP standing_events_total Events stored
standing_events_total{outcome="quarantined"} 3
process_cpu_seconds_total 12.5
`

test('operations are counted over all statuses, the busiest first', () => {
  const [first, second] = operationsOf(parseMetrics(TEXT))
  expect(first).toMatchObject({ operation: 'listAgents', count: 50, errors: 0 })
  expect(second).toMatchObject({ operation: 'getScore', count: 40, errors: 10 })
  expect(second?.meanMs).toBeCloseTo(20)
})

test('single figures have the service’s own description', () => {
  expect(figuresOf(parseMetrics(TEXT))).toEqual([{ label: 'Events stored: quarantined', value: 3 }])
})
