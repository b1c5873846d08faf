/** Imports the past of platforms: their reports, folded at the times at which they happened. */
import { notFound, TrustError } from '../domain/error.ts'
import { scoreAt } from '../domain/score.ts'
import { type Recorder, recordReports, type Submission } from '../ingest/record-reports.ts'
import type { Report, ReportedEvent, ReportOutcome } from '../ingest/report.ts'
import type { AgentState, PlatformRow, Store } from '../store/store.ts'
import { createDryRun, type Decided } from './dry-run.ts'
import { addOutcome, newSummary, type Summary } from './summary.ts'

/** A line of a past: one event that a platform saw, and when. */
export interface PastEvent {
  readonly at: number
  readonly agentId: string
  readonly platformId: string
  readonly event: ReportedEvent
}

/** A line with its number in the file, from 1: what it says, or what is wrong with it. */
export interface PastLine {
  readonly line: number
  readonly content: PastEvent | TrustError
}

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

/** Events in one transaction: a commit is then short against the work, and blocks no report for long. */
const BATCH_LINES = 200

/** Reads the lines in order and imports them, a batch at a time: the memory does not grow with them. */
export async function importPast(
  { store, recorder, onEventsImported }: ImportDeps,
  lines: AsyncIterable<PastLine>,
  { name, isDryRun }: ImportOptions,
): Promise<Summary> {
  const importedAt = recorder.now()
  const summary = newSummary()
  const platforms = new Map<string, PlatformRow | null>()
  // The hourly limits are for reports as they happen. A past is the operator's own act.
  const past = { ...recorder, policy: { ...recorder.policy, rateLimits: false } }
  const dryRun = isDryRun ? createDryRun(past) : null

  async function platform(id: string): Promise<PlatformRow | null> {
    const known = platforms.get(id)
    if (known !== undefined) {
      return known
    }
    const found = await store.platforms.find(id)
    platforms.set(id, found)
    return found
  }

  async function importBatch(batch: readonly Readable[]): Promise<void> {
    const reports = batch.map(({ report }) => report)
    const { outcomes, agentStates } = dryRun
      ? await dryRun.decide(store, reports)
      : await record(store, past, reports)
    const before = summary.imported + summary.quarantined
    for (const [i, outcome] of outcomes.entries()) {
      addOutcome(summary, batch[i]?.line ?? 0, outcome)
    }
    if (!isDryRun) {
      onEventsImported(summary.imported + summary.quarantined - before)
    }
    for (const state of agentStates) {
      summary.agents.set(state.agentId, scoreNow(recorder, state))
    }
  }

  let batch: Readable[] = []
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
    if (batch.length >= BATCH_LINES) {
      await importBatch(batch)
      batch = []
    }
  }
  if (batch.length > 0) {
    await importBatch(batch)
  }
  return summary
}

interface Readable {
  readonly line: number
  readonly report: Report
}

function reportOf(
  { at, agentId, platformId, event }: PastEvent,
  platform: PlatformRow | null,
  { importedAt, signature }: { readonly importedAt: number; readonly signature: string },
): Report | TrustError {
  if (!platform) {
    return notFound('platform')
  }
  if (at > importedAt) {
    return new TrustError('VALIDATION_ERROR', 'at lies in the future; a past has happened already')
  }
  return {
    agentId,
    reporter: { kind: 'platform', id: platformId },
    reporterOwnerId: platform.ownerId,
    reporterVerified: platform.verified,
    attestation: 'none',
    signature,
    events: [event],
    past: { at, importedAt },
  }
}

function submissionOf(report: Report): Submission<ReportOutcome> {
  return {
    report,
    idempotencyScope: null,
    earlier: () => null,
    respond: (outcome) => ({ response: outcome, stored: null }),
  }
}

async function record(
  store: Store,
  recorder: Recorder,
  reports: readonly Report[],
): Promise<Decided> {
  const submissions = reports.map(submissionOf)
  const recorded = await recordReports(store, recorder, submissions, { skipsLocked: false })
  const outcomes = recorded.responses.map((response) => {
    if (response === null || response instanceof TrustError) {
      throw response ?? new Error('an imported event was neither recorded nor refused')
    }
    return response
  })
  return { outcomes, agentStates: recorded.agentStates }
}

function scoreNow({ model, now }: Recorder, { evidence }: AgentState): number {
  return scoreAt(model, evidence, now()).score
}
