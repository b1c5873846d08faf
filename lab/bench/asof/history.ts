import type { EventType } from '../../../src/domain/event.ts'
import { HOUR_MS } from '../../../src/domain/time.ts'
import { recordReports, withoutKey } from '../../../src/ingest/record-reports.ts'
import type { Report } from '../../../src/ingest/report.ts'
import type { Store } from '../../../src/store/store.ts'
import { benchRecorder } from '../recorder.ts'

export interface History {
  /** When its first and its last event happened. */
  readonly from: number
  readonly to: number
  /** Quarantined events: one of the middle, and one of the last thousand. */
  readonly quarantined: { readonly middle: string; readonly late: string }
}

export interface HistoryOptions {
  readonly agentId: string
  readonly platformIds: readonly string[]
  readonly events: number
  /** Between two batches; an hour by default. */
  readonly everyMs?: number
  /** Whether some events are quarantined; by default two are. */
  readonly isQuarantined?: boolean
}

/** In one transaction, as many as the service takes at once. */
const BATCH = 256

/** Four of five good, some of them payments. */
const TYPES: readonly EventType[] = [
  'task.completed',
  'payment.completed',
  'task.completed',
  'task.failed',
  'uptime.report',
]

/** Records a past that ends now, in batches. */
export async function recordHistory(
  store: Store,
  { agentId, platformIds, events, everyMs = HOUR_MS, isQuarantined = true }: HistoryOptions,
): Promise<History> {
  const importedAt = Date.now()
  const batches = Math.ceil(events / BATCH)
  const from = importedAt - batches * everyMs
  const recorder = benchRecorder(() => importedAt)
  const quarantined = { middle: '', late: '' }
  for (let i = 0; i < batches; i++) {
    const place = i === Math.floor(batches / 2) ? 'middle' : i === batches - 4 ? 'late' : null
    const report: Report = {
      agentId,
      reporter: { kind: 'platform', id: platformIds[i % platformIds.length] ?? '' },
      reporterOwnerId: null,
      reporterVerified: true,
      attestation: 'none',
      requestName: `history ${i}`,
      events: Array.from({ length: BATCH }, (_, k) =>
        eventOf(i * BATCH + k, isQuarantined && place !== null && k === 0),
      ),
      past: { at: from + i * everyMs, importedAt },
    }
    const { events: written } = await recordReports(store, recorder, [withoutKey(report)], {
      skipsLocked: false,
    })
    if (place && isQuarantined) {
      quarantined[place] = written.find(({ event }) => event.isQuarantined)?.event.id ?? ''
    }
  }
  return { from, to: from + batches * everyMs, quarantined }
}

/** A task that was completed without success contradicts itself, and is quarantined. */
function eventOf(i: number, isWrong: boolean) {
  const externalId = `order-${i}`
  return isWrong
    ? { type: 'task.completed' as const, data: { success: false }, externalId }
    : {
        type: TYPES[i % TYPES.length] ?? 'task.completed',
        data: { duration: 1_000 + (i % 977) },
        externalId,
      }
}
