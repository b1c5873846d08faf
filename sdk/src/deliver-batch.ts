import type { WriteOptions } from './call.ts'
import { isTransient, StandingError } from './error.ts'
import { waitFor } from './timer.ts'
import type { EventInput, Report } from './types.ts'
import type { Wait } from './wait.ts'
import { randomHex } from './web-crypto.ts'

export type ReportEvents = (
  agentId: string,
  events: readonly EventInput[],
  options: WriteOptions,
) => Promise<Report>

/** How long a batch waits after the client gave up repeating its request. It doubles. */
const PAUSE_BASE_MS = 1_000
const PAUSE_MAX_MS = 30_000

export interface BatchDelivery {
  readonly agentId: string
  readonly events: readonly EventInput[]
  readonly report: ReportEvents
  readonly signal: AbortSignal
  /** Another way to wait than by a timer. */
  readonly wait: Wait | undefined
  /** Called before each pause. */
  readonly onPause: (error: StandingError, ms: number, attempt: number) => void
}

/** Reports a batch, however long the service is away: under one key, so that it counts once. */
export async function deliverBatch(delivery: BatchDelivery): Promise<Report> {
  const { agentId, events, report, signal, wait = waitIdle, onPause } = delivery
  const idempotencyKey = await randomHex(16)
  for (let attempt = 1; ; attempt++) {
    try {
      return await report(agentId, events, { idempotencyKey, signal })
    } catch (error) {
      if (!(error instanceof StandingError) || !isTransient(error)) {
        throw error
      }
      const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_BASE_MS * 2 ** (attempt - 1))
      const ms = Math.max(error.retryAfterMs ?? 0, pauseMs)
      onPause(error, ms, attempt)
      await wait(ms, signal)
    }
  }
}

/** A pause does not keep the process alive: at its end, what is left is sent once more. */
function waitIdle(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return waitFor(ms, signal, { isIdle: true })
}
