/** Commits a batch, and answers its reports. */
import { TrustError } from '../../domain/error.ts'
import type { SpanContext } from '../../lib/span-context.ts'
import { NotTogether, type Store, StoreUnavailable } from '../../store/store.ts'
import { type Recorder, recordReports } from '../record-reports.ts'
import type { QueuedReport } from './queue.ts'

/** Events that were committed together. */
export interface CommittedBatch {
  readonly events: number
  /** How many of them are quarantined. */
  readonly quarantined: number
  readonly seconds: number
}

export interface BatchWriterOptions {
  readonly store: Store
  readonly recorder: Recorder
  /** Called for each transaction that stored events. */
  readonly onBatchCommitted: (batch: CommittedBatch) => void
  /** Traces the transactions; null where nothing is traced. */
  readonly trace?: FlushTrace | null
}

export interface FlushTrace {
  /** The span in which a report was made. */
  current(): SpanContext | null
  /** Runs the transaction of the reports that were made in these spans. */
  flush<T>(reports: readonly SpanContext[], work: () => Promise<T>): Promise<T>
}

/**
 * Commits a batch and answers it, except for the requests whose agent is locked: these it returns. If
 * the batch fails while the database is there, each request is tried alone, so that one that cannot
 * be recorded fails none of the others.
 *
 * @throws NotTogether where nothing was answered, and each part of the batch is to be committed by itself
 */
export async function commit(
  options: BatchWriterOptions,
  batch: readonly QueuedReport[],
  skipsLocked: boolean,
): Promise<readonly QueuedReport[]> {
  if (batch.length === 0) {
    return []
  }
  try {
    const responses = await record(options, batch, skipsLocked)
    return batch.filter((one, i) => !isAnswered(one, responses[i]))
  } catch (error) {
    if (error instanceof NotTogether) {
      throw error
    }
    if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
      return commitEach(options, batch, skipsLocked)
    }
    rejectAll(batch, error)
    return []
  }
}

async function commitEach(
  options: BatchWriterOptions,
  batch: readonly QueuedReport[],
  skipsLocked: boolean,
): Promise<readonly QueuedReport[]> {
  const locked: QueuedReport[] = []
  for (const one of batch) {
    locked.push(...(await commit(options, [one], skipsLocked)))
  }
  return locked
}

export function rejectAll(batch: readonly QueuedReport[], error: unknown): void {
  for (const { reject } of batch) {
    reject(error)
  }
}

async function record(
  { store, recorder, onBatchCommitted, trace = null }: BatchWriterOptions,
  batch: readonly QueuedReport[],
  skipsLocked: boolean,
): Promise<readonly unknown[]> {
  const submissions = batch.map(({ submission }) => submission)
  const startedAt = performance.now()
  const work = () => recordReports(store, recorder, submissions, { skipsLocked })
  const spans = trace === null ? [] : batch.flatMap(({ span }) => span ?? [])
  const written = trace === null ? await work() : await trace.flush(spans, work)
  const events = written.events.length
  if (events > 0) {
    const quarantined = written.events.filter(({ event }) => event.isQuarantined).length
    onBatchCommitted({ events, quarantined, seconds: (performance.now() - startedAt) / 1000 })
  }
  return written.responses
}

/** Answers a request, unless its agent is locked. */
function isAnswered({ resolve, reject }: QueuedReport, response: unknown): boolean {
  if (response === undefined) {
    reject(new Error('a report was recorded without a response'))
  } else if (response instanceof TrustError) {
    reject(response)
  } else if (response !== null) {
    resolve(response)
  }
  return response !== null
}
