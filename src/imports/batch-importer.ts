import type { RuleSettings } from '../fraud/rules.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import type { AgentState, Store } from '../store/store.ts'
import { BATCH_LINES_MIN, linesOfNext } from './batch-size.ts'
import { createDryRun } from './dry-run.ts'
import { type NumberedReport, recordPast } from './past-reports.ts'
import { addOutcome, type Summary } from './summary.ts'

export interface BatchImporterOptions {
  readonly store: Store
  readonly recorder: Recorder
  readonly isDryRun: boolean
  /** What becomes of each line is added to it. */
  readonly summary: Summary
  /** Called for each batch with the number of new events. */
  readonly onEventsImported: (count: number) => void
}

/** Imports batches in the order in which they are started, or decides on them as an import does. */
export interface BatchImporter {
  /** Waits until this batch may be started. Rejects where one before it failed. */
  start(batch: readonly NumberedReport[]): Promise<void>
  /** Waits for the batches that were started. */
  finished(): Promise<void>
  /** Lines of the next batch. */
  linesMax(): number
  /** The states of agents after the batches so far. */
  states(agentIds: readonly string[]): Promise<ReadonlyMap<string, AgentState>>
  close(): Promise<void>
}

/** A batch is decided while the one before is written: more would not be faster. */
const BATCHES_AT_ONCE = 2

export async function createBatchImporter(options: BatchImporterOptions): Promise<BatchImporter> {
  const { store, recorder, isDryRun, summary, onEventsImported } = options
  // The hourly limits are for reports as they happen. A past is the operator's own act.
  const past = { ...recorder, limits: { ...recorder.limits, rateLimits: false } }
  const dryRun = isDryRun ? await createDryRun(past) : null
  const ingest = store.events.ingestPast()
  // A dry run decides on what the batch before came to.
  const atOnce = dryRun ? 1 : BATCHES_AT_ONCE
  /** The batches that are being imported, the first one first. A failure shows where a batch is waited for. */
  const importing: Promise<void>[] = []
  let linesMax: number = BATCH_LINES_MIN
  let lastDoneAt = 0

  async function importBatch(batch: readonly NumberedReport[], rules: RuleSettings): Promise<void> {
    const begunAt = performance.now()
    const reports = batch.map(({ report }) => report)
    const { outcomes, agentStates } = dryRun
      ? await dryRun.decide(store, reports)
      : await recordPast(store, { ...past, rules: { current: async () => rules } }, reports, ingest)
    const before = summary.imported + summary.quarantined
    for (const [i, outcome] of outcomes.entries()) {
      addOutcome(summary, batch[i]?.line ?? 0, outcome)
    }
    for (const { agentId } of agentStates) {
      summary.agents.set(agentId, true)
    }
    // A dry run writes no rows of platforms: large batches would only take more memory.
    if (!dryRun) {
      onEventsImported(summary.imported + summary.quarantined - before)
      const doneAt = performance.now()
      linesMax = linesOfNext(batch.length, doneAt - Math.max(begunAt, lastDoneAt))
      lastDoneAt = doneAt
    }
  }

  return {
    async start(batch) {
      while (importing.length >= atOnce) {
        await importing.shift()
      }
      // Read before, because batches are decided in the order in which they reach the store.
      const one = importBatch(batch, await recorder.rules.current(store))
      one.catch(() => undefined)
      importing.push(one)
    },
    async finished() {
      await Promise.all(importing)
    },
    linesMax: () => linesMax,
    states: async (agentIds) => dryRun?.states(agentIds) ?? store.agentStates.findMany(agentIds),
    async close() {
      await Promise.allSettled(importing)
      await dryRun?.close()
    },
  }
}
