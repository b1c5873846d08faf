import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** How often a timer shows how late the event loop is. Each time wakes a process that has nothing to do. */
const INTERVAL_MS = 100

/** For prom-client, whose own timer would fire 100 times a second. */
export const NEVER_MS = 2 ** 31 - 1

/** By what follows `nodejs_eventloop_lag_`, as prom-client names them. */
const FIGURES: Readonly<Record<string, (times: IntervalHistogram) => number>> = {
  min_seconds: ({ min }) => lagOf(min),
  max_seconds: ({ max }) => lagOf(max),
  mean_seconds: ({ mean }) => lagOf(mean),
  stddev_seconds: ({ stddev }) => stddev / NS_PER_SECOND,
  p50_seconds: (times) => lagOf(times.percentile(50)),
  p90_seconds: (times) => lagOf(times.percentile(90)),
  p99_seconds: (times) => lagOf(times.percentile(99)),
}

const NS_PER_SECOND = 1e9

/** How late the event loop was, of the time from one timer to the next. */
function lagOf(ns: number): number {
  return Math.max(0, ns / NS_PER_SECOND - INTERVAL_MS / 1_000)
}

/** Replaces the gauges of prom-client that are read from its timer. Each read begins a new period. */
export function replaceEventLoopLag(registry: Registry): void {
  const times = monitorEventLoopDelay({ resolution: INTERVAL_MS })
  times.enable()
  const gauges = Object.entries(FIGURES).map(([figure, read]) => {
    const name = `nodejs_eventloop_lag_${figure}`
    registry.removeSingleMetric(name)
    const help = 'How late the event loop was, in seconds, since the metrics were last read.'
    return { gauge: new Gauge({ name, help, registers: [], collect }), read }
  })
  for (const { gauge } of gauges) {
    registry.registerMetric(gauge)
  }

  /** Of all of them, with the first that is read. */
  function collect(): void {
    if (times.count === 0) {
      return
    }
    for (const { gauge, read } of gauges) {
      gauge.set(read(times))
    }
    times.reset()
  }
}
