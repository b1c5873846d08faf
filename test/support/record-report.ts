import { randomUUID } from 'node:crypto'
import type { EventType } from '../../src/domain/event.ts'
import { MODEL } from '../../src/domain/model.ts'
import { recordReports, type Submission } from '../../src/ingest/record-reports.ts'
import type { Report, ReportOutcome } from '../../src/ingest/report.ts'
import type { Store } from '../../src/store/store.ts'

interface Given {
  readonly platformId: string
  /** Whether the operator verified the platform; by default it did not. */
  readonly isVerified?: boolean
  readonly type?: EventType
  readonly externalId?: string
  readonly key?: Uint8Array
  readonly eventsPerPlatformHour?: number
}

/** Records a report of one event of a platform, as the batch writer does. */
export async function recordReport(
  store: Store,
  agentId: string,
  {
    platformId,
    isVerified = false,
    type = 'task.completed',
    externalId,
    key,
    eventsPerPlatformHour = 1_000,
  }: Given,
): Promise<Answer> {
  const submission: Submission<Answer> = {
    report: {
      agentId,
      reporter: { kind: 'platform', id: platformId },
      reporterOwnerId: null,
      reporterVerified: isVerified,
      attestation: 'none',
      events: [{ type, externalId }],
    } as Report,
    idempotencyScope: key ?? null,
    earlier: (stored) => (stored === undefined ? null : 'answered before'),
    respond: (response) => ({
      response,
      stored: key
        ? { scope: key, fingerprint: key, sealed: key, expiresAt: Date.now() + 60_000 }
        : null,
    }),
  }
  const recorder = {
    now: Date.now,
    newId: randomUUID,
    model: MODEL,
    limits: {
      rateLimits: true,
      eventsPerAgentHour: 1_000,
      eventsPerPlatformHour,
      occurredAtDays: 30,
    },
    rules: { current: async () => new Map() },
    onScoreDrops: async () => {},
  }
  const { responses } = await recordReports(store, recorder, [submission], { skipsLocked: true })
  if (responses[0] !== null) {
    return answered(responses)
  }
  // Another node has the agent locked: the batch writer then waits for the lock.
  return answered(
    (await recordReports(store, recorder, [submission], { skipsLocked: false })).responses,
  )
}

type Answer = ReportOutcome | 'answered before'

function answered(responses: readonly unknown[]): Answer {
  return responses[0] as Answer
}
