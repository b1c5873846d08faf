import { createDispatcher, type Dispatcher } from '../../src/delivery/dispatcher.ts'
import type { MemoryJob, MemoryQueue } from '../../src/delivery/testing/memory-queue.ts'
import { TrustError } from '../../src/domain/error.ts'
import { MODEL } from '../../src/domain/model.ts'
import { type IdempotentRequest, idempotentRequest } from '../../src/http/idempotency.ts'
import type { Request } from '../../src/http/request.ts'
import type { Response } from '../../src/http/response.ts'
import { createBatchWriter } from '../../src/ingest/batch-writer/batch-writer.ts'
import type { IngestLimits } from '../../src/ingest/decide.ts'
import type { Recorder } from '../../src/ingest/record-reports.ts'
import type { Report, ReportOutcome } from '../../src/ingest/report.ts'
import type { Sealer } from '../../src/lib/vault.ts'
import type { MemoryStore } from './memory-store.ts'
import type { Scheduler } from './scheduler.ts'

/** What a client asks for: a report under an Idempotency-Key. */
export interface Asked {
  readonly key: string
  readonly report: Report
}

/** One node of the service: its batch writer, its dispatcher, its connection to the database. */
export interface Server {
  /** Answers as the operation does; rejects where the answer would be 503. */
  ask(asked: Asked): Promise<Response>
  /** Everything of it stops where it is. */
  crash(): void
  /** Rejects when it crashes: what its clients see. */
  readonly crashed: Promise<never>
  wake(): void
}

export interface ServerOptions {
  readonly scheduler: Scheduler
  readonly memory: MemoryStore
  readonly queue: MemoryQueue
  readonly limits: IngestLimits
  readonly newId: () => string
  /** What the receiver of webhooks answers; counted as received before it does. */
  readonly receive: (job: MemoryJob) => 'delivered' | 'failed'
}

export function startServer(options: ServerOptions): Server {
  const { scheduler, memory, limits, newId } = options
  const { store, isDead, crash } = memory.connect()
  const recorder: Recorder = {
    now: scheduler.now,
    newId,
    model: MODEL,
    limits,
    rules: { current: async () => new Map() },
    onScoreDrops: async () => {},
  }
  const writer = createBatchWriter({ store, recorder, onBatchCommitted: () => {} })
  const claimed = new Set<MemoryJob>()
  const dispatcher = startDelivery(options, isDead, claimed)
  let fail = (_error: Error) => {}
  const crashed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  crashed.catch(() => {})

  return {
    crashed,
    wake: dispatcher.wake,
    async ask({ key, report }) {
      const caller = { kind: 'platform', platformId: report.reporter.id, ...UNUSED } as const
      const request = { method: 'POST', path: `/v1/agents/${report.agentId}/events`, search: '' }
      const bodyBytes = Buffer.from(JSON.stringify(report.events))
      const idempotency = idempotentRequest(
        { hashKey: HASH_KEY, sealer: PLAIN, now: scheduler.now },
        caller,
        request as Request,
        {
          key,
          bodyBytes,
          json: report.events,
          error: { requestId: 'request' } as never,
          room: null,
          isNeverLimited: false,
        },
      )
      await scheduler.step(isDead)
      return writer.submit(submissionOf(report, idempotency))
    },
    crash() {
      crash()
      // Its timers alone: what it would still write is never answered.
      void dispatcher.stop()
      fail(new Error('the connection was reset'))
      // What the heartbeat of another node does some seconds later.
      for (const job of claimed) {
        job.dueAt = 0
      }
    },
  }
}

const HASH_KEY = Buffer.alloc(32)

/** Encryption has tests of its own, and is a third of the time of a seed. */
const PLAIN: Sealer = { seal: (bytes) => bytes, open: (bytes) => bytes }

const UNUSED = {
  ownerId: null,
  verified: true,
  tier: 'platform',
  publicKey: null,
  previousKey: null,
  requireAttestation: false,
} as const

function submissionOf(report: Report, { scope, earlier, settle }: IdempotentRequest) {
  return {
    report,
    idempotencyScope: scope,
    earlier,
    respond: (outcome: ReportOutcome) => settle(responseOf(outcome)),
  }
}

/** As the operation for one event answers. */
function responseOf(outcome: ReportOutcome): Response | TrustError {
  const [first] = 'refusal' in outcome ? [outcome] : outcome.events
  if (!first || 'refusal' in first) {
    return first?.refusal ?? new TrustError('INTERNAL_ERROR', 'no event')
  }
  return { status: first.isNew ? 201 : 200, body: { id: first.event.id } }
}

function startDelivery(
  { scheduler, queue, receive }: ServerOptions,
  isDead: () => boolean,
  claimed: Set<MemoryJob>,
): Dispatcher {
  const { step, chance, now } = scheduler
  return createDispatcher<MemoryJob>({
    queue: {
      async claim(request) {
        await step(isDead)
        const found = await queue.claim(request)
        for (const job of found.jobs) {
          claimed.add(job)
        }
        await step(isDead)
        return found
      },
      async record(batch, decide) {
        await step(isDead)
        const recorded = await queue.record(batch, decide)
        for (const job of [...batch.attempted, ...batch.returned]) {
          claimed.delete(job)
        }
        await step(isDead)
        return recorded
      },
    },
    async send(job) {
      await step(isDead)
      const outcome = receive(job)
      await step(isDead)
      const status = outcome === 'delivered' ? 200 : 500
      const attempt = { outcome, status, error: null, durationMs: 1, responseStart: '' }
      return { ...attempt, retryAfterMs: null }
    },
    onError: () => {},
    now,
    random: chance,
  })
}
