/** Imports the past of platforms: their reports, folded at the times at which they happened. */
import { TrustError } from '../domain/error.ts'
import type { RuleSettings } from '../fraud/rules.ts'
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

/** A batch is decided while the one before is written: more would not be faster. */
const BATCHES_AT_ONCE = 2

/**
 * Reads the lines in order and imports them in batches. While two batches are being imported, the next one is read:
 * three are in memory, however many lines there are.
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
  const past = { ...recorder, limits: { ...recorder.limits, rateLimits: false } }
  const dryRun = isDryRun ? await createDryRun(past) : null
  const ingest = store.events.ingestPast()
  // A dry run decides on what the batch before came to.
  const atOnce = dryRun ? 1 : BATCHES_AT_ONCE

  async function platform(id: string): Promise<PlatformRow | null> {
    const known = platforms.get(id)
    if (known !== undefined) {
      return known
    }
    const found = await store.platforms.find(id)
    platforms.set(id, found)
    return found
  }

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
    if (!isDryRun) {
      onEventsImported(summary.imported + summary.quarantined - before)
    }
    for (const { agentId } of agentStates) {
      summary.agents.set(agentId, true)
    }
    const doneAt = performance.now()
    // A dry run writes no rows of platforms: large batches would only take more memory.
    if (!dryRun) {
      linesMax = linesOfNext(batch.length, doneAt - Math.max(begunAt, lastDoneAt))
    }
    lastDoneAt = doneAt
  }

  /** The batches that are being imported, the first one first. A failure shows where a batch is waited for. */
  const importing: Promise<void>[] = []
  async function start(batch: readonly NumberedReport[]): Promise<void> {
    while (importing.length >= atOnce) {
      await importing.shift()
    }
    // Read before, because batches are decided in the order in which they reach the store.
    const one = importBatch(batch, await recorder.rules.current(store))
    one.catch(() => undefined)
    importing.push(one)
  }

  let batch: NumberedReport[] = []
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
        await start(batch)
        batch = []
      }
    }
    if (batch.length > 0) {
      await start(batch)
    }
    await Promise.all(importing)
    const ids = [...summary.agents].map(([agentId]) => agentId)
    const states = dryRun?.states(ids) ?? (await store.agentStates.findMany(ids))
    summary.errors.sort((a, b) => a.line - b.line)
    return { ...summary, agents: scoresOf(summary, states, recorder.model, recorder.now()) }
  } finally {
    await Promise.allSettled(importing)
    await dryRun?.close()
  }
}
