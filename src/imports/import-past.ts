/** Imports the past of platforms: their reports, folded at the times at which they happened. */
import { TrustError } from '../domain/error.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { PlatformRow, Store } from '../store/store.ts'
import { createBatchImporter } from './batch-importer.ts'
import { type NumberedReport, type PastLine, reportOf } from './past-reports.ts'
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
 * Reads the lines in order and imports them in batches. While two batches are being imported, the next one is read:
 * three are in memory, however many lines there are.
 */
export async function importPast(
  { store, recorder, onEventsImported }: ImportDeps,
  lines: AsyncIterable<PastLine>,
  { name, isDryRun }: ImportOptions,
): Promise<Imported> {
  const summary = newSummary()
  const importedAt = recorder.now()
  const platformOf = createPlatformReader(store)
  const importer = await createBatchImporter({
    store,
    recorder,
    isDryRun,
    summary,
    onEventsImported,
  })
  let batch: NumberedReport[] = []
  try {
    for await (const { line, content } of lines) {
      summary.lines += 1
      const as = { importedAt, requestName: `import ${name} ${line}` }
      const report =
        content instanceof TrustError
          ? content
          : reportOf(content, await platformOf(content.platformId), as)
      if (report instanceof TrustError) {
        addOutcome(summary, line, report)
        continue
      }
      batch.push({ line, report })
      if (batch.length >= importer.linesMax()) {
        await importer.start(batch)
        batch = []
      }
    }
    if (batch.length > 0) {
      await importer.start(batch)
    }
    await importer.finished()
    const states = await importer.states([...summary.agents].map(([agentId]) => agentId))
    summary.errors.sort((a, b) => a.line - b.line)
    return { ...summary, agents: scoresOf(summary, states, recorder.model, recorder.now()) }
  } finally {
    await importer.close()
  }
}

/** Reads each platform once, as long as not too many others follow. */
function createPlatformReader({ platforms }: Store): (id: string) => Promise<PlatformRow | null> {
  const known = createBoundedMap<string, PlatformRow | null>(PLATFORMS_MAX)
  return async (id) => {
    const platform = known.get(id)
    if (platform !== undefined) {
      return platform
    }
    const found = await platforms.find({ id })
    known.set(id, found)
    return found
  }
}
