/** Imports the past of platforms: their reports, folded at the times at which they happened. */
import { TrustError } from '../domain/error.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { PlatformRow, Store } from '../store/store.ts'
import { BATCH_LINES_MIN, linesOfNext } from './batch-size.ts'
import { createDryRun } from './dry-run.ts'
import { type NumberedReport, type PastLine, recordPast, reportOf } from './past-reports.ts'
import { type AgentScore, addOutcome, newSummary, type Summary, scoresOf } from './summary.ts'

export interface ImportOptions {
  /** Events without an `externalId` are known by this name and the number of their line. */
  readonly name: string
  /** Decides on everything as an import does, and writes nothing. */
  readonly isDryRun: boolean
}

export interface ImportDeps {
  readonly store: Store
  readonly recorder: Recorder
  /** Called for each batch with the number of new events. */
  readonly onEventsImported: (count: number) => void
}

export type Imported = Omit<Summary, 'agents'> & { readonly agents: readonly AgentScore[] }

/** Platforms kept at hand, a few hundred bytes each. A line may name any id, so they are limited. */
const PLATFORMS_MAX = 1_000

/**
 * Reads the lines in order and imports them, a batch at a time, while the next batch is read: two batches are
 * in memory, however many lines there are.
 */
export async function importPast(
  { store, recorder, onEventsImported }: ImportDeps,
  lines: AsyncIterable<PastLine>,
  { name, isDryRun }: ImportOptions,
): Promise<Imported> {
  const importedAt = recorder.now()
  const summary = newSummary()
  const platforms = createBoundedMap<string, PlatformRow | null>(PLATFORMS_MAX)
  // The hourly limits are for reports as they happen. A past is the operator's own act.
  const past = { ...recorder, policy: { ...recorder.policy, rateLimits: false } }
  const dryRun = isDryRun ? await createDryRun(past) : null

  async function platform(id: string): Promise<PlatformRow | null> {
    const known = platforms.get(id)
    if (known !== undefined) {
      return known
    }
    const found = await store.platforms.find(id)
    platforms.set(id, found)
    return found
  }

  /** How many lines the next batch is to have. */
  async function importBatch(batch: readonly NumberedReport[]): Promise<number> {
    const begun = performance.now()
    const reports = batch.map(({ report }) => report)
    const { outcomes, agentStates } = dryRun
      ? await dryRun.decide(store, reports)
      : await recordPast(store, past, reports)
    const before = summary.imported + summary.quarantined
    for (const [i, outcome] of outcomes.entries()) {
      addOutcome(summary, batch[i]?.line ?? 0, outcome)
    }
    if (!isDryRun) {
      onEventsImported(summary.imported + summary.quarantined - before)
    }
    for (const { agentId } of agentStates) {
      summary.agents.set(agentId, true)
    }
    // A dry run writes no rows of platforms: large batches would only take more memory.
    return dryRun ? BATCH_LINES_MIN : linesOfNext(batch.length, performance.now() - begun)
  }

  /** The batch that is being imported. Its failure shows where it is waited for. */
  let importing: Promise<number> = Promise.resolve(BATCH_LINES_MIN)
  async function start(batch: readonly NumberedReport[]): Promise<number> {
    const linesMax = await importing
    importing = importBatch(batch)
    importing.catch(() => undefined)
    return linesMax
  }

  let batch: NumberedReport[] = []
  let linesMax: number = BATCH_LINES_MIN
  try {
    for await (const { line, content } of lines) {
      summary.lines += 1
      const report =
        content instanceof TrustError
          ? content
          : reportOf(content, await platform(content.platformId), {
              importedAt,
              signature: `import ${name} ${line}`,
            })
      if (report instanceof TrustError) {
        addOutcome(summary, line, report)
        continue
      }
      batch.push({ line, report })
      if (batch.length >= linesMax) {
        linesMax = await start(batch)
        batch = []
      }
    }
    if (batch.length > 0) {
      await start(batch)
    }
    await importing
    const ids = [...summary.agents].map(([agentId]) => agentId)
    const states = dryRun?.states(ids) ?? (await store.scores.findMany(ids))
    summary.errors.sort((a, b) => a.line - b.line)
    return { ...summary, agents: scoresOf(summary, states, recorder.model, recorder.now()) }
  } finally {
    await importing.catch(() => undefined)
    await dryRun?.close()
  }
}
