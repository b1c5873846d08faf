import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { once } from '../lib/once.ts'
import { shareReads } from '../lib/shared-read.ts'
import { type Counters, createCounters, SECONDS } from './counters.ts'
import { createRequestMetrics } from './request-metrics.ts'

/** Metrics for Prometheus. No label has a value that callers choose. */
export interface Metrics extends Counters {
  /** A response was sent. `operation` is the operation's id, `page`, or `none` where no path fits. */
  responded(operation: string, status: number, seconds: number): void
  /** Reads `value` each time the metrics are read. */
  gauge(name: string, help: string, value: () => number): void
  /** Adds a gauge with a value for each label. */
  gauges(name: string, help: string, label: string, values: () => Values): void
  /** Adds a counter, whose value only grows. */
  counter(name: string, help: string, value: () => number): void
  counters(name: string, help: string, label: string, values: () => Values): void
  /** A gauge of 1, whose labels say something. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void
  /** Runs before the metrics are read, for gauges of what has to be waited for. It bounds its own cost. */
  beforeRead(read: () => Promise<void>): void
  readonly contentType: string
  text(): Promise<string>
}

export type Values = Readonly<Record<string, number>> | ReadonlyMap<string, number>

/**
 * Prometheus scrapes about every ten seconds; more frequent reads may get figures that are a second
 * old.
 */
const AGE_MAX_MS = 1_000

/** Gauges of prom-client with the suffix of a counter. The same figures are there by kind, without it. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * What the process and Node.js say of themselves, for all services in this process: each collector
 * starts a timer and an observer that never end.
 */
const processMetrics = once(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) {
    registry.removeSingleMetric(name)
  }
  return registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? [])
})

/** `worker` is the number of this process among those that serve one address. */
export function createMetrics(worker?: number): Metrics {
  const registry = new Registry()
  if (worker !== undefined) {
    registry.setDefaultLabels({ worker: String(worker) })
  }
  const registers = [registry]
  for (const metric of processMetrics()) {
    registry.registerMetric(metric)
  }
  const { add } = createRequestMetrics(registry, SECONDS)
  const waitFor: (() => Promise<void>)[] = []
  const written = shareReads({ read: () => registry.metrics(), ageMaxMs: AGE_MAX_MS })
  return {
    ...createCounters(registry),
    responded: add,
    gauge(name, help, value) {
      new Gauge<string>({ name, help, registers, collect: collecting(value) })
    },
    gauges(name, help, label, values) {
      new Gauge({
        name,
        help,
        registers,
        labelNames: [label],
        collect: collectingBy(label, values),
      })
    },
    counter(name, help, value) {
      new Counter<string>({ name, help, registers, collect: collecting(value) })
    },
    counters(name, help, label, values) {
      const collect = collectingBy(label, values)
      new Counter({ name, help, registers, labelNames: [label], collect })
    },
    info(name, help, labels) {
      const made = new Gauge({ name, help, registers, labelNames: Object.keys(labels) })
      made.set(labels, 1)
    },
    beforeRead(read) {
      waitFor.push(read)
    },
    contentType: registry.contentType,
    async text() {
      await Promise.all(waitFor.map((read) => read()))
      return written()
    },
  }
}

/** What gauges and counters of prom-client have in common, so that both are read in one way. */
interface Collected {
  reset(): void
  inc(value: number): void
  inc(labels: Readonly<Record<string, string>>, value: number): void
}

function collecting(value: () => number) {
  return function collect(this: Collected): void {
    this.reset()
    this.inc(value())
  }
}

function collectingBy(label: string, values: () => Values) {
  return function collect(this: Collected): void {
    this.reset()
    const current = values()
    for (const [of, value] of current instanceof Map ? current : Object.entries(current)) {
      this.inc({ [label]: of }, value)
    }
  }
}
