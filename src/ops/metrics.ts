import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Attempt } from '../delivery/attempt.ts'
import type { CommittedBatch } from '../ingest/batch-writer.ts'
import { shareReads } from '../lib/shared-read.ts'
import { createRequestMetrics } from './request-metrics.ts'

/** Metrics for Prometheus. No label has a value that callers choose. */
export interface Metrics {
  /** A response was sent. `operation` is the operation's id, `page`, or `none` where no path fits. */
  responded(operation: string, status: number, seconds: number): void
  /** Events were committed together. */
  batchCommitted(batch: CommittedBatch): void
  /** A webhook was posted, or the attempt failed. */
  attempted(attempt: Attempt): void
  /** Retention removed something. */
  removed(what: string, count: number): void
  /** Reads `value` each time the metrics are read. */
  gauge(name: string, help: string, value: () => number): void
  /** The same for what only grows. */
  counter(name: string, help: string, value: () => number): void
  readonly contentType: string
  text(): Promise<string>
}

/** From a cached score (under a millisecond) to the statement timeout. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Up to the largest batch. */
const BATCH_EVENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** From a receiver on the same network to the time-out of a delivery. */
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/**
 * Prometheus scrapes about every ten seconds; more frequent reads may get figures that are a second
 * old.
 */
const AGE_MAX_MS = 1_000

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = createRequestMetrics(registry, SECONDS)
  const events = new Counter({
    name: 'standing_events_total',
    help: 'Events stored, by whether they count or are quarantined for review',
    labelNames: ['outcome'],
    registers,
  })
  const batchEvents = new Histogram({
    name: 'standing_ingest_batch_events',
    help: 'Events committed in one transaction',
    buckets: BATCH_EVENTS,
    registers,
  })
  const batchSeconds = new Histogram({
    name: 'standing_ingest_batch_seconds',
    help: 'Duration of one transaction of events, its commit included',
    buckets: SECONDS,
    registers,
  })
  const attempts = new Counter({
    name: 'standing_webhook_attempts_total',
    help: 'Webhook delivery attempts, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const attemptSeconds = new Histogram({
    name: 'standing_webhook_attempt_seconds',
    help: 'Time from an attempt to the response of the receiver, or to the failure',
    buckets: ATTEMPT_SECONDS,
    registers,
  })
  const removed = new Counter({
    name: 'standing_retention_removed_total',
    help: 'Rows whose content was removed because of their age, by kind',
    labelNames: ['kind'],
    registers,
  })
  return {
    responded: requests.add,
    removed: (kind, count) => removed.inc({ kind }, count),
    batchCommitted({ events: all, quarantined, seconds }) {
      events.inc({ outcome: 'counted' }, all - quarantined)
      events.inc({ outcome: 'quarantined' }, quarantined)
      batchEvents.observe(all)
      batchSeconds.observe(seconds)
    },
    attempted({ outcome, durationMs }) {
      attempts.inc({ outcome })
      attemptSeconds.observe(durationMs / 1000)
    },
    gauge(name, help, value) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value())
        },
      })
    },
    counter(name, help, value) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(value())
        },
      })
    },
    contentType: registry.contentType,
    text: shareReads({ read: () => registry.metrics(), ageMaxMs: AGE_MAX_MS }),
  }
}
