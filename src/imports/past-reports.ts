/** Lines of a past as reports, and how they are recorded. */
import { invalidField, notFound, TrustError } from '../domain/error.ts'
import { type Recorder, recordReports, withoutKey } from '../ingest/record-reports.ts'
import type { Report, ReportedEvent, ReportOutcome } from '../ingest/report.ts'
import type { AgentState, IngestEvents, PlatformRow, Store } from '../store/store.ts'

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

/** One outcome for each report, and the states of the agents after them. */
export interface Decided {
  readonly outcomes: readonly ReportOutcome[]
  readonly agentStates: readonly AgentState[]
}

/** What a line reports, with the number of the line. */
export interface NumberedReport {
  readonly line: number
  readonly report: Report
}

/** The report of a platform, as it came then. */
export function reportOf(
  { at, agentId, platformId, event }: PastEvent,
  platform: PlatformRow | null,
  { importedAt, requestName }: { readonly importedAt: number; readonly requestName: string },
): Report | TrustError {
  if (!platform) {
    return notFound('platform')
  }
  if (at > importedAt) {
    const message = 'must not lie in the future; write when the event happened'
    return invalidField('at', message, 'out_of_window')
  }
  return {
    agentId,
    reporter: { kind: 'platform', id: platformId },
    reporterOwnerId: platform.ownerId,
    reporterVerified: platform.verified,
    attestation: 'none',
    requestName,
    events: [event],
    past: { at, importedAt },
  }
}

export async function recordPast(
  store: Store,
  recorder: Recorder,
  reports: readonly Report[],
  ingest: IngestEvents,
): Promise<Decided> {
  const submissions = reports.map(withoutKey)
  const recorded = await recordReports(store, recorder, submissions, {
    skipsLocked: false,
    ingest,
  })
  const outcomes = recorded.responses.map((response) => {
    if (response === null || response instanceof TrustError) {
      throw response ?? new Error('an imported event was neither recorded nor refused')
    }
    return response
  })
  return { outcomes, agentStates: recorded.agentStates }
}
