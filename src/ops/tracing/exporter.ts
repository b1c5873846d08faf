import { startInterval } from '../../lib/interval.ts'
import type { TracingSettings } from '../../settings/tracing.ts'
import { otlpBody } from './otlp.ts'
import type { Span } from './span.ts'

/** Sends spans in batches, apart from the work that they are about. What cannot be sent is dropped. */
export interface Exporter {
  add(span: Span): void
  /** Spans by what became of them. */
  counts(): Readonly<Record<'exported' | 'dropped', number>>
  /** Sends what waits, once. */
  close(): Promise<void>
}

export interface ExporterOptions {
  readonly settings: TracingSettings
  /** The release. */
  readonly version: string
  /** Called when a batch could not be sent, after one that could. */
  readonly onFailed: (error: unknown) => void
}

/** The defaults of OpenTelemetry for spans that wait, for those in one request, and for its rhythm. */
const WAITING_MAX = 2_048
const BATCH_MAX = 512
const EVERY_MS = 5_000

/** When the service ends, a collector that does not answer keeps it no longer. */
const CLOSE_MAX_MS = 2_000

export function createExporter({ settings, version, onFailed }: ExporterOptions): Exporter {
  const { endpoint, headers, timeoutMs, serviceName } = settings
  const resource = { 'service.name': serviceName, 'service.version': version, ...settings.resource }
  const waiting: Span[] = []
  const counts = { exported: 0, dropped: 0 }
  let isFailing = false

  async function post(spans: readonly Span[], maxMs: number): Promise<void> {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: otlpBody(spans, resource, version),
      signal: AbortSignal.timeout(maxMs),
      redirect: 'error',
    })
    await response.arrayBuffer()
    if (!response.ok) {
      throw new Error(`the collector answered ${response.status}`)
    }
  }

  async function send(maxMs: number): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      try {
        await post(batch, maxMs)
        counts.exported += batch.length
        isFailing = false
      } catch (error) {
        counts.dropped += batch.length
        if (!isFailing) {
          onFailed(error)
        }
        isFailing = true
        return
      }
    }
  }

  const interval = startInterval({
    everyMs: EVERY_MS,
    work: () => send(timeoutMs),
    onError: onFailed,
  })
  return {
    add(span) {
      if (waiting.length < WAITING_MAX) {
        waiting.push(span)
      } else {
        counts.dropped++
      }
    },
    counts: () => counts,
    async close() {
      await interval.stop()
      await send(Math.min(timeoutMs, CLOSE_MAX_MS))
    },
  }
}
