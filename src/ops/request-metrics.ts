import type { Metric, Registry } from 'prom-client'

/** Counts responses and the time they took, by operation. */
export interface RequestMetrics {
  add(operation: string, status: number, seconds: number): void
}

interface Counts {
  readonly byStatus: Map<number, number>
  /** How many took at most as long as each bound, and longer than the bound before. */
  readonly upTo: number[]
  seconds: number
  count: number
}

/**
 * Plain counters, read when Prometheus asks. The counters of prom-client look up their labels each time
 * they count, which takes as long as everything else that a cached score needs.
 */
export function createRequestMetrics(
  registry: Registry,
  bounds: readonly number[],
): RequestMetrics {
  const operations = new Map<string, Counts>()

  function countsOf(operation: string): Counts {
    const known = operations.get(operation)
    if (known) {
      return known
    }
    const counts = { byStatus: new Map(), upTo: bounds.map(() => 0), seconds: 0, count: 0 }
    operations.set(operation, counts)
    return counts
  }

  publish(registry, {
    name: 'standing_requests_total',
    type: 'counter',
    help: 'Requests served, by operation and status',
    values: () =>
      [...operations].flatMap(([operation, { byStatus }]) =>
        [...byStatus].map(([status, value]) => ({
          labels: { operation, status: String(status) },
          value,
        })),
      ),
  })
  const name = 'standing_request_seconds'
  publish(registry, {
    name,
    type: 'histogram',
    help: 'Time from a request to its response, by operation',
    values: () =>
      [...operations].flatMap(([operation, counts]) =>
        histogram(name, { operation }, bounds, counts),
      ),
  })
  return {
    add(operation, status, seconds) {
      const counts = countsOf(operation)
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
      counts.seconds += seconds
      counts.count++
      const at = bounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) {
        counts.upTo[at] = (counts.upTo[at] ?? 0) + 1
      }
    },
  }
}

interface Value {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

function histogram(
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  { upTo, seconds, count }: Counts,
): readonly Value[] {
  let below = 0
  const buckets = bounds.map((le, i) => {
    below += upTo[i] ?? 0
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

interface Published {
  readonly name: string
  readonly type: 'counter' | 'histogram'
  readonly help: string
  /** Called each time the metrics are read. */
  readonly values: () => readonly Value[]
}

function publish(registry: Registry, { name, type, help, values }: Published): void {
  const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' })
  // The registry uses no more of a metric than this.
  registry.registerMetric({ name, get } as unknown as Metric)
}
